package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.plan.RowStart;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.jspecify.annotations.Nullable;

/*
 * Rows that are left out never reach the filter of the scan, as if the table had only the others. When there are no more,
 * the scan is not told that it is done: it would end in the regions that follow, too. Its stop row ends it.
 */
/**
 * Leaps from row to row of those that are given, and lets another filter decide about them. Lives in one region's
 * scanner, and is never sent anywhere, so it has no form in bytes. For one thread at a time, as all filters.
 */
final class RowsFilter extends FilterBase {

    private final Filter filter;
    private final NavigableSet<byte[]> rows;
    /**
     * Whether the present row is not among those; everything that HBase asks about it is answered by this alone then.
     */
    private boolean leap;

    /** These rows, as far as they pass the filter. */
    RowsFilter(Filter filter, NavigableSet<byte[]> rows) {
        this.filter = filter;
        this.rows = rows;
    }

    @Override
    public void reset() throws IOException {
        leap = false;
        filter.reset();
    }

    @Override
    public boolean filterRowKey(Cell first) throws IOException {
        leap = !rows.contains(CellUtil.cloneRow(first));
        return !leap && filter.filterRowKey(first);
    }

    /** The other's word: it may have seen enough, which this never has. */
    @Override
    public boolean filterAllRemaining() throws IOException {
        return filter.filterAllRemaining();
    }

    @Override
    public ReturnCode filterCell(Cell cell) throws IOException {
        // The key that was shown for the row may have been a stand-in, before the first row.
        if (leap && rows.contains(CellUtil.cloneRow(cell))) {
            leap = false;
            if (filter.filterRowKey(cell)) {
                return ReturnCode.NEXT_ROW;
            }
        }
        return leap ? ReturnCode.SEEK_NEXT_USING_HINT : filter.filterCell(cell);
    }

    /**
     * To the next row that was named. Behind the last of them there is none, and the least row behind the present one
     * is named: HBase wants a cell that lies ahead, and the scan's stop row ends it there.
     */
    @Override
    public @Nullable Cell getNextCellHint(Cell cell) throws IOException {
        if (!leap) {
            return filter.getNextCellHint(cell);
        }
        byte[] row = CellUtil.cloneRow(cell);
        byte[] next = rows.higher(row);
        return RowStart.of(next == null ? Arrays.copyOf(row, row.length + 1) : next);
    }

    @Override
    public Cell transformCell(Cell cell) throws IOException {
        return leap ? cell : filter.transformCell(cell);
    }

    @Override
    public void filterRowCells(List<Cell> cells) throws IOException {
        if (!leap) {
            filter.filterRowCells(cells);
        }
    }

    /** The other's answer: saying yes would forbid limits within a row, which the client may have set. */
    @Override
    public boolean hasFilterRow() {
        return filter.hasFilterRow();
    }

    @Override
    public boolean filterRow() throws IOException {
        return leap || filter.filterRow();
    }

    @Override
    public boolean isFamilyEssential(byte[] name) throws IOException {
        return filter.isFamilyEssential(name);
    }
}
