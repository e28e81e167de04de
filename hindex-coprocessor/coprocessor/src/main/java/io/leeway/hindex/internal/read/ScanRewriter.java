package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.query.ScanRange;
import io.leeway.hindex.internal.read.ValueConditions.ValueCondition;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/*
 * The scan stays HBase's own, with its own filter, limits, versions and read point; it is only told which rows not to look at:
 * those that the index, asked before the scan opens, does not name. An entry is written before its row can be seen, and kept
 * as long as its version is the newest: so every row that the filter lets pass is named. Whatever is not sure is left as it is.
 *
 * The first row of the scan is always looked at: a client that lost its scanner within a row goes on at that row, as it was.
 */
/**
 * Makes an ordinary scan with a value filter look only at the rows that an index names. The observer of a region calls
 * it before a scan is opened there. Whatever it does not understand, or cannot find out in time, leaves the scan as the
 * client sent it: an application that knows nothing of indexes must never see another answer because there is one.
 * Thread-safe.
 */
public final class ScanRewriter {

    /** Clients that do not want it say false here. */
    public static final String ATTRIBUTE = "hindex.scan";

    /** Ranges of an index that are read one after the other before the client's scan even begins. */
    private static final int MOST_RANGES = 100;
    /** So many rows may be named in a region of any size. */
    private static final int LEAST_ENTRIES = 100;

    /** To leap to a row costs about as much as to read this much. */
    private static final long BYTES_OF_A_LEAP = 1_024;

    private final Region region;
    private final List<IndexPlan> indexes;
    private final ServerReads elsewhere;
    private final int mostEntries;
    private final Metrics metrics;

    /**
     * For a region with these indexes.
     *
     * @param mostEntries rows that an index may name for one scan; with 0 no scan is touched
     */
    public ScanRewriter(Region region, TablePlan plan, ServerReads elsewhere, int mostEntries, Metrics metrics) {
        this.region = region;
        this.indexes = plan.indexes().stream().filter(IndexPlan::answersScans).toList();
        this.elsewhere = elsewhere;
        this.mostEntries = mostEntries;
        this.metrics = metrics;
    }

    /**
     * Before the scan opens.
     *
     * <p>The questions are in the order of their cost: what the scan is like, what its filter says, which index knows
     * of it, whether the region is one for which an index may speak at all; and only then a call.
     *
     * @param complete whether the indexes have all that the region acknowledged
     */
    public void rewrite(Scan scan, boolean complete) throws IOException {
        // What needs no look at the filter first: every scan of the table passes here.
        if (mostEntries == 0 || indexes.isEmpty() || !isPlain(scan) || isOfNoRow(scan)) {
            return;
        }
        List<ValueCondition> conditions = ValueConditions.of(scan.getFilter());
        // Only conditions that every row that passes must fulfil: of others the index would leave rows out.
        Plan plan = conditions.isEmpty() || returnsRowsThatFail(scan) ? null : plan(scan, conditions);
        if (plan == null) {
            return;
        }
        Optional<NavigableSet<byte[]>> rows = Optional.empty();
        try {
            // An index that did not answer just now is not waited for: the scan works without it, as it would without
            // hindex.
            if (complete && !elsewhere.isAtRest() && !hasBulkLoadedFiles(plan.index())) {
                rows = elsewhere.read(connection -> rows(connection, plan, start(scan), stop(scan)));
            }
        } finally {
            // Also when the index fails: then the scan is as it was.
            metrics.add(rows.isPresent() ? Metrics.Count.SCANS_REWRITTEN : Metrics.Count.SCANS_DECLINED, 1);
        }
        rows.ifPresent(named -> narrow(scan, named));
    }

    /**
     * How to find the rows.
     *
     * @param most rows that may be named; with more of them leaping would cost more than reading on
     */
    private record Plan(IndexPlan index, List<ScanRange> ranges, int most) {}

    /** Whether it is of a kind for which leaping over rows changes nothing but the time that it takes. */
    private boolean isPlain(Scan scan) {
        return scan.hasFilter()
                // Rows are leaped over forwards only.
                && !scan.isReversed()
                // What is deleted has no entry.
                && !scan.isRaw()
                // One row: there is nothing to leap over.
                && !scan.isGetScan()
                // Of a point in time before, the index may know less than the table.
                && scan.getTimeRange().getMax() == Long.MAX_VALUE
                && scan.getColumnFamilyTimeRange().isEmpty()
                && region.getRegionInfo().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
                // The client does not want it.
                && !Arrays.equals(Bytes.toBytes("false"), scan.getAttribute(ATTRIBUTE));
    }

    /**
     * Whether rows that fail the filter may be returned: of a row of which the filter leaves nothing in the families
     * that decide, HBase does not ask whether it passes, but returns what the others have (2.6.4).
     *
     * <p>Such rows would have to be named too, which an index over the deciding column cannot do.
     */
    private static boolean returnsRowsThatFail(Scan scan) throws IOException {
        if (!scan.doLoadColumnFamiliesOnDemand() || !ValueConditions.leavesOutColumns(scan.getFilter())) {
            return false;
        }
        for (byte[] family : scan.getFamilies()) {
            if (!scan.getFilter().isFamilyEssential(family)) {
                return true;
            }
        }
        return false;
    }

    /** It ends before it starts, so that not even its first row is looked at. */
    private boolean isOfNoRow(Scan scan) {
        byte[] stop = stop(scan);
        return stop.length > 0 && Bytes.compareTo(start(scan), stop) >= 0;
    }

