package io.leeway.lazytables;

import java.util.List;

/**
 * What an instance of {@link LazyTables} has done and where it stands. What workers did counts from the end of the
 * clock in which they did it. Immutable.
 *
 * @param staleness reads, by how many clocks the row that answered was behind the clock of the worker: the i-th number
 *     is of i clocks, the last one of that many and more
 * @param reads reads, by what answered them
 * @param prefetched answers that were asked for ahead
 * @param workers the times of each worker
 * @param clocks the clocks
 * @param waiting what waits
 * @param traffic what was sent and received
 * @since 0.1
 */
public record Statistics(
        List<Long> staleness,
        Reads reads,
        Prefetched prefetched,
        List<WorkerTimes> workers,
        Clocks clocks,
        Waiting waiting,
        Traffic traffic) {

    /** Copies. */
    public Statistics {
        staleness = List.copyOf(staleness);
        workers = List.copyOf(workers);
    }

    /**
     * Reads by what answered them.
     *
     * @param byWorker the worker's own cache
     * @param byProcess the cache that the workers of the process share
     * @param byServer a server, which the worker waited for
     */
    public record Reads(long byWorker, long byProcess, long byServer) {}

    /**
     * Answers of servers that were asked for before a read needed them.
     *
     * @param useful those that a read used
     * @param useless those that were dropped, or replaced by newer ones, before a read used them
     */
    public record Prefetched(long useful, long useless) {}

    /**
     * The times of a worker.
     *
     * @param clocks that it completed
     * @param computeNanos all time from its first read to the end of its last clock in which it did not wait
     * @param waits reads that waited for servers
     * @param waitNanos the time in which they did, and in which the ends of clocks waited for servers
     */
    public record WorkerTimes(int clocks, long computeNanos, long waits, long waitNanos) {}

    /**
     * Clocks as the instance knows them.
     *
     * @param process the clocks that all workers of the instance completed that have not ended
     * @param global the clocks that all workers of all processes completed that have not ended, as the servers said
     *     last
     */
    public record Clocks(int process, int global) {}

    /**
     * What waits to be sent or answered.
     *
     * @param unsentRows logs of rows, of clocks that some workers of the instance have completed and others have not
     * @param keptRows logs of rows that are kept until their servers have them for good
     * @param askedRows rows that servers were asked for and have not answered
     */
    public record Waiting(long unsentRows, long keptRows, long askedRows) {}

    /**
     * What was sent and received: over TCP with headers, compressed, before encryption.
     *
     * @param messagesIn messages received; each may hold many answers
     * @param messagesOut messages sent
     * @param bytesIn bytes received
     * @param bytesOut bytes sent
     */
    public record Traffic(long messagesIn, long messagesOut, long bytesIn, long bytesOut) {

        /** Nothing. */
        public static final Traffic NONE = new Traffic(0, 0, 0, 0);

        /** Both together. */
        public Traffic plus(Traffic other) {
            return new Traffic(
                    messagesIn + other.messagesIn,
                    messagesOut + other.messagesOut,
                    bytesIn + other.bytesIn,
                    bytesOut + other.bytesOut);
        }
    }
}
