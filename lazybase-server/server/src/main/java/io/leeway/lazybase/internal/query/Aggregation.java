package io.leeway.lazybase.internal.query;

import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.merge.Segment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts, sums, least and greatest values of rows by group. Parts of a table are aggregated apart and the results put together. For one thread.
 */
public final class Aggregation {

    /** What is computed. */
    public enum Function {
        /** Rows, or values that are not NULL. */
        COUNT,
        /** Of longs, exactly. */
        SUM,
        /** Of doubles. */
        SUM_DOUBLE,
        MIN,
        MAX
    }

    /**
     * One result.
     *
     * @param function what
     * @param column place of the column among those of the scan; -1 to count rows
     */
    public record Call(Function function, int column) {}

    /** The values of a group: Longs, bytes or null. */
    private record Key(List<Object> values) {}

    /** Bytes that are equal if their content is. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Bytes(byte[] value) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }
    }

    /** A group's results so far. */
    private static final class Cells {
        final long[] longs;
        final boolean[] any;
        final @Nullable Object[] others;

        Cells(int count) {
            longs = new long[count];
            any = new boolean[count];
            others = new Object[count];
        }
    }

    private final int[] groups;
    private final List<Call> calls;
    private final Map<Key, Cells> cells = new HashMap<>();
    private final Map<Long, Cells> byLong = new HashMap<>();
    private @Nullable Cells single;

    /**
     * @param groups places of the columns that rows are grouped by
     * @param calls what is computed
     */
    public Aggregation(int[] groups, List<Call> calls) {
        this.groups = groups.clone();
        this.calls = List.copyOf(calls);
        if (groups.length == 0) {
            single = new Cells(calls.size());
        }
    }

    /** Takes all rows of a scan. */
    public void run(Scan scan) {
        for (Scan.Rows rows = scan.next(); rows != null; rows = scan.next()) {
            add(scan, rows);
        }
    }

    /** Takes some rows of a scan. */
    public void add(Scan scan, Scan.Rows rows) {
        Cells all = single;
        Segment segment = rows.segment();
        if (all != null) {
            for (int i = 0; i < calls.size(); i++) {
                Call call = calls.get(i);
                if (call.column < 0) {
                    all.longs[i] += rows.count();
                } else {
                    Vector column = scan.columnAt(segment, call.column);
                    for (int r = 0; r < rows.count(); r++) {
                        add(all, i, call.function, column, segment.from() + rows.rows()[r]);
                    }
                }
            }
            return;
        }
        Vector[] by = new Vector[groups.length];
        for (int g = 0; g < groups.length; g++) {
            by[g] = scan.columnAt(segment, groups[g]);
        }
        Vector[] of = new Vector[calls.size()];
        for (int i = 0; i < of.length; i++) {
            Vector column = calls.get(i).column < 0 ? null : scan.columnAt(segment, calls.get(i).column);
            if (column != null) {
                of[i] = column;
            }
        }
        for (int r = 0; r < rows.count(); r++) {
            int row = segment.from() + rows.rows()[r];
            Cells group = group(by, row);
            for (int i = 0; i < of.length; i++) {
                if (calls.get(i).column < 0) {
                    group.longs[i]++;
                } else {
                    add(group, i, calls.get(i).function, of[i], row);
                }
            }
        }
    }

    private Cells group(Vector[] by, int row) {
        if (by.length == 1 && by[0].isLong() && !by[0].isNull(row)) {
            return byLong.computeIfAbsent(by[0].getLong(row), none -> new Cells(calls.size()));
        }
        Object[] values = new Object[by.length];
        for (int g = 0; g < by.length; g++) {
            if (!by[g].isNull(row)) {
                // Compared by content.
                values[g] = by[g].isLong() ? (Object) by[g].getLong(row) : new Bytes(by[g].getBytes(row));
            }
        }
        return cells.computeIfAbsent(new Key(Arrays.asList(values)), none -> new Cells(calls.size()));
    }

