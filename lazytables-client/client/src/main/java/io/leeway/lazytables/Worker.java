package io.leeway.lazytables;

import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.client.WorkerCore;
import io.leeway.lazytables.internal.process.ClientProcess;

/**
 * A thread's access to the tables: it reads rows, updates cells and says when a round of work, a clock, is over. Not
 * thread-safe: one thread uses it at a time.
 *
 * <p><b>Clocks.</b> A worker starts at clock 0 and completes one with each {@link #clock()}. All workers of all
 * processes complete about as many; one that is done before the others {@linkplain #end() ends}. With
 * {@code lazytables.resume} a worker starts at the last clock of the process that ended, or where the others are:
 * {@link #clocks()} says at which.
 *
 * <p><b>Staleness.</b> A read with slack s, by a worker that has completed c clocks, holds every update that any worker
 * made in its clocks up to c - s, and perhaps newer ones. It waits while some worker has not completed that many, up to
 * the instance's time limit. Slack 0 is bulk-synchronous: all that was done before this clock, and what faster workers
 * did since if it has come; without that, as in the textbook, in a {@linkplain TableSpec#asStrict() strict} table.
 * {@link TableSpec#ASYNC} waits for nobody. A read that cannot be as fresh as it must ends in an exception and never in
 * older data.
 *
 * <p><b>Own writes</b> show in the worker's reads at once. Others see them, at the latest, as their slack says; they
 * leave the process when all its workers have completed the clock in which they were made.
 *
 * <p>Updates of tables of int and long take long, those of float and double both.
 */
public final class Worker {

    private final LazyTables owner;
    private final ClientProcess process;
    private final WorkerCore core;

    Worker(LazyTables owner, ClientProcess process, WorkerCore core) {
        this.owner = owner;
        this.process = process;
        this.core = core;
    }

    /** The worker's number in its process. */
    public int index() {
        return core.index();
    }

    /** The number of clocks that this worker has completed. */
    public int clocks() {
        return core.clock();
    }

    /** Reads a row with the table's slack. */
    public RowView read(Table table, long row) {
        return read(table, row, table.spec().slack());
    }

    /** Reads a row that holds all updates of clocks up to {@link #clocks()} - slack. */
    public RowView read(Table table, long row, int slack) {
        ClientTable inner = inner(table);
        if (slack < 0 || inner.spec().strict() && slack > inner.spec().slack()) {
            throw badSlack(table, slack);
        }
        RowView cached = core.cached(inner, row, core.required(slack));
        return cached != null ? cached : process.read(core, inner, row, slack);
    }

    /**
     * Reads a row of a table with {@linkplain TableSpec#maxStep(double) limited steps} by how far it may be off instead
     * of by clocks. With c for {@link #clocks()}, what is returned is no further (Euclidean length, but for rounding)
     * than the radius from what the row will be when every worker has completed clock c and none has gone on, with this
     * worker's own updates since then on top of both. It lacks as many clocks of other workers, whoever is late, as
     * their steps fit into the radius, and newer ones count likewise; it waits until that is so. With radius 0 it holds
     * exactly the clocks up to c, with a larger one perhaps less than an earlier read that allowed for newer updates.
     * {@link RowView#radius()} says how far it may be off at most.
     */
    public RowView readWithin(Table table, long row, double radius) {
        ClientTable inner = inner(table);
        WorkerCore.checkRadius(inner, radius);
        RowView cached = core.cachedWithin(inner, row, radius);
        return cached != null ? cached : process.readWithin(core, inner, row, radius);
    }

    /** Reads a cell with the table's slack. */
    public double get(Table table, long row, int column) {
        return read(table, row, table.spec().slack()).get(column);
    }

    /** Reads a cell. */
    public double get(Table table, long row, int column, int slack) {
        return read(table, row, slack).get(column);
    }

    /** Reads a cell of a table of int or long with the table's slack. */
    public long getLong(Table table, long row, int column) {
        return read(table, row, table.spec().slack()).getLong(column);
    }

    /** Reads a cell of a table of int or long. */
    public long getLong(Table table, long row, int column, int slack) {
        return read(table, row, slack).getLong(column);
    }

    /** Adds to a cell of a table whose operation is {@link Combine#ADD}. */
    public void increment(Table table, long row, int column, double delta) {
        ClientTable inner = inner(table);
        WorkerCore.checkAdds(inner);
        core.updateDouble(inner, row, column, delta);
    }

    /** Adds to a cell of a table whose operation is {@link Combine#ADD}. */
    public void increment(Table table, long row, int column, long delta) {
        ClientTable inner = inner(table);
        WorkerCore.checkAdds(inner);
        core.updateLong(inner, row, column, delta);
    }

    /** Adds to all cells of a dense row of a table whose operation is {@link Combine#ADD}. */
    public void incrementRow(Table table, long row, double[] deltas) {
        ClientTable inner = inner(table);
        WorkerCore.checkAdds(inner);
        core.updateRow(inner, row, deltas);
    }

    /** Adds to all cells of a dense row of a table whose operation is {@link Combine#ADD}. */
    public void incrementRow(Table table, long row, long[] deltas) {
        ClientTable inner = inner(table);
        WorkerCore.checkAdds(inner);
        core.updateRow(inner, row, deltas);
    }

    /**
     * Adds to some cells of a row of a table whose operation is {@link Combine#ADD}: each delta to the column at its
     * place. The fastest way to update many cells of a sparse row, most of all if columns ascend; one that comes twice
     * is added to twice. Either all is done or, if a column or the row is out of range, nothing.
     */
    public void increment(Table table, long row, int[] columns, double[] deltas) {
        ClientTable inner = inner(table);
        WorkerCore.checkAdds(inner);
        core.updateCells(inner, row, columns, deltas);
    }

