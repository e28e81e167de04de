package io.leeway.benchmarks.hindex;

import io.leeway.testkit.hbase.ProcessCluster;
import java.io.IOException;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** Compactions that are asked for and waited for, of any table. */
final class Compactions {

    private static final int POLL_MILLIS = 20;
    private static final long PATIENCE_NANOS = 600_000_000_000L;

    private Compactions() {}

    /** Merges the files of each family of a table into one for each region; returns when that is done. */
    static void run(Admin admin, TableName table) throws IOException, InterruptedException {
        run(admin, table, region -> region.getStoreFileCount() <= region.getStoreCount());
    }

    /** The same for the table of an index, of whose families some have no files: each of its regions must have files that are newer. */
    static void runOfIndex(Admin admin, TableName index) throws IOException, InterruptedException {
        long begin = System.currentTimeMillis();
        run(admin, index, region -> region.getLastMajorCompactionTimestamp() >= begin);
    }

    private static void run(Admin admin, TableName table, Predicate<RegionMetrics> isDone)
            throws IOException, InterruptedException {
        admin.majorCompact(table);
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (admin.getCompactionState(table) != CompactionState.NONE || !areAll(admin, table, isDone)) {
            if (System.nanoTime() > end) {
                throw new IOException("the compaction of " + table + " does not end");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Waits until an index had so many writes; they may follow after a compaction. */
    static void awaitIndexWrites(HBaseStore store, long writes) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (store.indexWrites() < writes) {
            if (System.nanoTime() > end) {
                throw new IOException("the repair of " + store.name() + " does not end");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static boolean areAll(Admin admin, TableName table, Predicate<RegionMetrics> isDone) throws IOException {
        for (var server : admin.getRegionServers()) {
            if (!admin.getRegionMetrics(server, table).stream().allMatch(isDone)) {
                return false;
            }
        }
        return true;
    }

    /** Flushes and compacts a table, then its index, and counts what is left in the index. */
    static long compactAndCount(ProcessCluster cluster, TableName table, TableName index)
            throws IOException, InterruptedException {
        try (Admin admin = cluster.connection().getAdmin()) {
            for (TableName each : new TableName[] {table, index}) {
                admin.flush(each);
                run(admin, each);
            }
        }
        return count(cluster, index);
    }

    /** Rows of a table of HBase that have something in one of these families; in any if none is named. */
    static long count(ProcessCluster cluster, TableName counted, byte[]... families) throws IOException {
        Scan scan = new Scan().setCaching(5_000).setCacheBlocks(false).setFilter(new FirstKeyOnlyFilter());
        for (byte[] family : families) {
            scan.addFamily(family);
        }
        long rows = 0;
        try (Table table = cluster.connection().getTable(counted);
                ResultScanner scanner = table.getScanner(scan)) {
            while (scanner.next() != null) {
                rows++;
            }
        }
        return rows;
    }
}
