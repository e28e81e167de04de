package io.leeway.lazytables.apps;

import io.leeway.lazytables.AdaptivePace;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.Pace;
import io.leeway.lazytables.Refresh;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import java.util.SplittableRandom;

/** A worker's place in a run: its number, and tables through reads with the run's slack, whose time is taken. For one thread. */
public final class Seat {

    private final int number;
    private final RunSettings settings;
    private final LazyTables tables;
    private final Worker worker;
    private int slack;
    private long waited;

    Seat(int number, RunSettings settings, LazyTables tables, Worker worker) {
        this.number = number;
        this.settings = settings;
        this.tables = tables;
        this.worker = worker;
        this.slack = settings.slack();
    }

    /** The worker's number among all workers of the run. */
    public int number() {
        return number;
    }

    /** The number of workers. */
    public int of() {
        return settings.workers();
    }

    /** How the application is run. */
    public RunSettings settings() {
        return settings;
    }

    /** For updates. */
    public Worker worker() {
        return worker;
    }

    /** What the worker's instance has done so far. */
    public Statistics statistics() {
        return tables.statistics();
    }

    /** A table, as strict as the run. */
    public Table table(String name, TableSpec spec) {
        return tables.table(
                name, settings.strict() ? spec.slack(settings.slack()).asStrict() : spec);
    }

    /** Reads a row; takes the time. */
    public RowView read(Table table, long row) {
        long before = System.nanoTime();
        RowView view = worker.read(table, row, slack);
        waited += System.nanoTime() - before;
        return view;
    }

    /** Asks for a row that will be read in this clock, if the run is one whose programs do, or waits for nobody: then what is asked for before the read comes a clock earlier than what the read asks for. */
    public void prefetch(Table table, long row) {
        prefetch(table, new long[] {row});
    }

    /** Asks for many rows as for one. */
    public void prefetch(Table table, long[] rows) {
        Refresh how = settings.prefetch().guided();
        if (how != null || slack == TableSpec.ASYNC) {
            worker.refresh(table, rows, slack, how == null ? Refresh.AGGRESSIVE : how);
        }
    }

    /** Asks for those rows for which a read would have to wait, if the run prefetches: what is read once, and need not be fresher than it must. */
    public void prefetchMissing(Table table, long[] rows) {
        if (settings.prefetch().guided() != null) {
            worker.refresh(table, rows, slack, Refresh.CONSERVATIVE);
        }
    }

    /** Asks for a row that was not read yet, before it is, if the run prefetches such: servers send only what they were asked for once. */
    void prefetchNew(Table table, long row) {
        if (settings.prefetch().guided() != null || settings.prefetch() == RowsAhead.PUSHED) {
            worker.refresh(table, new long[] {row}, slack, Refresh.CONSERVATIVE);
        }
    }

    /** The first of n things that belong to this worker; those of the next worker begin where these end. */
    public int from(int n) {
        return (int) ((long) n * number / of());
    }

    /** Behind the last of n things that belong to this worker. */
    public int to(int n) {
        return (int) ((long) n * (number + 1) / of());
    }

    /** For this worker alone; the same in every run with the same seed. */
    public SplittableRandom random() {
        return new SplittableRandom(settings.seed() + 0x9E3779B97F4A7C15L * (number + 1));
    }

    /** What an adaptive run chose for the clock that begins, and the slack of reads from here on. */
    Pace next(AdaptivePace adaptive) {
        long before = System.nanoTime();
        Pace pace = adaptive.next();
        waited += System.nanoTime() - before;
        slack = pace.slack();
        return pace;
    }

    AdaptivePace adaptive(boolean falls) {
        return AdaptivePace.of(tables, worker, settings.paceBounds(falls));
    }

    int slack() {
        return slack;
    }

    /** From here on reads have another slack. */
    void slack(int clocks) {
        slack = clocks;
    }

    /** The time spent in reads since it was asked for last. */
    long waited() {
        long nanos = waited;
        waited = 0;
        return nanos;
    }
}