    /** By the index whose ranges are fewest, which is one for equality. */
    private @Nullable Plan plan(Scan scan, List<ValueCondition> conditions) {
        // A column that the scan does not read is missing for the filter.
        List<ValueCondition> seen =
                conditions.stream().filter(condition -> sees(scan, condition)).toList();
        // More leaps than the region is large would cost more than to read it.
        int most = (int) Math.min(mostEntries, Math.max(LEAST_ENTRIES, size() / BYTES_OF_A_LEAP));
        Plan best = null;
        for (IndexPlan index : indexes) {
            List<ScanRange> ranges = new FilterRanges(index, seen, start(scan), stop(scan)).find();
            if (ranges != null
                    // Each range is a scan of the index, which the client waits for.
                    && ranges.size() <= MOST_RANGES
                    && (best == null || ranges.size() < best.ranges().size())) {
                best = new Plan(index, ranges, most);
            }
        }
        return best;
    }

    /** Conditions on other columns are left out, not the scan: what remains still has to be so for a row to pass. */
    private static boolean sees(Scan scan, ValueCondition condition) {
        if (!scan.getFamilyMap().containsKey(condition.family())) {
            return false;
        }
        var qualifiers = scan.getFamilyMap().get(condition.family());
        // No qualifiers: the whole family is read.
        return qualifiers == null || qualifiers.isEmpty() || qualifiers.contains(condition.qualifier());
    }

    /** In bytes, in files as they are stored: compressed, since that is what would be read. */
    private long size() {
        return region.getStores().stream()
                .mapToLong(store ->
                        store.getStorefilesSize() + store.getMemStoreSize().getDataSize())
                .sum();
    }

    /**
     * Their cells may have no entries: of two loads that give a cell two values at one timestamp, HBase shows the one
     * or the other. Compactions write such files anew, so this passes.
     */
    private boolean hasBulkLoadedFiles(IndexPlan index) {
        for (Store store : region.getStores()) {
            if (index.isOfFamily(store.getColumnFamilyDescriptor().getName())
                    && store.getStorefiles().stream().anyMatch(StoreFile::isBulkLoadResult)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The first row that is of the scan and of the region: the rest of the scan is for other regions, which ask for
     * themselves.
     */
    private byte[] start(Scan scan) {
        byte[] first = region.getRegionInfo().getStartKey();
        return Bytes.compareTo(scan.getStartRow(), first) > 0 ? scan.getStartRow() : first;
    }

    /** Behind the last row. */
    private byte[] stop(Scan scan) {
        byte[] behind = region.getRegionInfo().getEndKey();
        byte[] stop = scan.getStopRow();
        if (stop.length > 0 && scan.includeStopRow()) {
            // The least row behind it.
            stop = Arrays.copyOf(stop, stop.length + 1);
        }
        boolean own = stop.length > 0 && (behind.length == 0 || Bytes.compareTo(stop, behind) < 0);
        return own ? stop : behind;
    }

    /**
     * Rows of the region that the index names; empty if they are too many.
     *
     * <p>Entries are not checked here. One that is obsolete, or of a write that failed, names a row that the filter
     * then turns away.
     */
    private static Optional<NavigableSet<byte[]>> rows(Connection connection, Plan plan, byte[] start, byte[] stop)
            throws IOException {
        var rows = new TreeSet<byte[]>(Bytes.BYTES_COMPARATOR);
        int left = plan.most();
        try (Table entries = connection.getTable(plan.index().table())) {
            for (ScanRange range : plan.ranges()) {
                if (range.isEmpty()) {
                    continue;
                }
                Scan scan = new Scan()
                        .withStartRow(range.start())
                        .withStopRow(range.stop())
                        .addFamily(IndexPlan.entryFamily())
                        // The row stands in the key: of the cells nothing is needed, however many timestamps a value
                        // has had.
                        .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()))
                        .setPriority(HConstants.HIGH_QOS)
                        // One more than allowed tells that there are too many; all in one call.
                        .setCaching(left + 1)
                        .setLimit(left + 1);
                try (ResultScanner scanner = entries.getScanner(scan)) {
                    for (Result entry : scanner) {
                        // Half of the rows would be a wrong answer: all or none.
                        if (left-- == 0) {
                            return Optional.empty();
                        }
                        byte[] row = plan.index().row(entry.getRow());
                        boolean within = Bytes.compareTo(row, start) >= 0
                                && (stop.length == 0 || Bytes.compareTo(row, stop) < 0);
                        if (within) {
                            rows.add(row);
                        }
                    }
                }
            }
        }
        return Optional.of(rows);
    }

    /**
     * Changes the scan in place, since HBase opens this very one. It also gets an end, behind the last row that was
     * named.
     */
    private void narrow(Scan scan, NavigableSet<byte[]> rows) {
        byte[] start = start(scan);
        if (start.length > 0 && (scan.includeStartRow() || !Arrays.equals(start, scan.getStartRow()))) {
            // A client that lost its scanner goes on within a row, of which the index may say something else by now.
            rows.add(start);
        }
        scan.setFilter(new RowsFilter(scan.getFilter(), rows));
        if (!rows.isEmpty()) {
            scan.withStopRow(rows.last(), true);
        } else {
            // Nothing: there is no row before this one.
            scan.withStopRow(start.length == 0 ? new byte[] {0} : start, false);
        }
    }
}
