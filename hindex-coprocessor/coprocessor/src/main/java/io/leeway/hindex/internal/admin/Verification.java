package io.leeway.hindex.internal.admin;

import io.leeway.hindex.Progress;
import io.leeway.hindex.VerifyReport;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/*
 * Two ways to the same suspects. By hash: the table is read and its entries are looked up in the index, then the index is
 * read and its rows are looked up in the table, in batches; costs a look-up for each row and each entry, and no memory.
 * By merge: the entries of the table are sorted, on disk where they are many, and compared with the index in one pass;
 * reads both sides once, in order. What either finds is decided elsewhere, see Findings.
 *
 * With a time, versions of later timestamps are left out on both sides, so that what is written meanwhile does not even
 * become suspect.
 */
/**
 * Compares an index with its table. A client's work: servers only answer scans and look-ups, and decide about suspects.
 * For one thread.
 */
final class Verification {

    /** Rows between two pauses for the rate, and look-ups in one batch. */
    private static final int BATCH = 500;
    /** Bytes; runs of this size are merged when there are more entries. */
    private static final long SORTED_IN_MEMORY = 32L << 20;

    private final Connection connection;
    private final TableName base;
    private final IndexPlan index;
    private final long asOf;
    private final Throttle throttle;
    private final Consumer<Progress> progress;
    private final Findings findings;
    private final Keyspace entrySpace;
    private long rows;
    private long entries;

    Verification(
            Connection connection,
            TableName base,
            IndexPlan index,
            long asOf,
            boolean repairs,
            double perSecond,
            Consumer<Progress> progress)
            throws IOException {
        this.connection = connection;
        this.base = base;
        this.index = index;
        this.asOf = asOf;
        this.throttle = new Throttle(perSecond);
        this.progress = progress;
        this.findings = new Findings(connection, base, index, repairs);
        this.entrySpace = Keyspace.of(connection, index.table());
    }

    /**
     * By look-ups in both directions.
     *
     * <p>The table first, then the index. What is written between the two is seen on one side only, and becomes a
     * suspect.
     */
    VerifyReport byHash() throws IOException {
        try (Table rowTable = connection.getTable(base);
                Table entryTable = connection.getTable(index.table())) {
            var expected = new ArrayList<Entry>();
            try (ResultScanner scanner = rowTable.getScanner(rowScan())) {
                for (Result[] some = scanner.next(BATCH); some.length > 0; some = scanner.next(BATCH)) {
                    for (Result row : some) {
                        expected.addAll(read(row));
                    }
                    lookUpEntries(entryTable, expected);
                    expected.clear();
                    report(findings.regions().before(some[some.length - 1].getRow()) / 2);
                    throttle.done(some.length);
                }
            }
            try (ResultScanner scanner = entryTable.getScanner(entryScan())) {
                for (Result[] some = scanner.next(BATCH); some.length > 0; some = scanner.next(BATCH)) {
                    var found = new ArrayList<Entry>();
                    for (Result row : some) {
                        found.addAll(readEntries(row));
                    }
                    lookUpRows(rowTable, found);
                    report(0.5 + entrySpace.before(some[some.length - 1].getRow()) / 2);
                    throttle.done(some.length);
                }
            }
        }
        return finish();
    }

    /**
     * By sorting what the table says as the index is sorted.
     *
     * <p>What the table says and the index does not have is smaller than the index's next entry; what the index has and
     * the table does not say is smaller than the table's next. Equal ones cancel each other.
     */
    VerifyReport byMerge() throws IOException {
        try (Table rowTable = connection.getTable(base);
                Table entryTable = connection.getTable(index.table());
                var sorter = new EntrySorter(index, SORTED_IN_MEMORY)) {
            try (ResultScanner scanner = rowTable.getScanner(rowScan())) {
                for (Result[] some = scanner.next(BATCH); some.length > 0; some = scanner.next(BATCH)) {
                    for (Result row : some) {
                        for (Entry entry : read(row)) {
                            sorter.add(entry);
                        }
                    }
                    report(findings.regions().before(some[some.length - 1].getRow()) / 2);
                    throttle.done(some.length);
                }
            }
            sorter.sort();
            Entry expected = sorter.next();
            try (ResultScanner scanner = entryTable.getScanner(entryScan())) {
                for (Result[] some = scanner.next(BATCH); some.length > 0; some = scanner.next(BATCH)) {
                    for (Result row : some) {
                        for (Entry found : readEntries(row)) {
                            while (expected != null && EntrySorter.ORDER.compare(expected, found) < 0) {
                                findings.suspect(expected);
                                expected = sorter.next();
                            }
                            if (expected != null && expected.equals(found)) {
                                expected = sorter.next();
                            } else {
                                findings.suspect(found);
                            }
                        }
                    }
                    report(0.5 + entrySpace.before(some[some.length - 1].getRow()) / 2);
                    throttle.done(some.length);
                }
            }
            for (; expected != null; expected = sorter.next()) {
                findings.suspect(expected);
            }
        }
        return finish();
    }

