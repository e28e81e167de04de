package io.leeway.hindex.internal.write;

import java.util.ArrayList;
import java.util.List;

/**
 * Batches whose entries have no rows yet. They are counted by generation, so that a batch costs two additions and no
 * map. Under the lock of {@link UncertainEntries}.
 */
final class RunningBatches {

    /** Those that began since the last generation ended. */
    private Generation current = new Generation();
    /**
     * Generations before that still have batches: one that waits long keeps its own lowest timestamp, not that of all
     * after it.
     */
    private final List<Generation> earlier = new ArrayList<>();

    /** Batches that began between two ends of generations. */
    static final class Generation {
        private int number;
        private long lowest = Long.MAX_VALUE;

        /** One has ended. */
        void end() {
            number--;
        }

        private long lowest() {
            return number > 0 ? lowest : Long.MAX_VALUE;
        }
    }

    /** One begins; the generation is told when it ends. */
    Generation begin(long lowest) {
        current.number++;
        current.lowest = Math.min(current.lowest, lowest);
        return current;
    }

    /** Ends a generation, whose batches may go on. */
    void endGeneration() {
        earlier.add(current);
        earlier.removeIf(each -> each.number == 0);
        current = new Generation();
    }

    /** The lowest timestamp of those that run; the highest number if none does. */
    long lowest() {
        long lowest = current.lowest();
        for (Generation each : earlier) {
            lowest = Math.min(lowest, each.lowest());
        }
        return lowest;
    }
}
