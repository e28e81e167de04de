package io.leeway.lazytables;

import static java.util.Objects.requireNonNull;

import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.server.ClockTables;
import io.leeway.lazytables.internal.upkeep.TablesReader;
import io.leeway.lazytables.spi.CombineOp;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a run as they were at the end of a clock: with exactly the updates of that clock and of those before
 * it, of all processes. Servers store them every {@code lazytables.tables.clocks} clocks, beside their snapshots, and
 * go on; so a model can be looked at, or its objective be computed, while the run that makes it goes on, or afterwards.
 * Immutable; for any number of threads.
 */
public final class StoredTables {

    private final ClockTables stored;

    private StoredTables(ClockTables stored) {
        this.stored = stored;
    }

    /**
     * Reads those of the newest clock of which all servers have stored theirs.
     *
     * @param places what {@code lazytables.snapshot.directory} is of each server, in any order
     * @param ops operations of the program's own that tables use
     * @throws LazyTablesException if there is no such clock, or a place cannot be read
     */
    public static StoredTables newest(List<String> places, CombineOp... ops) {
        try (var reader = new TablesReader(places)) {
            return new StoredTables(reader.newest(CombineOps.of(List.of(ops))));
        }
    }

    /**
     * Reads those of a clock.
     *
     * @param places what {@code lazytables.snapshot.directory} is of each server, in any order
     * @param ops operations of the program's own that tables use
     * @throws LazyTablesException if a server has not stored them, or not any more, or a place cannot be read
     */
    public static StoredTables at(int clock, List<String> places, CombineOp... ops) {
        try (var reader = new TablesReader(places)) {
            return new StoredTables(reader.read(clock, CombineOps.of(List.of(ops))));
        }
    }

    /**
     * The clocks of which all servers have stored their tables.
     *
     * @param places what {@code lazytables.snapshot.directory} is of each server, in any order
     * @throws LazyTablesException if a place cannot be read
     */
    public static NavigableSet<Integer> clocks(List<String> places) {
        try (var reader = new TablesReader(places)) {
            return reader.clocks();
        }
    }

    /** The clock. */
    public int clock() {
        return stored.clock();
    }

    /** The names of the tables. */
    public Set<String> names() {
        return Set.copyOf(stored.tables().keySet());
    }

    /**
     * What a table is made of.
     *
     * @throws LazyTablesException if there is no table of this name
     */
    public TableSpec spec(String table) {
        return table(table).spec();
    }

    /**
     * How many rows of a table were written.
     *
     * @throws LazyTablesException if there is no table of this name
     */
    public int rows(String table) {
        return table(table).rows().size();
    }

    /**
     * A row; null if nobody wrote it.
     *
     * @throws LazyTablesException if there is no table of this name
     */
    public @Nullable RowView row(String table, long key) {
        Row row = table(table).rows().get(key);
        return row == null
                ? null
                : new StoredRow(table, key, clock(), spec(table).columns(), row);
    }

    /**
     * Passes all rows of a table that were written; those with keys below 65,536 in their order.
     *
     * @throws LazyTablesException if there is no table of this name
     */
    public void forEachRow(String table, Consumer<? super RowView> action) {
        ClockTables.OfTable of = table(table);
        of.rows()
                .forEach((key, row) -> action.accept(
                        new StoredRow(table, key, clock(), of.spec().columns(), row)));
    }

    private ClockTables.OfTable table(String name) {
        ClockTables.OfTable table = stored.tables().get(requireNonNull(name, "name"));
        if (table == null) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_ARGUMENT,
                    "There is no table " + name + "; there are "
                            + stored.tables().keySet());
        }
        return table;
    }

    private record StoredRow(String table, long key, int dataClock, int width, Row row) implements RowView {

        @Override
        public double radius() {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public double get(int column) {
            checkColumn(column);
            return row.getDouble(column);
        }

        @Override
        public long getLong(int column) {
            checkColumn(column);
            return row.getLong(column);
        }

        @Override
        public int entries() {
            return row.entries();
        }

        @Override
        public int[] filledColumns() {
            return row.filledColumns();
        }

        @Override
        public int columnAt(int entry) {
            checkEntry(entry);
            return row.columnAt(entry);
        }

        @Override
        public double valueAt(int entry) {
            checkEntry(entry);
            return row.doubleAt(entry);
        }

        @Override
        public long longAt(int entry) {
            checkEntry(entry);
            return row.longAt(entry);
        }

        private void checkEntry(int entry) {
            if (entry < 0 || entry >= row.entries()) {
                throw LazyTablesException.of(
                        LazyTablesException.Code.OUT_OF_RANGE,
                        "Row " + key + " of table " + table + " holds " + row.entries()
                                + " cells, so there is none of number " + entry + ": go from 0 to entries() - 1");
            }
        }

        @Override
        public void copyTo(double[] target) {
            row.copyTo(target, table, key);
        }

        private void checkColumn(int column) {
            if (column < 0 || column >= width) {
                throw LazyTablesException.of(
                        LazyTablesException.Code.OUT_OF_RANGE,
                        "Table " + table + " has columns 0 to " + (width - 1) + ", not " + column);
            }
        }
    }
}