    private VerifyReport finish() throws IOException {
        VerifyReport report = findings.report(base, asOf);
        report(1);
        return report;
    }

    private void report(double share) {
        progress.accept(new Progress(rows, entries, share));
    }

    /** As many versions as the index answers for, in the columns that it is over. */
    private Scan rowScan() throws IOException {
        Scan scan = new Scan().readVersions(index.versions()).setCaching(BATCH);
        index.select(scan);
        return asOf == Long.MAX_VALUE ? scan : scan.setTimeRange(0, asOf + 1);
    }

    /** All versions: each timestamp of a value is an entry. */
    private Scan entryScan() throws IOException {
        Scan scan =
                new Scan().addFamily(IndexPlan.entryFamily()).readAllVersions().setCaching(BATCH);
        return asOf == Long.MAX_VALUE ? scan : scan.setTimeRange(0, asOf + 1);
    }

    /** The entries that a row must have. */
    private List<Entry> read(Result row) {
        List<Entry> expected = index.entriesOf(row.getRow(), row.rawCells());
        if (!expected.isEmpty()) {
            rows++;
            findings.row(row.getRow());
        }
        int malformed = index.malformed(row.getRow(), row.rawCells());
        if (malformed > 0) {
            findings.malformed(row.getRow(), malformed);
        }
        return expected;
    }

    private List<Entry> readEntries(Result row) {
        var read = new ArrayList<Entry>();
        for (Cell cell : row.rawCells()) {
            var entry = new Entry(index, row.getRow(), CellUtil.cloneQualifier(cell), cell.getTimestamp());
            findings.entry(entry);
            read.add(entry);
        }
        entries += read.size();
        return read;
    }

    /** By the exact timestamp: an entry of another time is another entry. */
    private void lookUpEntries(Table entryTable, List<Entry> expected) throws IOException {
        var gets = new ArrayList<Get>();
        for (Entry entry : expected) {
            gets.add(new Get(entry.key())
                    .addColumn(IndexPlan.entryFamily(), entry.qualifier())
                    .setTimestamp(entry.timestamp()));
        }
        boolean[] there = entryTable.exists(gets);
        for (int i = 0; i < there.length; i++) {
            if (!there[i]) {
                findings.suspect(expected.get(i));
            }
        }
    }

    /** Each row once, however many of its entries are in the batch. */
    private void lookUpRows(Table rowTable, List<Entry> found) throws IOException {
        Map<byte[], Get> gets = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        for (Entry entry : found) {
            byte[] row = index.row(entry.key());
            if (!gets.containsKey(row)) {
                gets.put(row, get(row));
            }
        }
        Result[] results = rowTable.get(List.copyOf(gets.values()));
        var expected = new HashSet<Entry>();
        for (Result result : results) {
            if (!result.isEmpty()) {
                expected.addAll(index.entriesOf(result.getRow(), result.rawCells()));
            }
        }
        for (Entry entry : found) {
            if (!expected.contains(entry)) {
                findings.suspect(entry);
            }
        }
    }

    private Get get(byte[] row) throws IOException {
        Get get = new Get(row).readVersions(index.versions());
        index.select(get);
        return asOf == Long.MAX_VALUE ? get : get.setTimeRange(0, asOf + 1);
    }
}