    /** Adds to some cells, as {@link #increment(Table, long, int[], double[])} does. */
    public void increment(Table table, long row, int[] columns, long[] deltas) {
        ClientTable inner = inner(table);
        WorkerCore.checkAdds(inner);
        core.updateCells(inner, row, columns, deltas);
    }

    /**
     * Combines some cells of a row with values, by the table's operation, as {@link #increment(Table, long, int[],
     * double[])} does.
     */
    public void update(Table table, long row, int[] columns, double[] values) {
        core.updateCells(inner(table), row, columns, values);
    }

    /**
     * Combines some cells of a row with values, by the table's operation, as {@link #increment(Table, long, int[],
     * double[])} does.
     */
    public void update(Table table, long row, int[] columns, long[] values) {
        core.updateCells(inner(table), row, columns, values);
    }

    /** Combines a cell with a value, by the table's operation. */
    public void update(Table table, long row, int column, double value) {
        core.updateDouble(inner(table), row, column, value);
    }

    /** Combines a cell with a value, by the table's operation. */
    public void update(Table table, long row, int column, long value) {
        core.updateLong(inner(table), row, column, value);
    }

    /** Combines all cells of a dense row with values, by the table's operation. */
    public void updateRow(Table table, long row, double[] values) {
        core.updateRow(inner(table), row, values);
    }

    /** Combines all cells of a dense row with values, by the table's operation. */
    public void updateRow(Table table, long row, long[] values) {
        core.updateRow(inner(table), row, values);
    }

    /**
     * Sets a cell. Follows this worker's earlier updates of it and comes before its later ones; against those of other
     * workers it comes when it reaches the server, so cells that several set have no certain value until they stop.
     */
    public void put(Table table, long row, int column, double value) {
        core.putDouble(inner(table), row, column, value);
    }

    /** Sets a cell of a table of int or long, as {@link #put(Table, long, int, double)} does. */
    public void put(Table table, long row, int column, long value) {
        core.putLong(inner(table), row, column, value);
    }

    /**
     * Asks for a row ahead of a read with this slack, without waiting. In a strict table it asks for what such a read
     * would need now.
     */
    public void refresh(Table table, long row, int slack, Refresh how) {
        refresh(table, new long[] {row}, slack, how);
    }

    /**
     * Asks for many rows as {@link #refresh(Table, long, int, Refresh)} does for one, for little more than the cost of
     * one. When many thousands are under way already, others are not asked for.
     */
    public void refresh(Table table, long[] rows, int slack, Refresh how) {
        ClientTable inner = inner(table);
        if (slack < 0 || inner.spec().strict() && slack > inner.spec().slack()) {
            throw badSlack(table, slack);
        }
        core.checkGoesOn();
        int required = core.required(slack);
        boolean fresher = how == Refresh.AGGRESSIVE && !inner.spec().strict();
        process.refresh(inner, rows, required, fresher ? core.clock() : required);
    }

    /**
     * Completes a clock: what this worker did since the last one may be seen by others from now on. Waits, up to the
     * instance's time limit, while more than {@code lazytables.kept.limit} is kept for servers that have not stored it,
     * and, if this worker is ahead of others of its process, for these; the clock is completed in any case.
     *
     * <p>An operation of the program's own that throws here ends the instance: a part of the clock is lost.
     *
     * @throws LazyTablesException with code {@link LazyTablesException.Code#STEP_TOO_LONG} if the worker moved a row
     *     further than its table allows; the clock is not completed and nothing is lost, so that the worker can take
     *     part of it back and try again
     */
    public void clock() {
        process.clock(core);
    }

    /**
     * Ends this worker, which completes no more clocks: from now on neither its process nor any other waits for it, and
     * it counts as having done nothing in the clocks to come. What it completed stays and is seen as ever; what it did
     * since its last clock becomes one more. As ever, what it did in clocks that others of its process have not
     * completed leaves the process when they have, or have ended, too; it is lost if the instance is closed before.
     * When all workers of a process have ended, other processes go on without it, and it is still to be closed. Waits
     * for nobody; a second time does nothing.
     *
     * <p>To be called by a worker that returns before the others, or by nobody at all in a process that needs fewer
     * workers than it has: whether a thread that ended was done or failed, LazyTables cannot know, so that the others
     * would wait for it up to their time limit. Reads, updates and clocks of a worker that has ended are refused.
     *
     * @throws LazyTablesException with code {@link LazyTablesException.Code#STEP_TOO_LONG} as {@link #clock()} does;
     *     the worker has not ended then
     */
    public void end() {
        process.end(core);
    }

    /** The time up to this worker's last clock in which it did not wait. */
    long computeNanos() {
        return core.counters().computeNanos();
    }

    /** The time up to this worker's last clock in which its reads and clocks waited. */
    long waitNanos() {
        return core.counters().waitNanos();
    }

    private ClientTable inner(Table table) {
        if (owner.isOver()) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.CLOSED,
                    "This instance was closed: what its workers do now would be lost, and what they read is old");
        }
        if (table.owner != owner) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.MISUSED,
                    "Table " + table.name() + " is of another instance than the worker");
        }
        return table.inner;
    }

    private static LazyTablesException badSlack(Table table, int slack) {
        return LazyTablesException.of(
                LazyTablesException.Code.BAD_ARGUMENT,
                "A slack of " + slack + " cannot be had: choose 0 or more"
                        + (table.spec().strict()
                                ? ", up to " + table.spec().slack() + ", since table " + table.name() + " is strict"
                                : ""));
    }
}
