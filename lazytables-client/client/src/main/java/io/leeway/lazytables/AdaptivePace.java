package io.leeway.lazytables;

import static java.util.Objects.requireNonNull;

import io.leeway.lazytables.internal.pace.PaceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Chooses slack and work per clock while a program runs, by what it measures: how long passes take, how much of that is
 * waiting, and how fast the objective gets better. Each worker has one of its own, and asks it at the begin of every
 * clock:
 *
 * <pre>{@code
 * AdaptivePace adaptive = AdaptivePace.of(tables, worker, bounds);
 * while (...) {
 *     Pace pace = adaptive.next();
 *     ... work over pace.work() units, with reads of slack pace.slack() ...
 *     worker.clock();
 *     if (...) {
 *         adaptive.objective(passes, error);   // counts where it is decided: worker 0 of process 0
 *     }
 * }
 * }</pre>
 *
 * <p><b>All workers are told the same in the same clock.</b> Worker 0 of process 0 decides. What it decides in the
 * clock after its c-th, while slack s holds, it writes to a table of its own, to hold from clock c + s + 1 on. Every
 * worker reads that table at the begin of each clock with the slack that holds; at clock c + s + 1 such a read has all
 * updates of clock c + 1, so none can miss it, and who sees it earlier waits with it. The next is decided when this one
 * holds. Reading so waits for nobody for whom the program's own reads would not wait.
 *
 * <p><b>Divergence.</b> When the objective gets worse, staleness is brought down at once and stays below half of what
 * it was; each change says why. If it gets worse though reads are as fresh as they can be, or is no number, all workers
 * get an exception at the same clock.
 *
 * <p>Without an objective it goes by time alone, and takes staleness to cost little. Not thread-safe.
 *
 * @since 0.1
 */
public final class AdaptivePace {

    private static final String TABLE = "lazytables.pace";

    // A decision's row, and behind it the row of what workers measured while it held.
    private static final int MADE = 0;
    private static final int FROM = 1;
    private static final int SLACK = 2;
    private static final int WORK = 3;
    private static final int COMPUTED = 0;
    private static final int WAITED = 1;
    private static final int CLOCKS = 2;
    private static final int COLUMNS = 4;

    private static final int DIVERGED = -1;
    /** The first clock has compilers and empty caches in it; the two behind it are enough to see who waits. */
    private static final int LEAST_CLOCKS = 2;

    private static final double NANOS = 1e9;

    private final Worker worker;
    private final Table table;
    private final PaceBounds bounds;
    private final boolean decides;
    private final PaceModel model;
    private final List<Decision> decisions = new ArrayList<>();

    private Pace pace;
    private int decision;
    private long computedBefore;
    private long waitedBefore;
    private boolean begun;

    // Where it is decided.
    private boolean undecided = true;
    private String why = "";
    private int windowFrom;
    private int settling = 1;
    private double computedSince;
    private double waitedSince;
    private double clocksSince;
    private boolean windowBegun;

    /**
     * A pace, from when on it holds, and why; the first is that of the bounds.
     *
     * @param clock the clock of workers from which on it holds
     * @param pace the pace
     * @param why in words; empty but at the worker that decides
     */
    public record Decision(int clock, Pace pace, String why) {}

    private AdaptivePace(LazyTables tables, Worker worker, PaceBounds bounds) {
        this.worker = worker;
        this.bounds = bounds;
        decides = tables.process() == 0 && worker.index() == 0;
        table = tables.table(TABLE, TableSpec.dense(CellType.DOUBLE, COLUMNS).slack(bounds.mostSlack()));
        model = new PaceModel(bounds);
        pace = bounds.first();
    }

    /** For a worker; all workers of all processes give equal bounds, and ask from the same clock on. */
    public static AdaptivePace of(LazyTables tables, Worker worker, PaceBounds bounds) {
        return new AdaptivePace(
                requireNonNull(tables, "tables"), requireNonNull(worker, "worker"), requireNonNull(bounds, "bounds"));
    }

