package io.leeway.lazytables.apps;

import io.leeway.lazytables.Pace;

/**
 * A program for several workers, without what all programs have in common: {@link Run} has the threads and clocks.
 *
 * <p>Used by all workers' threads at once.
 *
 * @param <R> what comes out
 */
public interface Application<R> {

    /** What it is called in records. */
    String name();

    /** What is told while it runs, such as an error. */
    String measure();

    /** How many numbers each worker adds to those of the others, for the measure. */
    int sums();

    /** The measure, from the sums over all workers. */
    double value(double[] sums);

    /** Whether the measure falls when things get better, as an error does. */
    default boolean falls() {
        return true;
    }

    /** Whether a measure that gets worse again is a fault; not so of one that only says how much still moves. */
    default boolean isObjective() {
        return true;
    }

    /** Whether nothing happened in the clocks that the sums belong to: if that lasts, the run is over. */
    default boolean isAtRest(double[] sums) {
        return false;
    }

    /** Whether the run has gone astray: by the first measure and a later one. */
    default boolean hasDiverged(double first, double now) {
        return !Double.isFinite(now);
    }

    /** Whether the result is right only when all is at rest; then a run that did not wait goes on with slack 0 in the end. */
    default boolean mustSettle() {
        return false;
    }

    /** Whether a worker can go on where another one ended, which means that tables hold all that it needs. */
    default boolean canResume() {
        return false;
    }

    /** The part of one worker; called by its thread. */
    Part<R> part(Seat seat);

    /**
     * What one worker does. Used by its thread only.
     *
     * @param <R> what comes out
     */
    interface Part<R> {

        /** Puts first values into tables. All workers have done so before any works. */
        void load();

        /** Takes up, instead of loading, what the worker before it had when it had completed its clocks. */
        default void resume() {
            throw new IllegalStateException("this application cannot be resumed");
        }

        /**
         * The pace of the clock that begins, in a run that is not adaptive; not asked in an adaptive one. All workers must come to the same.
         *
         * @param blocks that were gone over by then
         * @param before the pace of the clock before, at first that of the settings; its work is in blocks
         */
        default Pace pace(long blocks, Pace before) {
            return before;
        }

        /** Asks for the rows that work over a block needs; called at the begin of a clock for each block that it goes over. */
        default void prefetch(int block) {}

        /** Goes over a block of the worker's data. */
        void work(int block);

        /** Adds to the sums what belongs to the worker, since it was called last. */
        void measure(double[] sums);

        /** The same when all workers are done and reads are exact. */
        default void finish(double[] sums) {
            measure(sums);
        }

        /** What came out; called for the first worker of a process when all are done and reads are exact. */
        R result();
    }
}
