package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Combine;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowMap;
import io.leeway.lazytables.internal.row.Shards;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A table in a client process, with the rows that the process has read. */
public final class ClientTable {

    /*
     * Rows of strict tables are kept by the clock that they were asked for: the answer holds exactly that clock, so for
     * a worker at another clock it is another row. Of other tables there is one row, which only gets newer, and a
     * worker that needs less takes it as well.
     *
     * What is checked here is checked before anything changes, and says what was given and what may be; the core behind
     * it relies on it (columns are used as places of arrays). Fields of the specification are copied next to each
     * other: they are looked at for each update, and the way over the specification is a load more for each.
     */

    final int id;
    final String name;
    final TableSpec spec;

    // Of the specification, near at hand.
    final int columns;
    final boolean integral;
    final boolean strict;
    final boolean adds;
    /**
     * Whether updates have to be combined in one order whatever was in a cache when: strict tables promise the same
     * bits in every run, and operations on floating point numbers are associative only nearly.
     */
    final boolean ordered;
    /**
     * Whether values may be given that the cells do not hold: integers of 64 bits to cells of 32, or numbers that are
     * too large or none.
     */
    final boolean narrow;

    private final double mostValue;

    /** Answers to reads within a radius. */
    final BallRows balls = new BallRows();

    /**
     * So many increments of a cell in one clock may be added up without leaving what the type holds, so that each can
     * be taken back.
     */
    private static final double SUMMANDS = 0x1p32;

    private final int nameHash;
    private final RowMap<ProcessRow> rows = new RowMap<>();
    /** Strict tables: rows by the clock of which they hold exactly what was written. */
    private final Int2ObjectOpenHashMap<Long2ObjectOpenHashMap<ProcessRow>> rowsByClock = new Int2ObjectOpenHashMap<>();

    ClientTable(int id, String name, TableSpec spec) {
        this.id = id;
        this.name = name;
        this.spec = spec;
        // Integers are associative: their sums are the same in any order, so strict tables of them need no care.
        integral = spec.type().integral();
        strict = spec.strict();
        ordered = strict && !integral;
        columns = spec.columns();
        adds = spec.op() == Combine.ADD;
        nameHash = name.hashCode();
        boolean limited = spec.maxStep() > 0;
        // Only where a value could be refused; LONG and DOUBLE without a limit take all that the methods take.
        narrow = spec.type() == CellType.INT || spec.type() == CellType.FLOAT || limited && !integral;
        double most = spec.type() == CellType.FLOAT ? Float.MAX_VALUE : Double.MAX_VALUE;
        // A step that is too long is refused at the clock, and must be taken back by increments then. In an infinite
        // cell that could not be done.
        mostValue = limited ? most / SUMMANDS : most;
    }

    /** Refuses a value that the table's cells do not hold; to be called where {@link #narrow}. */
    void checkValue(long value) {
        if (spec.type() == CellType.INT && value != (int) value) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.WRONG_TYPE,
                    "Table " + name + " holds integers of 32 bits, not " + value + ": use a table of LONG");
        }
    }

    /** Refuses a value that the table's cells do not hold; to be called where {@link #narrow}. */
    void checkValue(double value) {
        if (Math.abs(value) <= mostValue) {
            return;
        }
        if (spec.maxStep() > 0) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_ARGUMENT,
                    "An increment of " + value + " cannot be taken back, as steps of table " + name
                            + " that are too long must be: give numbers up to " + mostValue);
        }
        // Infinity is a value of both types, as is what is no number.
        if (Double.isFinite(value) && Float.isInfinite((float) value)) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.WRONG_TYPE,
                    "Table " + name + " holds numbers of 32 bits, and " + value + " is too large for them: use a table"
                            + " of DOUBLE");
        }
    }

    void checkValues(long[] values) {
        for (long value : values) {
            checkValue(value);
        }
    }

    void checkValues(double[] values) {
        for (double value : values) {
            checkValue(value);
        }
    }

    public int id() {
        return id;
    }

    public String name() {
        return name;
    }

    public TableSpec spec() {
        return spec;
    }

    void checkColumn(int column) {
        if (column < 0 || column >= columns) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.OUT_OF_RANGE,
                    "Table " + name + " has columns 0 to " + (spec.columns() - 1) + ", not " + column);
        }
    }

    /** Checks columns for as many values; says whether each is greater than the one before it. */
    boolean checkColumns(int[] listed, int values) {
        if (listed.length != values) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_ARGUMENT,
                    "There are " + listed.length + " columns for " + values + " values: give one for each");
        }
        boolean ascend = true;
        int before = -1;
        for (int column : listed) {
            checkColumn(column);
            ascend &= column > before;
            before = column;
        }
        return ascend;
    }

    void checkKey(long key) {
        if (key < 0 || key >= spec.rows()) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.OUT_OF_RANGE,
                    "Table " + name + " has rows 0 to " + (spec.rows() - 1) + ", not " + key);
        }
    }

    /**
     * The place of the server that has the row. All processes must come to the same, whatever release they are of, and
     * servers hold what was sent to them.
     */
    int server(long key, int servers) {
        return Shards.server(nameHash, key, servers);
    }

    /** The row as one with the required clock is kept, or null. */
    @Nullable
    ProcessRow find(long key, int required) {
        // The hot case, without a second map.
        if (!strict) {
            return rows.get(key);
        }
        Long2ObjectOpenHashMap<ProcessRow> ofClock = rowsByClock.get(required);
        return ofClock == null ? null : ofClock.get(key);
    }

    /**
     * The row as one with the required clock is kept, which is new if there was none. A row without values counts for
     * the cache's limit, too, so that asking ahead for many makes room like reading them.
     */
    ProcessRow findOrAdd(long key, int required, int servers) {
        ProcessRow row = find(key, required);
        if (row == null) {
            row = new ProcessRow(this, key, server(key, servers));
            add(row, required);
        }
        return row;
    }

    /** The rows from this one on are about to be used, see {@link Row#approach}. */
    long approach(long from) {
        long sum = 0;
        for (long key = from; key < from + Row.AT_ONCE && !strict; key++) {
            ProcessRow row = rows.get(key);
            sum += row == null ? 0 : row.approach();
        }
        return sum;
    }

    private void add(ProcessRow row, int required) {
        if (strict) {
            rowsByClock
                    .computeIfAbsent(required, clock -> new Long2ObjectOpenHashMap<>())
                    .put(row.key, row);
        } else {
            rows.put(row.key, row);
        }
    }

    int size() {
        return rows.size() + balls.size();
    }

    /**
     * Drops rows that were used before this clock and that nobody waits for, and passes those that it drops of rows
     * read by clock; at most so many. Returns how many went.
     */
    int dropUsedBefore(int clock, int most, Consumer<ProcessRow> dropped) {
        int rowsDropped = rows.removeIf(most, row -> {
            // A row that is asked for stays: a worker may wait for its answer, and would wait for ever.
            boolean goes = row.usedAt < clock && !row.isAsked();
            if (goes) {
                dropped.accept(row);
            }
            return goes;
        });
        return rowsDropped + balls.dropUsedBefore(clock, most - rowsDropped);
    }

    /** Drops rows that no worker will read again, and passes them. */
    void processReached(int clock, Consumer<ProcessRow> dropped) {
        if (strict) {
            rowsByClock.int2ObjectEntrySet().removeIf(kept -> {
                // No worker of the process is behind the process's clock, and none may read with more slack than the
                // table's.
                boolean old = kept.getIntKey() < clock - spec.slack();
                if (old) {
                    kept.getValue().values().forEach(dropped);
                }
                return old;
            });
        }
    }
}
