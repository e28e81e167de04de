package io.leeway.lazytables.apps;

import io.leeway.lazytables.AdaptivePace;
import io.leeway.lazytables.CellType;
import io.leeway.lazytables.DivergenceWatch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/*
 * Every pass (or clock, if a clock has several passes) has a row to which every worker adds one, and its sums. A row that counts
 * all workers is complete. With slack s the row that ends with the i-th clock must be complete when i + s clocks are: all workers
 * look at it then, see the same, and stop at the same clock. Before that a worker may look, for divergence only.
 *
 * At rest: a worker in which nothing happened may not have seen what others did before. A read in the clock after the i-th sees, with
 * slack s, all updates of the first i - s clocks. If nothing happened in any clock after those, for all reads of a whole pass, and in
 * that pass neither, nothing will ever happen. Slack and work may change from clock to clock, the same for all workers.
 */

/** What the workers of a run tell each other about how far they are. For one worker's thread. */
final class Progress {

    private static final Logger LOG = System.getLogger(Progress.class.getName());
    private static final String NAME = "progress";
    private static final int COUNT = 0;

    private final Application<?> application;
    private final Seat seat;
    private final @Nullable AdaptivePace adaptive;
    /** Of the worker that tells of a run that is not adaptive. */
    private final @Nullable DivergenceWatch watch;

    private final Table table;
    private final List<Row> rows = new ArrayList<>();
    private final List<Point> points = new ArrayList<>();
    private final BitSet rest = new BitSet();
    /** The clocks in which the last pass lies. */
    private final ArrayDeque<Clock> lastPass = new ArrayDeque<>();
    /** The rows that all workers have looked at by now. */
    private int seen;

    /**
     * A row of the table.
     *
     * @param clocks that were completed with it
     * @param passes that were gone over with it
     * @param nanos when it was completed here
     * @param sees every read of the last pass before it has seen all updates of so many clocks
     */
    private record Row(int clocks, double passes, long nanos, int sees) {}

    /** A clock with the blocks that were gone over at its end, and of how many clocks its reads have seen all updates. */
    private record Clock(long blocks, int sees) {}

    /** Of a run that is adaptive or, with null, not. */
    Progress(Application<?> application, Seat seat, @Nullable AdaptivePace adaptive) {
        this.application = application;
        this.seat = seat;
        this.adaptive = adaptive;
        this.watch = adaptive == null && seat.number() == 0 && application.isObjective()
                ? new DivergenceWatch(application.measure(), application.falls())
                : null;
        this.table = seat.table(NAME, TableSpec.dense(CellType.DOUBLE, 1 + application.sums()));
    }

    /** Waits until all workers have completed as many clocks. */
    void meet() {
        seat.read(table, 0);
    }

    /** Adds to the row of the pass that ends, in its last clock; or, when all clocks are done, to a last one. */
    void add(double[] sums) {
        for (double sum : sums) {
            // Who is told by an adaptive pace is told together with all others.
            if (Double.isNaN(sum) && adaptive == null) {
                throw diverged(points.isEmpty() ? Double.NaN : points.get(0).value(), Double.NaN);
            }
        }
        double[] all = new double[1 + sums.length];
        all[COUNT] = 1;
        System.arraycopy(sums, 0, all, 1, sums.length);
        seat.worker().incrementRow(table, rows.size(), all);
    }

    /**
     * A clock is completed.
     *
     * @param clocks that are completed with it
     * @param blocks that were gone over with it
     * @param endsPass whether a row ends with it
     * @param nanos when
     */
    void ended(int clocks, long blocks, boolean endsPass, long nanos) {
        int inPass = seat.settings().blocks();
        lastPass.add(new Clock(blocks, clocks - 1 - seat.slack()));
        while (lastPass.element().blocks() <= blocks - inPass) {
            lastPass.remove();
        }
        if (endsPass) {
            int sees = lastPass.stream().mapToInt(Clock::sees).min().orElseThrow();
            rows.add(new Row(clocks, (double) blocks / inPass, nanos, sees));
        }
    }

    List<Point> points() {
        return points;
    }

