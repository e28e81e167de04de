package io.leeway.hindex.internal.write;

import java.util.ArrayList;
import java.util.List;

/**
 * What a region has in memory that may be lost though it was acknowledged. Thread-safe.
 *
 * <p>{@link UncertainEntries} has one for the region. Writes are remembered by the number of flushes that had begun,
 * not one by one: a flush covers all whose cells were there when it began.
 */
final class UnsyncedWrites {

    private final List<Some> some = new ArrayList<>();
    private long flushes;
    /** Batches whose cells may not be in memory yet: no flush that begins now is sure to have them. */
    private int running;

    /**
     * Written between the beginnings of two flushes.
     *
     * @param flushes that had begun
     * @param lowest timestamp of their entries
     */
    private record Some(long flushes, long lowest) {}

    /** Before a batch. */
    synchronized void begin() {
        running++;
    }

    /** After it. Only now: a flush that is at work may have come before its cells. */
    synchronized void end(long lowest) {
        int last = some.size() - 1;
        if (last >= 0 && some.get(last).flushes == flushes) {
            some.set(last, new Some(flushes, Math.min(lowest, some.get(last).lowest)));
        } else {
            some.add(new Some(flushes, lowest));
        }
        running--;
    }

    synchronized boolean isEmpty() {
        return running == 0 && some.isEmpty();
    }

    /**
     * The lowest timestamp of the entries of batches that have ended; {@code Long.MAX_VALUE} if there are none.
     *
     * <p>Those that run are counted by {@link UncertainEntries} itself.
     */
    synchronized long lowest() {
        return some.stream().mapToLong(Some::lowest).min().orElse(Long.MAX_VALUE);
    }

    /**
     * Before a flush takes what is in memory.
     *
     * @return its number
     */
    synchronized long flushing() {
        return flushes++;
    }

    /**
     * After it, if nothing was left in memory of what was there before.
     *
     * <p>Also what earlier flushes had left, as those that failed: their cells were in memory still when this one
     * began.
     */
    synchronized void flushed(long number) {
        some.removeIf(each -> each.flushes <= number);
    }
}
