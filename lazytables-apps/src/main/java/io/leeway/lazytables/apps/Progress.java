package io.leeway.lazytables.apps;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/*
 * Every pass (or clock, if a clock has several passes) has a row to which every worker adds one, and its sums. A row that counts
 * all workers is complete. With slack s the row of the i-th clock must be complete when i + s clocks are: all workers look at it
 * then, see the same, and stop at the same clock. Before that a worker may look, for divergence only.
 *
 * At rest: a worker in which nothing happened may not have seen what others did up to s clocks before. If nothing happens for so
 * many rows that all reads of the last pass hold all there is, nothing will ever happen.
 */

/** What the workers of a run tell each other about how far they are. For one worker's thread. */
final class Progress {

    private static final String NAME = "progress";
    private static final int COUNT = 0;

    private final Application<?> application;
    private final Seat seat;
    private final Table table;
    private final int clocksPerRow;
    private final List<Point> points = new ArrayList<>();
    private final BitSet rest = new BitSet();
    private int restFrom;

    Progress(Application<?> application, Seat seat) {
        this.application = application;
        this.seat = seat;
        this.clocksPerRow = seat.settings().work().blocks();
        this.table = seat.table(NAME, TableSpec.dense(CellType.DOUBLE, 1 + application.sums()));
    }

    /** Waits until all workers have completed as many clocks. */
    void meet() {
        seat.read(table, 0);
    }

    void add(int row, double[] sums) {
        for (double sum : sums) {
            if (Double.isNaN(sum)) {
                throw diverged(points.isEmpty() ? Double.NaN : points.get(0).value(), Double.NaN);
            }
        }
        double[] all = new double[1 + sums.length];
        all[COUNT] = 1;
        System.arraycopy(sums, 0, all, 1, sums.length);
        seat.worker().incrementRow(table, row, all);
    }

    int rows() {
        return points.size();
    }

    List<Point> points() {
        return points;
    }

    /** Looks at the rows that may be complete, in order; a row that must be complete and is not is a fault. */
    void look(int mustBe, int mayBe, long[] ends, RunLog log) {
        while (rows() < mayBe) {
            int row = rows();
            if (row >= mustBe) {
                seat.prefetch(table, row);
            }
            double[] sums = read(row);
            if (sums == null) {
                if (row < mustBe) {
                    throw new IllegalStateException(
                            "the row of measure " + row + " lacks workers, though all are beyond it");
                }
                return;
            }
            judge(row, sums, ends, log);
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

    private void judge(int row, double[] sums, long[] ends, RunLog log) {
        double value = application.value(sums);
        double passes = (row + 1.0) * seat.settings().work().passes();
        var point = new Point(passes, ends[(row + 1) * clocksPerRow - 1], value);
        points.add(point);
        rest.set(row, application.isAtRest(sums));
        if (seat.number() == 0) {
            log.write(
                    "measure", "name", application.measure(), "passes", passes, "nanos", point.nanos(), "value", value);
        }
        if (application.hasDiverged(points.get(0).value(), value)) {
            throw diverged(points.get(0).value(), value);
        }
    }

    /** The measure of a row that is complete, by exact reads. */
    double complete(int row) {
        double[] sums = read(row);
        if (sums == null) {
            throw new IllegalStateException("the row of measure " + row + " lacks workers, though all are beyond it");
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
    boolean isAtRest(int seenByAll) {
        if (seat.slack() == TableSpec.ASYNC) {
            return false;
        }
        int needed = 1 + (seat.slack() + clocksPerRow) / clocksPerRow;
        return seenByAll - needed >= restFrom && rest.nextClearBit(seenByAll - needed) >= seenByAll;
    }

    /** What happened under another slack says nothing about this one. */
    void restAgain() {
        restFrom = rows();
    }

    private DivergedException diverged(double first, double now) {
        RunSettings settings = seat.settings();
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
