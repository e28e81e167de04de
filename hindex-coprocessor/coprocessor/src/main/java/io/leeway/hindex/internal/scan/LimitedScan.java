package io.leeway.hindex.internal.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.jspecify.annotations.Nullable;

/*
 * Model: a scanner of HBase comes back when it has found something, however many rows without it, or deleted ones, are before
 * that: of a column that is new, with the end of the region. With a limit it comes back in time, but does not say how far it has
 * come. The filter is asked at the beginning of each call, so the time is cut into pieces, and where the next piece begins
 * is known.
 *
 * A limit may end within a row. So a row is shown when something of the next one was read, or when the scanner stands before
 * another.
 *
 * Progress: at least one row is passed, however long that takes. Who goes on behind it comes to the end.
 */
/** Reads rows of a region for a limited time. For one thread. */
public final class LimitedScan implements AutoCloseable {

    private static final long PIECE_MILLIS = 50;

    private final RegionScanner scanner;
    private final ReachedRow reached;
    private final long end;
    private final List<Cell> ahead = new ArrayList<>();
    private ScannerContext limits;
    private boolean isRead;

    private LimitedScan(RegionScanner scanner, ReachedRow reached, long end) {
        this.scanner = scanner;
        this.reached = reached;
        this.end = end;
        this.limits = piece();
    }

    /**
     * Of a region.
     *
     * @param scan which is given another filter
     * @param end by {@link System#nanoTime()}
     */
    public static LimitedScan of(Region region, Scan scan, long end) throws IOException {
        var reached = new ReachedRow();
        Filter given = scan.getFilter();
        scan.setFilter(given == null ? reached : new FilterList(reached, given));
        return new LimitedScan(region.getScanner(scan), reached, end);
    }

    private ScannerContext piece() {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        long millis = Math.max(1, Math.min(PIECE_MILLIS, left / 2));
        return ScannerContext.newBuilder()
                .setTimeLimit(ScannerContext.LimitScope.BETWEEN_CELLS, System.currentTimeMillis() + millis)
                .build();
    }

    /**
     * The next row that the scan finds. Its cells are good until the next call.
     *
     * @return whether there is one; else the end is reached, or the time is over
     */
    public boolean next(List<Cell> row) throws IOException {
        row.clear();
        if (reached.passed() != null && System.nanoTime() - end >= 0) {
            return false;
        }
        row.addAll(ahead);
        ahead.clear();
        boolean goesOn = true;
        while (goesOn && !isRead && ahead.isEmpty()) {
            goesOn = readMore(row);
        }
        if (!row.isEmpty()) {
            reached.passed(row.get(0));
        }
        return !row.isEmpty();
    }

    /**
     * Returns whether more may be read for this row, or, if nothing of one was found, whether there is time to look on.
     */
    private boolean readMore(List<Cell> row) throws IOException {
        var some = new ArrayList<Cell>();
        reached.begin();
        isRead = !scanner.next(some, limits);
        if (some.isEmpty()) {
            limits = piece();
            return row.isEmpty() ? looksOn() : !reached.isBehind(row.get(0));
        }
        boolean isOfRow = row.isEmpty() || CellUtil.matchingRows(row.get(0), some.get(0));
        (isOfRow ? row : ahead).addAll(some);
        return true;
    }

    private boolean looksOn() throws IOException {
        // Nothing is held of the blocks that were read.
        if (scanner instanceof Shipper shipper) {
            shipper.shipped();
        }
        return reached.passed() == null || System.nanoTime() - end < 0;
    }

    /** Whether there is nothing more. */
    public boolean isAtEnd() {
        return isRead && ahead.isEmpty();
    }

    /** A row such that nothing up to it is left to be shown; null if the first is not done. */
    public byte @Nullable [] passed() {
        return reached.passed();
    }

    @Override
    public void close() throws IOException {
        scanner.close();
    }
}
