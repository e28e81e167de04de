package io.leeway.hindex.internal.repair;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RawCell;

/**
 * What one cell says about a column: it got a value, or something was deleted.
 *
 * @param value of a {@link Kind#PUT}, else empty
 * @param expires whether the cell has a time to live of its own
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
public record Fact(Kind kind, long timestamp, byte[] value, boolean expires) {

    private static final int TTL_TAG = 8;

    /** What a cell can say. */
    public enum Kind {
        /** The column got a value. */
        PUT,
        /** The version of exactly this timestamp is gone. */
        DELETE_VERSION,
        /** All versions up to this timestamp are gone. */
        DELETE_UP_TO
    }

    /** What a cell says about its column; of a delete of the family, what it says about each. */
    public static Fact of(Cell cell) {
        Kind kind = switch (cell.getType()) {
            case Put -> Kind.PUT;
            case Delete, DeleteFamilyVersion -> Kind.DELETE_VERSION;
            case DeleteColumn, DeleteFamily -> Kind.DELETE_UP_TO;
        };
        byte[] value = kind == Kind.PUT ? CellUtil.cloneValue(cell) : HConstants.EMPTY_BYTE_ARRAY;
        return new Fact(kind, cell.getTimestamp(), value, expires(cell));
    }

    /** Whether the cell has a time to live of its own. */
    static boolean expires(Cell cell) {
        return cell instanceof RawCell raw && raw.getTag((byte) TTL_TAG).isPresent();
    }

    /** The order in which HBase keeps them: newest first, deletes before what they hide. */
    static int newestFirst(Fact left, Fact right) {
        int byTime = Long.compare(right.timestamp, left.timestamp);
        return byTime != 0 ? byTime : Boolean.compare(left.kind == Kind.PUT, right.kind == Kind.PUT);
    }
}