    private static void add(Cells cells, int i, Function function, Vector column, int row) {
        if (column.isNull(row)) {
            return;
        }
        switch (function) {
            case COUNT -> cells.longs[i]++;
            case SUM -> addExact(cells, i, column.getLong(row));
            case SUM_DOUBLE -> {
                Object sum = cells.others[i];
                cells.others[i] = (sum == null ? 0 : (Double) sum) + Doubles.of(column.getLong(row));
            }
            default -> {
                boolean least = function == Function.MIN;
                if (column.isLong()) {
                    keep(cells, i, column.getLong(row), least);
                } else {
                    Object before = cells.others[i];
                    int order = before == null ? 0 : column.compareBytes(row, (byte[]) before);
                    if (before == null || (least ? order < 0 : order > 0)) {
                        cells.others[i] = column.getBytes(row);
                    }
                }
            }
        }
        cells.any[i] = true;
    }

    private static void keep(Cells cells, int i, long value, boolean least) {
        if (!cells.any[i] || (least ? value < cells.longs[i] : value > cells.longs[i])) {
            cells.longs[i] = value;
        }
    }

    /** What does not fit a long is kept beside it. */
    private static void addExact(Cells cells, int i, long value) {
        long before = cells.longs[i];
        long sum = before + value;
        if (((before ^ sum) & (value ^ sum)) < 0) {
            Object rest = cells.others[i];
            cells.others[i] = (rest == null ? BigInteger.ZERO : (BigInteger) rest).add(BigInteger.valueOf(before));
            sum = value;
        }
        cells.longs[i] = sum;
    }

    /** Adds what another part has. */
    public void merge(Aggregation other) {
        Cells mine = single;
        Cells its = other.single;
        if (mine != null && its != null) {
            merge(mine, its);
        }
        other.byLong.forEach((key, more) -> merge(byLong.computeIfAbsent(key, none -> new Cells(calls.size())), more));
        other.cells.forEach((key, more) -> merge(cells.computeIfAbsent(key, none -> new Cells(calls.size())), more));
    }

    private void merge(Cells into, Cells from) {
        for (int i = 0; i < calls.size(); i++) {
            Function function = calls.get(i).function;
            Object other = from.others[i];
            if (function == Function.COUNT) {
                into.longs[i] += from.longs[i];
            } else if (from.any[i]) {
                merge(into, i, function, from.longs[i], other);
            }
        }
    }

    private static void merge(Cells into, int i, Function function, long value, @Nullable Object other) {
        Object mine = into.others[i];
        if (function == Function.SUM) {
            addExact(into, i, value);
            if (other != null) {
                Object rest = into.others[i];
                into.others[i] = (rest == null ? BigInteger.ZERO : (BigInteger) rest).add((BigInteger) other);
            }
        } else if (function == Function.SUM_DOUBLE && other != null) {
            into.others[i] = (mine == null ? 0 : (Double) mine) + (Double) other;
        } else if (other != null) {
            int order = mine == null ? 0 : Arrays.compareUnsigned((byte[]) other, (byte[]) mine);
            if (mine == null || (function == Function.MIN ? order < 0 : order > 0)) {
                into.others[i] = other;
            }
        } else {
            keep(into, i, value, function == Function.MIN);
        }
        into.any[i] = true;
    }

    /** Takes a row of the result. */
    @FunctionalInterface
    public interface Output {

        /**
         * Takes a group: its values, then one result for each call. They are Longs, bytes, Doubles (sums of doubles), BigIntegers
         * (other sums) or null.
         */
        void row(@Nullable Object[] values);
    }

    /** All groups. */
    public void results(Output output) {
        Cells all = single;
        if (all != null) {
            output.row(row(List.of(), all));
        }
        byLong.forEach((key, group) -> output.row(row(List.of(key), group)));
        cells.forEach((key, group) -> output.row(row(key.values, group)));
    }

    private @Nullable Object[] row(List<?> key, Cells group) {
        Object[] row = new Object[groups.length + calls.size()];
        for (int g = 0; g < groups.length; g++) {
            row[g] = key.get(g) instanceof Bytes bytes ? bytes.value : key.get(g);
        }
        for (int i = 0; i < calls.size(); i++) {
            row[groups.length + i] = result(group, i);
        }
        return row;
    }

    private @Nullable Object result(Cells group, int i) {
        Function function = calls.get(i).function;
        if (function == Function.COUNT) {
            return group.longs[i];
        }
        if (!group.any[i]) {
            return null;
        }
        if (function == Function.SUM) {
            Object rest = group.others[i];
            BigInteger sum = BigInteger.valueOf(group.longs[i]);
            return rest == null ? sum : sum.add((BigInteger) rest);
        }
        Object other = group.others[i];
        return other == null ? (Object) group.longs[i] : other;
    }
}
