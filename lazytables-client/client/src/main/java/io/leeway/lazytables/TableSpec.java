package io.leeway.lazytables;

import static java.util.Objects.requireNonNull;

import io.leeway.lazytables.spi.CombineOp;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a table is made of. Every process that uses a table defines it with an equal specification; a server refuses one
 * that differs.
 *
 * @param type what a cell holds
 * @param columns the number of columns of a dense row; for sparse rows the number that columns stay below
 * @param sparse whether rows hold only the cells that were written
 * @param rows the number that row keys stay below
 * @param op how updates are combined
 * @param slack the slack of reads that do not name one, see {@link Worker#read(Table, long, int)}
 * @param strict whether reads see nothing newer than they must, see {@link #asStrict()}
 * @param maxStep how far a worker may move a row in one clock, see {@link #maxStep(double)}; 0 for any distance
 */
public record TableSpec(
        CellType type,
        int columns,
        boolean sparse,
        long rows,
        CombineOp op,
        int slack,
        boolean strict,
        double maxStep) {

    /**
     * The slack of reads that never wait for other workers: they get what the process has, and the first one of a row
     * in a clock asks for what there is now, for later ones. How stale a row is then has no bound.
     */
    public static final int ASYNC = Integer.MAX_VALUE;

    /** Between these, squares of steps are numbers of type double. */
    private static final double LEAST_STEP = 1e-150;

    private static final double MOST_STEP = 1e150;

    /** The most columns that a dense row may have. */
    public static final int MAX_DENSE_COLUMNS = 1 << 24;

    /** Checks that the parts make sense together. */
    public TableSpec {
        requireNonNull(type, "type");
        requireNonNull(op, "op");
        if (columns < 1 || !sparse && columns > MAX_DENSE_COLUMNS) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_TABLE,
                    "A table cannot have " + columns + " columns: choose 1 to "
                            + (sparse ? Integer.MAX_VALUE : MAX_DENSE_COLUMNS + ", or sparse rows"));
        }
        if (rows < 1) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_TABLE, "A table cannot have " + rows + " rows: choose 1 or more");
        }
        if (slack < 0) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_TABLE,
                    "A slack cannot be negative, as " + slack + " is: choose 0 (BSP) or more");
        }
        if (strict && slack == ASYNC) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_TABLE,
                    "A strict table needs a slack that is not ASYNC: what was written after it is kept apart");
        }
        if (maxStep != 0) {
            checkStep(op, strict, maxStep);
        }
    }

    /** A table whose rows hold all their columns. */
    public static TableSpec dense(CellType type, int columns) {
        return new TableSpec(type, columns, false, Long.MAX_VALUE, Combine.ADD, 0, false, 0);
    }

    /** A table whose rows hold the cells that were written. */
    public static TableSpec sparse(CellType type) {
        return new TableSpec(type, Integer.MAX_VALUE, true, Long.MAX_VALUE, Combine.ADD, 0, false, 0);
    }

    /** The same with another way to combine updates; {@link Combine#ADD} if none is chosen. */
    public TableSpec op(CombineOp combine) {
        return new TableSpec(type, columns, sparse, rows, combine, slack, strict, maxStep);
    }

    /** The same with keys of rows limited to 0 (included) to this number (excluded). */
    public TableSpec rows(long limit) {
        return new TableSpec(type, columns, sparse, limit, op, slack, strict, maxStep);
    }

    /** The same with another slack of reads that do not name one; 0 if none is chosen. */
    public TableSpec slack(int clocks) {
        return new TableSpec(type, columns, sparse, rows, op, clocks, strict, maxStep);
    }

    /**
     * The same with reads that see of other workers exactly what they must see and nothing newer, so that runs with the
     * same input give the same results to the last bit. Costs memory at the servers and freshness; the table's slack is
     * then the largest that a read may have.
     */
    public TableSpec asStrict() {
        return new TableSpec(type, columns, sparse, rows, op, slack, true, maxStep);
    }

    /**
     * The same with a limit to the step that a worker may take in one clock: the Euclidean length of what it adds to a
     * row, all its increments together. A clock with a longer step is refused. With the limit servers know how far a
     * row can be from what it will be, so {@link Worker#readWithin} can be used; they keep what was written after the
     * global clock apart for it, which costs memory and a copy at each read. Only for tables whose updates are added,
     * and that are not strict; cells cannot be put.
     */
    public TableSpec maxStep(double length) {
        if (length == 0) {
            throw badStep(length);
        }
        return new TableSpec(type, columns, sparse, rows, op, slack, strict, length);
    }

    /**
     * Operations of the same name count as one, as they do for servers; those of programs mostly do not say when they
     * are equal.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TableSpec that
                && type == that.type
                && columns == that.columns
                && sparse == that.sparse
                && rows == that.rows
                && op.name().equals(that.op.name())
                && slack == that.slack
                && strict == that.strict
                && maxStep == that.maxStep;
    }

    @Override
    public int hashCode() {
        return Objects.hash(type, columns, sparse, rows, op.name(), slack, strict, maxStep);
    }

    private static void checkStep(CombineOp op, boolean strict, double step) {
        if (!(step >= LEAST_STEP && step <= MOST_STEP)) {
            throw badStep(step);
        }
        if (op != Combine.ADD) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_TABLE,
                    "Steps of a table with operation " + op.name()
                            + " have no length that could be limited: only those of ADD have");
        }
        if (strict) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_TABLE,
                    "A table with a limit to steps cannot be strict: what a read within a radius sees depends on the run");
        }
    }

    private static LazyTablesException badStep(double step) {
        return LazyTablesException.of(
                LazyTablesException.Code.BAD_TABLE,
                "Steps cannot be limited to " + step + ": choose " + LEAST_STEP + " to " + MOST_STEP);
    }
}
