package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads within a radius, in a client process.
 *
 * <p>A worker that has completed n clocks reads a row no further than a radius from what it will be when all workers
 * have completed n clocks, and none more, with the worker's own later updates on both sides. No worker moves a row
 * further than the table's limit in a clock. So the distance is at most the limit times the clocks up to n that the row
 * does not hold, of all workers, and those behind n that it does hold.
 *
 * <p>A kept answer holds this process's clocks up to the process's clock, which is n at most. For a reader the later
 * ones up to n are added, as far as workers have completed them. So of its own process only clocks that are not
 * completed are missing; an {@linkplain BallRow#apart answer} says how many of others'.
 */
final class BallReads {

    /** More clocks than this may be missing only if any number may. */
    private static final double MOST = 1L << 52;

    private final List<WorkerCore> workers;
    private final List<@Nullable WorkerLog[]> unsent;

    /** Reads for workers whose logs, of clocks that the process has not completed, are in the list. */
    BallReads(List<WorkerCore> workers, List<@Nullable WorkerLog[]> unsent) {
        this.workers = workers;
        this.unsent = unsent;
    }

    /** The row, or null if the server, or workers of this process, are not so far; the server is asked then. */
    @Nullable
    CachedRow read(WorkerCore worker, CachedRow row, double radius, ServerLink link, int processClock) {
        int clock = worker.clock;
        if (row.isWithin(clock, radius)) {
            return row;
        }
        double step = row.table.spec.maxStep();
        long here = missingHere(clock);
        long allowed = clocksWithin(radius, step) - here;
        // Workers of this process alone are too far behind: no server can help, and the wait ends with their clocks.
        if (allowed < 0) {
            return null;
        }
        BallRow answer = row.table.balls.find(row.key, clock, allowed);
        if (answer == null) {
            link.balls.ask(row.table, row.key, clock, allowed);
            return null;
        }
        RowLog log = worker.logOf(row);
        Row values = row.writable(log);
        // The answer stays as it is: other workers read it at clocks of their own.
        values.copyFrom(answer.values());
        applyUnsent(row, values, clock - processClock);
        if (log != null) {
            log.applyTo(values);
        }
        row.tookBall(clock, answer.dataClock(), step * (answer.apart(clock) + here));
        return row;
    }

    /** Takes an answer. */
    void onAnswer(ServerLink link, ClientTable table, WireReader message, int processClock) {
        long key = message.getVar("The row", 0, table.spec.rows() - 1);
        int clock = message.getInt("The clock", 0, Integer.MAX_VALUE);
        long missing = message.getVar("The number of missing clocks", 0, Long.MAX_VALUE);
        long others = message.getVar("The number of workers", 0, Integer.MAX_VALUE);
        int dataClock = message.getInt("The data clock", 0, Integer.MAX_VALUE);
        long applied = message.getVar("The sequence", 0, link.made);
        var values = new Row(table.spec);
        values.read(message);
        // All that this process sent and the server had not applied belongs to it: the client counts only clocks that
        // are not completed.
        link.applyMissing(table.id, key, values, applied);
        table.balls.add(key, new BallRow(clock, missing, others, dataClock, values), processClock);
        link.balls.answered(table, key, clock, missing);
    }

    /**
     * The clocks up to this one that workers of this process have yet to complete; who has ended makes no more steps.
     */
    long missingHere(int clock) {
        long missing = 0;
        for (WorkerCore worker : workers) {
            missing += Math.max(0, clock - worker.holdsBackAt());
        }
        return missing;
    }

    /** The most clocks whose steps are together no longer than the radius. */
    static long clocksWithin(double radius, double step) {
        long clocks = (long) Math.min(radius / step, MOST);
        // The division may have rounded to either side.
        while (clocks > 0 && step * clocks > radius) {
            clocks--;
        }
        return clocks < MOST && step * (clocks + 1) <= radius ? clocks + 1 : clocks;
    }

    /** Refuses a clock in which the worker moved a row too far; nothing has changed then. */
    static void checkSteps(WorkerCore worker) {
        for (int i = 0; i < worker.dirty().size(); i++) {
            // Of rows that were changed: what a worker only read has no step.
            CachedRow row = worker.dirty().get(i);
            double limit = row.table.spec.maxStep();
            double length = limit == 0 ? 0 : worker.logOfDirty(i).length();
            if (!(length <= limit)) {
                throw LazyTablesException.of(
                        LazyTablesException.Code.STEP_TOO_LONG,
                        "Worker " + worker.index + " moved row " + row.key + " of table " + row.table.name + " by "
                                + length + " in clock " + (worker.clock + 1) + ", where " + limit
                                + " is allowed: take part of it back and complete the clock, or raise the table's limit");
            }
        }
    }

    private void applyUnsent(CachedRow row, Row values, int clocks) {
        for (WorkerLog[] ofClock : unsent.subList(0, Math.min(clocks, unsent.size()))) {
            for (WorkerLog log : ofClock) {
                RowLog done = log == null ? null : log.find(row.table.id, row.key);
                if (done != null) {
                    done.applyTo(values);
                }
            }
        }
    }
}
