package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.plan.IndexPlan;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RawCell;

/**
 * What one cell says about a column: it got a value, or something was deleted.
 *
 * <p>Copied out of the cell, whose memory may be HBase's. Writes, compactions and loads conclude from these, by the
 * same classes, what a row shows: so they agree. Immutable, but for the bytes, which nobody changes.
 *
 * @param column the number that the index gives to the column, or {@link #ALL_COLUMNS}
 * @param sequence when it arrived
 * @param value of a {@link Kind#PUT}, else empty
 * @param expires whether the cell has a time to live of its own
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
public record Fact(int column, Kind kind, long timestamp, long sequence, byte[] value, boolean expires) {

    /** For deletes of the whole family. */
    public static final int ALL_COLUMNS = -1;

    /** Arrives now, after all that is stored. */
    public static final long NOW = Long.MAX_VALUE;

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

    /** What a stored cell says about the columns of an index, which it concerns. */
    @SuppressWarnings("deprecation") // No public successor; HBase 3 has the same method on ExtendedCell.
    public static Fact stored(IndexPlan index, Cell cell) {
        return of(index, cell, cell.getSequenceId());
    }

    /** What a cell says that is about to be written. */
    public static Fact written(IndexPlan index, Cell cell) {
        return of(index, cell, NOW);
    }

    private static Fact of(IndexPlan index, Cell cell, long sequence) {
        Kind kind = switch (cell.getType()) {
            case Put -> Kind.PUT;
            case Delete, DeleteFamilyVersion -> Kind.DELETE_VERSION;
            case DeleteColumn, DeleteFamily -> Kind.DELETE_UP_TO;
        };
        boolean ofFamily = cell.getType() == Cell.Type.DeleteFamily || cell.getType() == Cell.Type.DeleteFamilyVersion;
        byte[] value = kind == Kind.PUT ? CellUtil.cloneValue(cell) : HConstants.EMPTY_BYTE_ARRAY;
        return new Fact(
                ofFamily ? ALL_COLUMNS : index.number(cell), kind, cell.getTimestamp(), sequence, value, expires(cell));
    }

    /** Whether the cell has a time to live of its own. */
    @SuppressWarnings("deprecation") // Public only here; asked first, since it costs less than looking for the tag.
    static boolean expires(Cell cell) {
        return cell.getTagsLength() > 0
                && cell instanceof RawCell raw
                && raw.getTag((byte) TTL_TAG).isPresent();
    }

    /**
     * Of two facts with one place HBase shows only the later, as if the earlier had never been.
     *
     * <p>A delete of the whole family and one of a column are two places, as in HBase.
     */
    private record Place(int column, Kind kind, long timestamp) {}

    private Place place() {
        return new Place(column, kind, timestamp);
    }

    /** Which facts HBase does not show any more when these come later. */
    public static Predicate<Fact> repeatedBy(Collection<Fact> later) {
        Set<Place> places = later.stream().map(Fact::place).collect(Collectors.toSet());
        return fact -> places.contains(fact.place());
    }

    /** The order in which HBase keeps them: newest first, deletes before what they hide. */
    static int newestFirst(Fact left, Fact right) {
        int byTime = Long.compare(right.timestamp, left.timestamp);
        return byTime != 0 ? byTime : Boolean.compare(left.kind == Kind.PUT, right.kind == Kind.PUT);
    }
}
