package io.leeway.hindex.internal.metrics;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * What a region server's indexes cost: counters that HBase shows in its JMX, for all its regions together. Names are API.
 * Thread-safe.
 */
public final class Metrics {

    private final Map<Count, Counter> counters = new EnumMap<>(Count.class);

    private Metrics(MetricRegistry registry) {
        for (Count count : Count.values()) {
            counters.put(count, registry.counter(count.key()));
        }
    }

    /** The counters of this registry. */
    public static Metrics of(MetricRegistry registry) {
        return new Metrics(registry);
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
        /** Calls that wrote or removed entries and did not succeed. */
        FAILURES(
                "hindex.failures",
                "Calls that wrote or removed entries and failed; the write or compaction failed with them."),
        /** Obsolete entries that wait for their removal. */
        REPAIR_QUEUE("hindex.repair.queue", "Obsolete entries that compactions have found and not removed yet.");

        private final String key;
        private final String text;

        Count(String key, String text) {
            this.key = key;
            this.text = text;
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
