package io.leeway.hindex.internal.scan;

import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.jspecify.annotations.Nullable;

/*
 * HBase asks a filter about the row that it stands before when a call of next() begins, also if the one before has found
 * nothing. What is behind that row is done, whether it was shown or not. The first row may be a stand-in for a later one.
 */
/** Lets everything through, and notes where a scanner is. Lives in one region's scanner. */
final class ReachedRow extends FilterBase {

    private byte @Nullable [] row;
    private byte @Nullable [] passed;
    private boolean isAsked;

    @Override
    public boolean filterRowKey(Cell first) {
        byte[] next = CellUtil.cloneRow(first);
        if (row != null && !Arrays.equals(row, next)) {
            passed = row;
        }
        row = next;
        isAsked = true;
        return false;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
        return ReturnCode.INCLUDE;
    }

    /** A call begins. */
    void begin() {
        isAsked = false;
    }

    /** Whether the call that has begun last began behind the row of this cell. */
    boolean isBehind(Cell cell) {
        return isAsked && row != null && !CellUtil.matchingRows(cell, row);
    }

    /** The row of this cell is done. */
    void passed(Cell cell) {
        passed = CellUtil.cloneRow(cell);
        // The call that found it may have begun before it.
        row = passed;
    }

    /** A row such that nothing up to it is left; null if the first is not done. */
    byte @Nullable [] passed() {
        return passed;
    }
}