    /**
     * The pace of the clock that begins; to be asked once in each clock, before its first read.
     *
     * @throws LazyTablesException if the run has diverged, at all workers in the same clock
     */
    public Pace next() {
        int clock = worker.clocks();
        if (!begun) {
            begun = true;
            decisions.add(new Decision(clock, pace, "the begin"));
            computedBefore = worker.computeNanos();
            waitedBefore = worker.waitNanos();
            windowFrom = clock;
        } else {
            report();
        }
        boolean looks = true;
        while (looks) {
            // Who takes the place of another may find several.
            looks = adopt(clock);
        }
        if (decides && undecided) {
            decide(clock);
        }
        return pace;
    }

    /** Tells the objective after so many passes over the data; where it is not decided it is passed over. */
    public void objective(double passes, double value) {
        if (decides) {
            model.objective(passes, value);
        }
    }

    /** The pace that holds. */
    public Pace pace() {
        return pace;
    }

    /** All paces that have held so far. */
    public List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    /** Adds what this worker measured in its last clock. */
    private void report() {
        double[] measured = new double[COLUMNS];
        measured[COMPUTED] = (worker.computeNanos() - computedBefore) / NANOS;
        measured[WAITED] = (worker.waitNanos() - waitedBefore) / NANOS;
        measured[CLOCKS] = 1;
        computedBefore = worker.computeNanos();
        waitedBefore = worker.waitNanos();
        worker.incrementRow(table, 2L * decision + 1, measured);
    }

    /** Goes over to what was decided next, if it holds by now. */
    private boolean adopt(int clock) {
        RowView row = worker.read(table, 2L * decision + 2, pace.slack());
        if (row.get(MADE) == 0 || row.get(FROM) > clock) {
            return false;
        }
        int slack = (int) row.get(SLACK);
        if (slack == DIVERGED) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.DIVERGED,
                    String.format(
                            Locale.ROOT,
                            "The run has diverged: its objective is %.5g, with slack %d and work %d. Take smaller steps, or"
                                    + " fewer workers",
                            row.get(WORK),
                            pace.slack(),
                            pace.work()));
        }
        // Until what workers were ahead is used up, or reached, they wait less, or more, than they will.
        settling = 1 + Math.abs(slack - pace.slack());
        pace = new Pace(slack, (int) row.get(WORK));
        if (!pace.equals(model.pace())) {
            model.goOnAt(pace);
        }
        decision++;
        decisions.add(new Decision(clock, pace, decides ? why : ""));
        undecided = true;
        windowBegun = false;
        windowFrom = clock;
        return true;
    }

    /** A window begins when the pace has settled, and ends after a few clocks in which the objective moved. */
    private void decide(int clock) {
        if (windowBegun) {
            boolean isOver = clock - windowFrom >= Math.max(LEAST_CLOCKS, pace.slack() + 1) && model.hasMoved();
            if (isOver || model.isUrgent()) {
                endWindow(clock);
            }
        } else if (clock >= windowFrom + settling) {
            model.begin();
            beginWindow(clock);
        }
    }

    private void beginWindow(int clock) {
        RowView sums = worker.read(table, 2L * decision + 1, pace.slack());
        windowBegun = true;
        windowFrom = clock;
        computedSince = sums.get(COMPUTED);
        waitedSince = sums.get(WAITED);
        clocksSince = sums.get(CLOCKS);
    }

    /**
     * By what workers measured, on average: where this worker stands among the others says nothing about how long a
     * pass takes.
     */
    private void endWindow(int clock) {
        RowView sums = worker.read(table, 2L * decision + 1, pace.slack());
        double clocks = sums.get(CLOCKS) - clocksSince;
        if (clocks == 0 && !model.isUrgent()) {
            return;
        }
        double waited = sums.get(WAITED) - waitedSince;
        double all = sums.get(COMPUTED) - computedSince + waited;
        double passes = Math.max(1, clocks) * pace.work() / bounds.unitsPerPass();
        PaceModel.Choice choice = model.window(Math.max(all, 1 / NANOS) / passes, all > 0 ? waited / all : 0);
        if (choice == null) {
            beginWindow(clock);
            return;
        }
        undecided = false;
        why = choice.why();
        double[] made = new double[COLUMNS];
        made[MADE] = 1;
        made[FROM] = clock + pace.slack() + 1.0;
        made[SLACK] = choice.diverged() ? DIVERGED : choice.pace().slack();
        made[WORK] = choice.diverged() ? model.objective() : choice.pace().work();
        worker.incrementRow(table, 2L * decision + 2, made);
    }
}
