package io.leeway.hindex.internal.repair;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks HBase for a compaction of all files of a family of one region, where what reads have met is reason enough, and
 * it is the region's turn on its server. Thread-safe.
 *
 * <p>Used for base regions ({@link AskedCompactions}) and for regions of an index ({@link RemovedEntries}).
 */
final class CompactionRequests {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    private final Region region;
    private final Executor threads;
    private final CompactionTurns turns;
    private final Runnable counter;

    /**
     * For one region.
     *
     * @param threads ask, so that a compaction is not that of the user who reads
     * @param counter counts what is asked for
     */
    CompactionRequests(Region region, Executor threads, CompactionTurns turns, Runnable counter) {
        this.region = region;
        this.threads = threads;
        this.turns = turns;
        this.counter = counter;
    }

    /**
     * Asks, if it is the region's turn.
     *
     * @param reads what was met
     * @param what which reads met, for the log
     * @param flushes whether what is in memory is to be in the files first
     */
    void ask(byte[] family, StaleReads reads, String what, boolean flushes) {
        long stale = reads.stale();
        // The turn first: asking sets back what was met, which must stay while it is another region's turn.
        if (!turns.take(reads, stale)) {
            return;
        }
        if (!reads.ask()) {
            // Another read was faster.
            turns.give(reads);
            return;
        }
        LOG.info(
                "a compaction of {} is asked for: reads met {} {}",
                region.getRegionInfo().getRegionNameAsString(),
                stale,
                what);
        counter.run();
        var turn = new Turn(family, reads, what);
        try {
            threads.execute(flushes ? turn::flush : turn::compact);
        } catch (RejectedExecutionException e) {
            // The server goes down.
            turns.give(reads);
        }
    }

    /** One request, from the flush before it to its end; whatever HBase says of it, the turn is given back. */
    private final class Turn implements CompactionLifeCycleTracker, FlushLifeCycleTracker {

        private final byte[] family;
        private final StaleReads reads;
        private final String what;

        Turn(byte[] family, StaleReads reads, String what) {
            this.family = family;
            this.reads = reads;
            this.what = what;
        }

        void flush() {
            try {
                region.requestFlush(this);
            } catch (IOException | RuntimeException | Error e) {
                LOG.warn("a flush before a compaction could not be asked for", e);
                turns.give(reads);
            }
        }

        void compact() {
            try {
                region.requestCompaction(family, what + " cost reads", Store.PRIORITY_USER, true, this);
            } catch (IOException | RuntimeException | Error e) {
                LOG.warn("a compaction could not be asked for", e);
                turns.give(reads);
            }
        }

        /** Of the flush: there may be nothing in memory. */
        @Override
        public void notExecuted(String reason) {
            compact();
        }

        /** Of the flush. */
        @Override
        public void afterExecution() {
            compact();
        }

        @Override
        public void notExecuted(Store store, String reason) {
            turns.give(reads);
        }

        @Override
        public void afterExecution(Store store) {
            turns.give(reads);
        }

        @Override
        public void completed() {
            turns.give(reads);
        }
    }
}