    /** After so many clocks, looks at the rows that may be complete, in order; a row that must be complete and is not is a fault. */
    void look(int clocks, RunLog log) {
        while (seen < rows.size() && rows.get(seen).clocks() <= clocks - seat.slack()) {
            seen++;
        }
        if (seat.slack() > 0 && !seat.settings().strict()) {
            // So that it is there when it is looked at first. In strict tables each clock has a row of its own.
            seat.prefetchNew(table, rows.size());
        }
        while (points.size() < rows.size()) {
            int row = points.size();
            if (row >= seen) {
                seat.prefetch(table, row);
            }
            double[] sums = read(row);
            if (sums == null) {
                if (row < seen) {
                    throw new IllegalStateException(
                            "the row of measure " + row + " lacks workers, though all are beyond it");
                }
                return;
            }
            judge(row, sums, log);
        }
    }

    private double @Nullable [] read(int row) {
        RowView view = seat.read(table, row);
        if (view.get(COUNT) != seat.of()) {
            return null;
        }
        double[] sums = new double[application.sums()];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = view.get(1 + i);
        }
        return sums;
    }

    private void judge(int row, double[] sums, RunLog log) {
        double value = application.value(sums);
        var point = new Point(rows.get(row).passes(), rows.get(row).nanos(), value);
        points.add(point);
        rest.set(row, application.isAtRest(sums));
        if (seat.number() == 0) {
            log.write(
                    "measure",
                    "name",
                    application.measure(),
                    "passes",
                    point.passes(),
                    "nanos",
                    point.nanos(),
                    "value",
                    value);
        }
        if (adaptive != null) {
            adaptive.objective(point.passes(), value);
        } else if (application.hasDiverged(points.get(0).value(), value)) {
            throw diverged(points.get(0).value(), value);
        } else if (watch != null && hasSeenLoad(rows.get(row))) {
            watch.see(point.passes(), value).ifPresent(text -> {
                LOG.log(Level.WARNING, "{0}: {1}", application.name(), text);
                log.write("warning", "why", text);
            });
        }
    }

    /** Whether its reads saw all first values: in strict tables not before as many clocks as slack allows, and what is measured until then says little. */
    private boolean hasSeenLoad(Row row) {
        return !seat.settings().strict() || row.sees() >= 0;
    }

    /** The measure of the last row, by exact reads. */
    double complete() {
        double[] sums = read(rows.size());
        if (sums == null) {
            throw new IllegalStateException(
                    "the row of measure " + rows.size() + " lacks workers, though all are beyond it");
        }
        double value = application.value(sums);
        // The errors that workers met may have been small, each in its own stale view, and their sum be none the better
        // for it.
        if (!points.isEmpty() && application.hasDiverged(points.get(0).value(), value)) {
            throw diverged(points.get(0).value(), value);
        }
        return value;
    }

    /** Whether nothing will ever happen again, by the rows that all workers have seen by now; so all say so at the same clock. */
    boolean isAtRest() {
        if (seen == 0) {
            return false;
        }
        int restFrom = rest.previousClearBit(seen - 1) + 1;
        int moved = restFrom == 0 ? 0 : rows.get(restFrom - 1).clocks();
        return restFrom < seen && moved < rows.get(seen - 1).sees();
    }

    private DivergedException diverged(double first, double now) {
        RunSettings settings = seat.settings();
        if (adaptive != null) {
            return new DivergedException(String.format(
                    Locale.ROOT,
                    "%s diverged: %s was %.4g at first and is %.4g in the end, though staleness was brought down to slack %d"
                            + " and work per clock %s; take smaller steps, or fewer workers",
                    application.name(),
                    application.measure(),
                    first,
                    now,
                    adaptive.pace().slack(),
                    (double) adaptive.pace().work() / settings.blocks()));
        }
        return new DivergedException(String.format(
                Locale.ROOT,
                "%s diverged: %s was %.4g at first and is %.4g now. %d workers add up steps that they take from values up to "
                        + "%s passes old (slack %s, work per clock %s), and overshoot; lower the slack, the work per clock or "
                        + "the length of a step",
                application.name(),
                application.measure(),
                first,
                now,
                settings.workers(),
                settings.slack() == TableSpec.ASYNC ? "any number of" : settings.staleness(),
                settings.slackText(),
                settings.work().inPasses()));
    }
}
