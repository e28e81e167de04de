package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.guard.Retries;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.silence.Retry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * What is left to look at of a region's entries, from which timestamp on, and who looks.
 *
 * <p>Under the lock of {@link UncertainEntries}, but for {@link #look}, which the one thread of the table's repairs
 * calls without it.
 */
public final class Sweeps {

    /** There is nothing. */
    private static final long NONE = Long.MAX_VALUE;

    private final Set<IndexPlan> indexes;
    private final Others others;
    private final Sweeper sweeper;
    private final long delayMillis;
    private final LongConsumer schedule;
    /**
     * The lowest timestamp of what ended without being certain. It has no end of its own: it goes when nothing is left
     * to look at.
     */
    private long kept = NONE;
    /** A number, so that a sweep at its end sees whether it was asked for again since it began. */
    private long asked;
    /** The indexes that the sweep at work has not been through; kept over its attempts. */
    private final Set<IndexPlan> unswept = ConcurrentHashMap.newKeySet();
    /**
     * Where the sweep at work began; the same for all its attempts, as the sweeper goes on where it stopped only then.
     */
    private long sweptFrom = NONE;

    private long askedBefore;
    /** From when a sweep is asked for until it has come to its end, over all its attempts and pauses. */
    private boolean isSweeping;

    /**
     * Of a region.
     *
     * @param delay after which nothing arrives any more that a killed server has sent
     * @param schedule has a sweep attempted after so many milliseconds
     */
    Sweeps(Set<IndexPlan> indexes, Others others, Sweeper sweeper, Duration delay, LongConsumer schedule) {
        this.indexes = indexes;
        this.others = others;
        this.sweeper = sweeper;
        this.delayMillis = delay.toMillis();
        this.schedule = schedule;
    }

    /**
     * Writes that failed, and loads.
     *
     * <p>They remember on their own what they have to look at, and this asks them only whether the timestamp may pass
     * it.
     */
    public interface Others {
        /** Whether they have left nothing that is still to be looked at. */
        boolean areSettled();

        /**
         * The lowest timestamp of what was left since the last question and nobody remembers; {@link Long#MAX_VALUE} if
         * there is nothing.
         *
         * <p>Taken, not only read: who asks answers for it from then on.
         */
        long takeForgotten();
    }

    /**
     * Removes what no row bears out.
     *
     * <p>Called by one thread at a time, that of the table's repairs.
     */
    @FunctionalInterface
    public interface Sweeper {
        /**
         * Looks at all entries of the region's rows from a timestamp on, until it is stopped; where the last one, from
         * the same timestamp, did not come to the end, it goes on there.
         *
         * @return whether all were looked at, and those without rows removed
         */
        boolean sweep(IndexPlan index, long from, BooleanSupplier isStopped) throws IOException;
    }

    /** Something from this timestamp on ended without being certain. */
    void keep(long lowest) {
        kept = Math.min(kept, lowest);
    }

    /** The lowest timestamp of what is kept; the highest number if nothing is. */
    long kept() {
        return kept;
    }

    /** Now and then: takes over what others have forgotten, and forgets what was kept when nothing is left of it. */
    void settle() {
        // It is told before its batch has ended.
        ask(others.takeForgotten());
        if (!isSweeping && others.areSettled()) {
            kept = NONE;
        }
    }

    /**
     * Has entries from a timestamp on looked at. A sweep that is at work does not begin anew: it may be past that, so
     * another follows it when it has ended. The delay lets arrive what a killed server has sent; before that a sweep
     * would look too early.
     */
    void ask(long from) {
        if (from == NONE) {
            return;
        }
        keep(from);
        asked++;
        if (!isSweeping) {
            isSweeping = true;
            schedule.accept(delayMillis);
        }
    }

    /** One that did not come to its end goes on as it began: what was asked for meanwhile is looked for after it. */
    void begin() {
        if (unswept.isEmpty()) {
            // Taken together: what is asked for from here on raises the number, and so makes another sweep.
            unswept.addAll(indexes);
            sweptFrom = kept;
            askedBefore = asked;
        }
    }

    /**
     * One attempt.
     *
     * @return whether it came to its end
     */
    boolean look(String region, BooleanSupplier isStopped) {
        try {
            for (IndexPlan index : List.copyOf(unswept)) {
                if (sweeper.sweep(index, sweptFrom, isStopped)) {
                    unswept.remove(index);
                }
            }
            return unswept.isEmpty();
        } catch (IOException | RuntimeException | Error e) {
            Retries.failed("to look at what an earlier life left", region, e);
            return false;
        }
    }

    /**
     * After an attempt: has the next made, if there is to be one.
     *
     * @return whether there is none, so that what was kept may go
     */
    boolean end(boolean isDone) {
        if (!isDone) {
            schedule.accept(Retry.SWEEP.firstMillis());
        } else if (askedBefore != asked) {
            schedule.accept(delayMillis);
        } else {
            isSweeping = false;
        }
        return !isSweeping;
    }

    /** Whether nothing is left to look for. */
    boolean areOver() {
        return !isSweeping;
    }
}
