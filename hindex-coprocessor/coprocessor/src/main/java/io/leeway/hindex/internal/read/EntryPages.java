package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.guard.Guard;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.query.ReadOrder;
import io.leeway.hindex.internal.query.ScanRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;

/*
 * Each page is a scan of its own that begins behind the last: no scanner waits, and expires, while the application works
 * on what it has got.
 */
/**
 * Pages that a client puts together: entries from the index, checked with one batch of reads of the base table. What
 * all others fall back on, as it needs nothing of the servers but HBase itself. Used by one thread at a time.
 */
final class EntryPages implements PageSource {

    /** In one filter. A query for many values has as many ranges, and a request has to hold all of its filter. */
    private static final int RANGES_AT_ONCE = 200;

    private final Connection connection;
    private final TableName base;
    private final IndexPlan index;
    private final Lookup lookup;
    private final CheckedRead check;
    private List<ScanRange> left;
    private int size;

    /** Within one part of the table, beginning with pages of this size. */
    EntryPages(Connection connection, TableName base, IndexPlan index, Lookup lookup, int size) {
        this.connection = connection;
        this.base = base;
        this.index = index;
        this.lookup = lookup;
        this.check = new CheckedRead(index, lookup);
        this.left = lookup.ranges();
        this.size = size;
    }

    /** What is not read yet. */
    List<ScanRange> left() {
        return left;
    }

    /** Goes on with these, which another source has left. */
    void resume(List<ScanRange> ranges) {
        left = List.copyOf(ranges);
    }

    @Override
    public Page next() throws IOException {
        List<Candidate> candidates = candidates();
        size = PageSizes.next(size, lookup.fetch());
        var unfounded = new ArrayList<Entry>();
        List<Hit> hits = check.check(RowReads.byClient(connection, base), candidates, unfounded);
        // The answer does not need it; it only saves the next reader the same look.
        remove(connection, base, index, unfounded);
        return new Page(hits, !left.isEmpty());
    }

    /**
     * The answer stands, whatever becomes of this.
     *
     * <p>A failure is noted and forgotten: the entries are reported again by the next who meets them.
     */
    static void remove(Connection connection, TableName base, IndexPlan index, List<Entry> unfounded) {
        if (!unfounded.isEmpty()) {
            var entries = new UnfoundedEntries(connection, base, index);
            unfounded.forEach(entries::add);
            Guard.attempt("removal of unfounded entries", entries::remove);
        }
    }

    private List<Candidate> candidates() throws IOException {
        var candidates = new ArrayList<Candidate>();
        int rows = 0;
        try (Table entries = connection.getTable(index.table())) {
            while (rows < size && !left.isEmpty()) {
                List<ScanRange> now = ranges();
                Result[] results = read(entries, now, size - rows);
                for (Result entry : results) {
                    add(entry, candidates);
                }
                // Fewer than asked for: these ranges are at their end. As many: perhaps there are more behind the last.
                if (results.length < size - rows) {
                    left = lookup.order().descending()
                            ? left.subList(0, left.size() - now.size())
                            : left.subList(now.size(), left.size());
                } else {
                    // Within one part of the table, the order is that of the table.
                    left = new ReadOrder(false, lookup.order().descending())
                            .remaining(left, results[results.length - 1].getRow());
                }
                rows += results.length;
            }
        }
        return candidates;
    }

    /** Those that one scan reads. HBase's filter for several does not go backwards. */
    private List<ScanRange> ranges() {
        return lookup.order().descending()
                ? left.subList(left.size() - 1, left.size())
                : left.subList(0, Math.min(left.size(), RANGES_AT_ONCE));
    }

    private Result[] read(Table entries, List<ScanRange> ranges, int most) throws IOException {
        try (ResultScanner scanner =
                entries.getScanner(scan(ranges, lookup).setLimit(most).setCaching(most))) {
            return scanner.next(most);
        } catch (TableNotFoundException | TableNotEnabledException e) {
            // What HBase says of a table that who asks may never have heard of.
            throw new IOException(
                    "the index table " + index.table() + IndexTables.fault(e).orElse(""), e);
        }
    }

    /**
     * A scan of ranges in the order of the table.
     *
     * <p>With all versions, since each timestamp of a value is an entry of its own, and with a time limit, any of them
     * may be the one that was fresh then.
     */
    static Scan scan(List<ScanRange> ranges, Lookup lookup) throws IOException {
        byte[] start = ranges.get(0).start();
        byte[] stop = ranges.get(ranges.size() - 1).stop();
        Scan scan = new Scan().addFamily(IndexPlan.entryFamily()).readAllVersions();
        if (lookup.order().descending()) {
            scan.setReversed(true).withStartRow(stop, false).withStopRow(start, true);
        } else {
            scan.withStartRow(start).withStopRow(stop);
        }
        if (ranges.size() > 1) {
            var each = new ArrayList<RowRange>(); // which the filter sorts
            ranges.forEach(range -> each.add(new RowRange(range.start(), true, range.stop(), false)));
            scan.setFilter(new MultiRowRangeFilter(each));
        }
        return lookup.isOfNow() ? scan : scan.setTimeRange(0, lookup.asOf() + 1);
    }

    private void add(Result entry, List<Candidate> candidates) {
        byte[] row = index.row(entry.getRow());
        for (Cell cell : entry.rawCells()) {
            candidates.add(new Candidate(
                    new Entry(index, entry.getRow(), CellUtil.cloneQualifier(cell), cell.getTimestamp()), row));
        }
    }
}
