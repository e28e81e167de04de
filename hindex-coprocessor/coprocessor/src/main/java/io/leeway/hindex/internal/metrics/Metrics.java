package io.leeway.hindex.internal.metrics;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * What a region server's indexes cost: counters that HBase shows in its JMX, for all its regions together. Names are
 * API. Thread-safe.
 */
public final class Metrics {

    private final Map<Count, Counter> counters = new EnumMap<>(Count.class);

    private Metrics(MetricRegistry registry, Side side) {
        for (Count count : Count.values()) {
            if (count.side() == side) {
                counters.put(count, registry.counter(count.key()));
            }
        }
    }

    /** The counters of one side in its registry. */
    public static Metrics of(MetricRegistry registry, Side side) {
        return new Metrics(registry, side);
    }

    /** Where something is counted: HBase keeps the metrics of each coprocessor apart. */
    public enum Side {
        /** In regions of tables. */
        TABLE,
        /** In regions of indexes. */
        INDEX
    }

    /** What is counted. */
    public enum Count {
        /** Entries that were written. */
        PUTS("hindex.puts", "Entries that were written, by writes, builds and repairs."),
        /** Entries that were removed. */
        REMOVALS(
                "hindex.removals",
                "Entries that were removed, by compactions, reads, repairs and writes in mode sync."),
        /** Reads of the base table for a write. */
        BASE_READS(
                "hindex.write.reads",
                "Reads of the base table that writes had to do; 0 for indexes of one column in mode deferred"
                        + " whose timestamps come from the server."),
        /** Entries that a region checked against its rows. */
        CHECKS("hindex.checks", "Entries that were checked against the base table, under the lock of their row."),
        /** Rows that a build looked at. */
        BUILT("hindex.build.rows", "Rows that builds looked at."),
        /** Writes that paused for the clock. */
        CLOCK_PAUSES(
                "hindex.clock.pauses",
                "Writes that paused for a moment, since the timestamps of their row run ahead of the wall clock by"
                        + " `hindex.clock.max-ahead`, as after it was set back."),
        /** Calls that wrote or removed entries and did not succeed. */
        FAILURES(
                "hindex.failures",
                "Calls that wrote or removed entries and failed; the write or compaction failed with them."),
        /** Obsolete entries that wait for their removal. */
        REPAIR_QUEUE("hindex.repair.queue", "Obsolete entries that compactions have found and not removed yet."),
        /** Cells that repairs read beside compactions. */
        REPAIR_CELLS(
                "hindex.repair.cells",
                "Cells that repairs have read for themselves, before or after a compaction; 0 in the variant pipelined."),
        /** Repairs after a compaction that failed. */
        REPAIR_RETRIES(
                "hindex.repair.retries", "Repairs after a compaction that failed, and are tried again after a pause."),
        /** Compactions for reads. */
        COMPACTIONS_ASKED(
                "hindex.compactions.asked",
                "Compactions that were asked for because reads met many obsolete entries, see `hindex.compact.stale`."),
        /** Entries that follow after their writes. */
        ASYNC_QUEUE("hindex.async.waiting", "Entries of indexes in mode async that are not written yet."),
        /** Entries of failed writes that are to be removed. */
        FAILED_WAITING(
                "hindex.failed.waiting", "Entries of writes that failed, which are still to be looked at or removed."),
        /** Entries of failed writes that were removed. */
        FAILED_REMOVED("hindex.failed.removed", "Entries of writes that failed, which were removed."),
        /** Entries of failed writes that nobody remembers. */
        FAILED_FORGOTTEN(
                "hindex.failed.forgotten",
                "Entries of writes that failed, for which there was no place in the queue; the region reads the index for them."),
        /** Ordinary scans that an index answered. */
        SCANS_REWRITTEN(
                "hindex.scans.rewritten",
                "Ordinary scans that read only the rows that an index named; counted in each region."),
        /** Ordinary scans that an index could not answer after all. */
        SCANS_DECLINED(
                "hindex.scans.declined",
                "Ordinary scans whose filter an index could answer, but that were left as they are: too many entries, bulk"
                        + " loaded files, or the index did not answer or is not caught up; counted in each region."),
        /** Calls that an index region answered. */
        READ_CALLS(Side.INDEX, "hindex.reads.calls", "Calls of queries that regions of indexes answered."),
        /** Calls that an index region did not answer. */
        READ_FAILURES(
                Side.INDEX,
                "hindex.reads.failures",
                "Calls that failed, such as when the table does not answer in time; the client then does their work."),
        /** Hits that were returned. */
        READ_HITS(Side.INDEX, "hindex.reads.hits", "Hits that these calls returned."),
        /** Rows of tables that were read. */
        READ_ROWS(Side.INDEX, "hindex.reads.rows", "Rows of tables that these calls read to check entries."),
        /** Entries that were found obsolete. */
        READ_STALE(
                Side.INDEX,
                "hindex.reads.stale",
                "Entries that these calls met and the table did not bear out: what obsolete entries cost reads until a"
                        + " compaction removes them."),
        /** Compactions of an index for reads. */
        INDEX_COMPACTIONS_ASKED(
                Side.INDEX,
                "hindex.reads.compactions",
                "Compactions of indexes that were asked for because reads passed over many removed entries, see"
                        + " `hindex.compact.removed`.");

        private final Side side;
        private final String key;
        private final String text;

        Count(String key, String text) {
            this(Side.TABLE, key, text);
        }

        Count(Side side, String key, String text) {
            this.side = side;
            this.key = key;
            this.text = text;
        }

        /** Where it is counted. */
        public Side side() {
            return side;
        }

        /** The name; JMX shows it with a capital first letter. */
        public String key() {
            return key;
        }

        /** What it says, in one sentence. */
        public String text() {
            return text;
        }
    }

    /** So many more. */
    public void add(Count count, long more) {
        Counter counter = counters.get(count);
        if (counter != null) {
            counter.increment(more);
        }
    }
}
