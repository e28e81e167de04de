package io.leeway.lazybase.internal.query;

import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.Zone;
import io.leeway.lazybase.internal.merge.Segment;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A condition on rows, with its values bound. Rows for which SQL does not say TRUE do not fit; there is no negation, so NULL needs no third
 * value. Columns are named by their number.
 */
public sealed interface Predicate {

    /** How values are compared. */
    enum Op {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL
    }

    /** A column compared with a long. */
    record CompareLong(int column, Op op, long value) implements Predicate {}

    /** A column compared with bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    record CompareBytes(int column, Op op, byte[] value) implements Predicate {}

    /** A column that is one of several longs. */
    @SuppressWarnings("ArrayRecordComponent")
    record InLongs(int column, long[] sorted) implements Predicate {}

    /** A column that begins with bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    record StartsWith(int column, byte[] prefix) implements Predicate {}

    /** A column that has no value, or that has one. */
    record IsNull(int column, boolean wanted) implements Predicate {}

    /** All of them. */
    record And(List<Predicate> parts) implements Predicate {}

    /** One of them at least. */
    record Or(List<Predicate> parts) implements Predicate {}

    /** Every row, or none. */
    record Constant(boolean fits) implements Predicate {}

    /** Finds columns of a segment by their number. */
    interface Columns {
        Vector column(int id);
    }

    /**
     * Keeps of some rows those that fit.
     *
     * @param rows numbers of rows within the segment; those that fit stand first afterwards
     * @return how many fit
     */
    default int filter(Segment segment, Columns columns, int[] rows, int count) {
        if (this instanceof And and) {
            int left = count;
            for (Predicate part : and.parts) {
                left = left == 0 ? 0 : part.filter(segment, columns, rows, left);
            }
            return left;
        }
        if (this instanceof Constant constant) {
            return constant.fits ? count : 0;
        }
        if (this instanceof Or or) {
            return anyOf(or, segment, columns, rows, count);
        }
        return filterOne(segment.from(), columns, rows, count);
    }

    private static int anyOf(Or or, Segment segment, Columns columns, int[] rows, int count) {
        boolean[] fits = new boolean[segment.rows()];
        for (Predicate part : or.parts) {
            int[] copy = java.util.Arrays.copyOf(rows, count);
            int left = part.filter(segment, columns, copy, count);
            for (int i = 0; i < left; i++) {
                fits[copy[i]] = true;
            }
        }
        int left = 0;
        for (int i = 0; i < count; i++) {
            if (fits[rows[i]]) {
                rows[left++] = rows[i];
            }
        }
        return left;
    }

    private int filterOne(int from, Columns columns, int[] rows, int count) {
        int left = 0;
        if (this instanceof CompareLong compare) {
            Vector column = columns.column(compare.column);
            byte[] states = column.states();
            long[] values = column.longs();
            for (int i = 0; i < count; i++) {
                int at = from + rows[i];
                if ((states == null || states[at] == Vector.SET)
                        && fits(compare.op, Long.compare(values[at], compare.value))) {
                    rows[left++] = rows[i];
                }
            }
            return left;
        }
        Vector column = columns.column(columnOf());
        for (int i = 0; i < count; i++) {
            if (fitsAt(column, from + rows[i])) {
                rows[left++] = rows[i];
            }
        }
        return left;
    }

    private int columnOf() {
        if (this instanceof CompareBytes compare) {
            return compare.column;
        } else if (this instanceof InLongs in) {
            return in.column;
        } else if (this instanceof StartsWith starts) {
            return starts.column;
        } else if (this instanceof IsNull isNull) {
            return isNull.column;
        }
        throw new IllegalStateException("no column: " + this);
    }

    private boolean fitsAt(Vector column, int row) {
        boolean missing = column.isNull(row);
        if (this instanceof IsNull isNull) {
            return missing == isNull.wanted;
        }
        if (missing) {
            return false;
        }
        if (this instanceof CompareBytes compare) {
            return fits(compare.op, column.compareBytes(row, compare.value));
        }
        if (this instanceof InLongs in) {
            return java.util.Arrays.binarySearch(in.sorted, column.getLong(row)) >= 0;
        }
        byte[] prefix = ((StartsWith) this).prefix;
        int begin = column.offsets()[row];
        return column.length(row) >= prefix.length
                && java.util.Arrays.equals(column.bytes(), begin, begin + prefix.length, prefix, 0, prefix.length);
    }

    private static boolean fits(Op op, int order) {
        return switch (op) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    /** Whether rows with such values can fit; true if that is not known. */
    default boolean mayFit(IntFunction<@Nullable Zone> zones) {
        if (this instanceof And and) {
            return and.parts.stream().allMatch(part -> part.mayFit(zones));
        }
        if (this instanceof Or or) {
            return or.parts.stream().anyMatch(part -> part.mayFit(zones));
        }
        if (this instanceof Constant constant) {
            return constant.fits;
        }
        if (this instanceof CompareLong compare) {
            Zone zone = zones.apply(compare.column);
            return zone == null || (zone.hasValue() && mayFit(compare.op, zone, compare.value, false));
        }
        if (this instanceof CompareBytes compare) {
            Zone zone = zones.apply(compare.column);
            return zone == null || (zone.hasValue() && mayFit(compare.op, zone, Zone.ofBytes(compare.value), true));
        }
        if (this instanceof InLongs in) {
            Zone zone = zones.apply(in.column);
            return zone == null || (zone.hasValue() && anyWithin(in, zone));
        }
        if (this instanceof IsNull isNull) {
            Zone zone = zones.apply(isNull.column);
            return zone == null || (isNull.wanted ? zone.hasNull() : zone.hasValue());
        }
        return true;
    }

    private static boolean anyWithin(InLongs in, Zone zone) {
        for (long value : in.sorted) {
            if (zone.min() <= value && value <= zone.max()) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayFit(Op op, Zone zone, long value, boolean prefixOnly) {
        return switch (op) {
            case EQUAL -> zone.min() <= value && value <= zone.max();
            case NOT_EQUAL -> prefixOnly || zone.min() != value || zone.max() != value;
            case LESS -> prefixOnly ? zone.min() <= value : zone.min() < value;
            case LESS_OR_EQUAL -> zone.min() <= value;
            case GREATER -> prefixOnly ? zone.max() >= value : zone.max() > value;
            case GREATER_OR_EQUAL -> zone.max() >= value;
        };
    }
}
