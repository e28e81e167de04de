package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.Reference;
import io.leeway.lazybase.internal.model.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects updates of one kind for one table. A row that fails is taken back, so that those before it can go on. For one thread. */
public final class RowBuilder {

    private static final int FIRST = 64;

    private final Table table;
    private final List<Column> columns;
    private final boolean[] adds;
    private final VectorBuilder[] builders;
    private final byte flag;
    private int rows;
    private int next;

    private RowBuilder(Table table, List<Column> columns, boolean[] adds, byte flag) {
        this.table = table;
        this.columns = columns;
        this.adds = adds;
        this.flag = flag;
        this.builders = new VectorBuilder[columns.size()];
        for (int c = 0; c < builders.length; c++) {
            builders[c] = new VectorBuilder(columns.get(c).type().isLong(), FIRST);
        }
    }

    /**
     * For rows of some columns.
     *
     * @param names of the columns; empty for all
     * @param flag {@link Batch#PUT}, {@link Batch#PATCH} or {@link Batch#DELETE}
     * @param adds names of columns that are added to
     */
    public static RowBuilder of(Table table, List<String> names, byte flag, List<String> adds) {
        var columns = new ArrayList<Column>();
        for (String name : names) {
            Column column = table.given(name);
            if (column == null) {
                throw new LazyBaseException(Code.NO_COLUMN, "Table " + table.name() + " has no column " + name + ".");
            }
            if (columns.contains(column)) {
                throw new LazyBaseException(Code.SYNTAX, "Column " + name + " is given twice.");
            }
            columns.add(column);
        }
        if (names.isEmpty()) {
            columns.addAll(table.columns());
            columns.removeIf(column -> column.id() == table.identity());
        }
        checkIds(table, columns, flag);
        boolean[] isAdded = new boolean[columns.size()];
        for (int c = 0; c < isAdded.length; c++) {
            isAdded[c] = adds.contains(columns.get(c).name());
            if (isAdded[c]
                    && (!columns.get(c).type().isAddable()
                            || table.isKey(columns.get(c).id()))) {
                throw new LazyBaseException(
                        Code.UNSUPPORTED,
                        "Column " + columns.get(c).name() + " cannot be added to: only whole and decimal numbers"
                                + " outside of the key can.");
            }
        }
        checkComplete(table, columns, flag);
        return new RowBuilder(table, columns, isAdded, flag);
    }

    /** A natural key comes whole, or its id does; ids are given by the pipeline, and stay. */
    private static void checkIds(Table table, List<Column> columns, byte flag) {
        if (table.identity() != 0
                && (flag != Batch.PUT || columns.stream().anyMatch(column -> column.id() == table.identity()))) {
            throw new LazyBaseException(
                    Code.UNSUPPORTED, "Table " + table.name() + " takes keys only: it gives their ids, which stay.");
        }
        for (Reference reference : table.references()) {
            long parts = columns.stream()
                    .filter(column -> Reference.columnOf(column.id()) == reference.column())
                    .count();
            boolean itself = columns.stream().anyMatch(column -> column.id() == reference.column());
            if (parts > 0 && (itself || parts < reference.key().size())) {
                throw new LazyBaseException(
                        Code.NOT_NULL,
                        "Column " + table.columnOf(reference.column()).name()
                                + " gets its id, or every part of the key, not something of both.");
            }
        }
    }

    private static void checkComplete(Table table, List<Column> columns, byte flag) {
        for (Column column : table.columns()) {
            boolean needed = table.isKey(column.id()) || (flag == Batch.PUT && column.notNull());
            boolean byKey = columns.stream().anyMatch(given -> Reference.columnOf(given.id()) == column.id());
            if (needed && !byKey && !columns.contains(column)) {
                throw new LazyBaseException(Code.NOT_NULL, "Column " + column.name() + " got no value.");
            }
        }
    }

    /** The table. */
    public Table table() {
        return table;
    }

    /** The columns of a row. */
    public List<Column> columns() {
        return columns;
    }

    /** The next value of the row, as Calcite or a driver has it. */
    public void add(@Nullable Object value) {
        Column column = columns.get(next);
        checkKey(column, value == null);
        Object given = value instanceof String text && !column.type().isText() ? Values.parse(column, text) : value;
        if (adds[next] && given != null) {
            builders[next].addDelta(Values.stored(column, given));
        } else {
            Values.append(column, builders[next], given);
        }
        next++;
    }

    /** The next value of the row, as text in UTF-8. */
    public void addText(byte[] bytes, int from, int to) {
        if (adds[next]) {
            add(new String(bytes, from, to - from, StandardCharsets.UTF_8));
            return;
        }
        Values.appendText(columns.get(next), builders[next], bytes, from, to);
        next++;
    }

    /** The next value of the row as it is stored. */
    public void addStored(long value) {
        builders[next++].addLong(value);
    }

    private void checkKey(Column column, boolean missing) {
        if (missing && table.isKey(column.id())) {
            throw new LazyBaseException(Code.NOT_NULL, "Column " + column.name() + " of the key got no value.");
        }
    }

    /** Ends a row. */
    public void endRow() {
        if (next != columns.size()) {
            throw new LazyBaseException(
                    Code.BAD_VALUE, "A row has " + next + " values instead of " + columns.size() + ".");
        }
        next = 0;
        rows++;
    }

    /** Forgets the row that was begun. */
    public void cancelRow() {
        for (VectorBuilder builder : builders) {
            builder.truncate(Math.min(builder.size(), rows));
        }
        next = 0;
    }

    /** Rows so far. */
    public int rows() {
        return rows;
    }

    /** Bytes so far, about. */
    public long bytes() {
        long sum = 0;
        for (VectorBuilder builder : builders) {
            sum += builder.weight();
        }
        return sum;
    }

    /** What was collected; the builder is empty afterwards. */
    public Batch build() {
        int[] ids = new int[builders.length];
        Vector[] vectors = new Vector[builders.length];
        for (int c = 0; c < ids.length; c++) {
            ids[c] = columns.get(c).id();
            vectors[c] = builders[c].build();
        }
        byte[] flags = null;
        if (flag != Batch.PUT) {
            flags = new byte[rows];
            Arrays.fill(flags, flag);
        }
        var batch = new Batch(rows, flags, ids, vectors);
        rows = 0;
        return batch;
    }
}
