package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A row in a worker's own cache, with what the worker did to it since its last clock. Used by the worker's thread, without locks. */
final class CachedRow implements RowView {

    private static final Row NOT_READ = new Row(TableSpec.sparse(CellType.DOUBLE));

    final ClientTable table;
    final long key;

    /** Holds the worker's updates, too. */
    Row values = NOT_READ;

    /** What this worker did since its last clock, which is in no shared cache yet. */
    @Nullable
    RowLog log;

    int dataClock = ProcessRow.NOTHING;
    /** The version of the shared row that the values were copied from. */
    long version = -1;
    /** The worker's clock in which the shared cache was looked at last. */
    int checkedAt = -1;

    /** The worker's clock in which the values were read within a radius; {@link ProcessRow#NOTHING} if they were not. */
    private int ballAt = ProcessRow.NOTHING;

    private int ballDataClock;
    private double radius = Double.POSITIVE_INFINITY;

    CachedRow(ClientTable table, long key) {
        this.table = table;
        this.key = key;
    }

    boolean wasRead() {
        return values != NOT_READ;
    }

    /** Whether the values are good for a read within this radius at this clock. */
    boolean isWithin(int clock, double allowed) {
        return ballAt == clock && radius <= allowed;
    }

    /** Takes note that the values were read within a radius; for other reads they are good no more. */
    void tookBall(int clock, int held, double within) {
        ballAt = clock;
        ballDataClock = held;
        radius = within;
        checkedAt = clock;
        dataClock = ProcessRow.NOTHING;
        version = -1;
    }

    /** Takes note that the values were copied from the shared row. */
    void tookShared() {
        ballAt = ProcessRow.NOTHING;
        radius = Double.POSITIVE_INFINITY;
    }

    Row writable() {
        Row row = values;
        if (row == NOT_READ) {
            row = new Row(table.spec);
            values = row;
        }
        return row;
    }

    /** The row that an update must also change, so that reads see it; null if the worker has not read it. */
    @Nullable
    Row seen() {
        return values == NOT_READ ? null : values;
    }

    @Override
    public long key() {
        return key;
    }

    @Override
    public int dataClock() {
        return ballAt == ProcessRow.NOTHING ? dataClock : ballDataClock;
    }

    @Override
    public double radius() {
        return radius;
    }

    @Override
    public double get(int column) {
        table.checkColumn(column);
        return values.getDouble(column);
    }

    @Override
    public long getLong(int column) {
        table.checkColumn(column);
        return values.getLong(column);
    }

    @Override
    public int entries() {
        return values.entries();
    }

    @Override
    public int columnAt(int entry) {
        return values.columnAt(entry);
    }

    @Override
    public double valueAt(int entry) {
        return values.doubleAt(entry);
    }

    @Override
    public long longAt(int entry) {
        return values.longAt(entry);
    }

    @Override
    public void copyTo(double[] target) {
        TableSpec spec = table.spec;
        if (spec.sparse()) {
            Arrays.fill(target, values.identityDouble());
        } else if (target.length < spec.columns()) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.OUT_OF_RANGE,
                    "A row of table " + table.name + " has " + spec.columns() + " columns; the array has "
                            + target.length);
        }
        for (int i = 0; i < values.entries(); i++) {
            int column = values.columnAt(i);
            if (column >= target.length) {
                throw LazyTablesException.of(
                        LazyTablesException.Code.OUT_OF_RANGE,
                        "Row " + key + " of table " + table.name + " has a value in column " + column
                                + "; the array ends at " + target.length);
            }
            target[column] = values.doubleAt(i);
        }
    }
}
