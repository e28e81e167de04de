package io.leeway.lazytables.apps;

import io.leeway.lazytables.EmbeddedServers;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.TableSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs an application: servers, instances and a thread for each worker, all inside this Java machine; or one of its instances, with servers and the other instances in processes of their own.
 *
 * <p>A worker that goes on where another one ended (see {@link Place}) does so at the clock at which that one was: clocks tell what is done and what is not.
 *
 * <p>A run has a clock in which first values are loaded, clocks of work, for a run that waits for nobody also clocks with slack 0
 * if the application must settle, and a clock in which the end is measured.
 *
 * @param <R> what comes out
 */
public final class Run<R> {

    private final Application<R> application;
    private final RunSettings settings;
    private final RunLog log;
    private final List<LazyTables> instances = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicReference<@Nullable Outcome<R>> outcome = new AtomicReference<>();

    private Run(Application<R> application, RunSettings settings, RunLog log) {
        this.application = application;
        this.settings = settings;
        this.log = log;
    }

    /** Runs it to its end; a failure of any worker ends all. */
    public static <R> Outcome<R> of(Application<R> application, RunSettings settings, RunLog log) {
        if (settings.resumes() && !application.canResume()) {
            throw new BadInputException(
                    application.name() + " cannot be resumed: what its workers know outside of tables would be gone");
        }
        return new Run<>(application, settings, log).run();
    }

    private Outcome<R> run() {
        log.write(
                "run",
                "application",
                application.name(),
                "workers",
                settings.workers(),
                "instances",
                settings.instances(),
                "servers",
                settings.servers(),
                "slack",
                settings.slackText(),
                "workPerClock",
                settings.work().inPasses(),
                "passes",
                settings.passes(),
                "strict",
                settings.strict(),
                "prefetch",
                settings.prefetch(),
                "delayNanos",
                settings.delay().toNanos(),
                "seed",
                settings.seed());
        Place place = settings.place();
        if (place == null) {
            try (EmbeddedServers servers = EmbeddedServers.start(settings.servers(), settings.instances())) {
                workOn(() -> connect(servers));
            }
        } else {
            workOn(() -> connect(place));
        }
        logStaleness();
        Throwable failed = failure.get();
        if (failed != null) {
            log.write(
                    "end",
                    "outcome",
                    failed instanceof DivergedException ? "diverged" : "failed",
                    "why",
                    "" + failed.getMessage());
            throw failed instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failed);
        }
        Outcome<R> ended = outcome.get();
        if (ended == null) {
            throw new IllegalStateException("the first worker ended without result");
        }
        log.write("end", "outcome", ended.atRest() ? "rest" : "passes", "value", ended.value(), "nanos", ended.nanos());
        return ended;
    }

    private void workOn(Runnable connecting) {
        try {
            connecting.run();
            work();
        } finally {
            closeInstances();
        }
    }

    private void connect(Place place) {
        instances.add(LazyTables.builder()
                .workers(settings.workers() / settings.instances())
                .options(place.options())
                .option("lazytables.process", Integer.toString(place.instance()))
                .option("lazytables.processes", Integer.toString(settings.instances()))
                .option("lazytables.resume", Boolean.toString(place.resume()))
                .timeout(settings.timeout())
                .connect());
    }

    private void connect(EmbeddedServers servers) {
        for (int i = 0; i < settings.instances(); i++) {
            instances.add(LazyTables.builder()
                    .workers(settings.workers() / settings.instances())
                    .servers(servers, i)
                    .timeout(settings.timeout())
                    .connect());
        }
    }

    private void logStaleness() {
        for (LazyTables tables : instances) {
            List<Long> staleness = tables.statistics().staleness();
            for (int clocks = 0; clocks < staleness.size(); clocks++) {
                if (staleness.get(clocks) > 0) {
                    log.write("staleness", "clocks", clocks, "reads", staleness.get(clocks));
                }
            }
        }
    }

    private void work() {
        var threads = new ArrayList<Thread>();
        for (int number = firstWorker();
                number < settings.workers();
                number += settings.instances() / instances.size()) {
            int mine = number;
            var thread = new Thread(() -> guarded(mine), "lazytables-app-" + number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        try {
            for (Thread thread : threads) {
                // Every wait inside has a limit, and a failure closes the instances, so that all come to an end.
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            failure.compareAndSet(null, interrupted);
            Thread.currentThread().interrupt();
        }
    }

    private void guarded(int number) {
        try {
            LazyTables tables = instances.get(settings.place() == null ? number % settings.instances() : 0);
            var seat = new Seat(number, settings, tables, tables.worker(number / settings.instances()));
            new WorkerRun(seat).run();
        } catch (RuntimeException | Error failed) {
            // The first is the cause; the others are told that the instance was closed.
            if (failure.compareAndSet(null, failed)) {
                closeInstances();
            }
        }
    }

    /** The number of the first worker here: workers are dealt out to instances one by one. */
    private int firstWorker() {
        Place place = settings.place();
        return place == null ? 0 : place.instance();
    }

    private void closeInstances() {
        instances.forEach(LazyTables::close);
    }

    /** The clocks of one worker. */
    private final class WorkerRun {

        private final Seat seat;
        private final Application.Part<R> part;
        private final Progress progress;
        private final int clocksPerRow = settings.work().blocks();
        private long[] ends;
        private long began;
        private long lastEnd;
        private int clock;

        WorkerRun(Seat seat) {
            this.seat = seat;
            this.part = application.part(seat);
            this.progress = new Progress(application, seat);
            this.ends = new long[settings.clocks()];
        }

        void run() {
            int completed = seat.worker().clocks();
            if (completed == 0) {
                part.load();
                seat.worker().clock();
            } else {
                part.resume();
                clock = Math.min(completed - 1, settings.clocks());
            }
            int ended = Math.max(0, completed - 1 - clock);
            seat.slack(0);
            progress.meet();
            seat.waited();
            seat.slack(settings.slack());
            began = System.nanoTime();
            lastEnd = began;
            boolean atRest = clocks(settings.clocks());
            seat.slack(0);
            progress.look(clock / clocksPerRow, clock / clocksPerRow, ends, log);
            if (!atRest && application.mustSettle() && settings.slack() == TableSpec.ASYNC) {
                progress.restAgain();
                ends = Arrays.copyOf(ends, 2 * ends.length);
                atRest = clocks(ends.length);
                progress.look(clock / clocksPerRow, clock / clocksPerRow, ends, log);
            }
            finish(atRest, ended);
        }

        private boolean clocks(int most) {
            while (clock < most) {
                oneClock();
                int seen = clock - Math.min(seat.slack(), clock);
                progress.look(seen / clocksPerRow, clock / clocksPerRow, ends, log);
                if (progress.isAtRest(seen / clocksPerRow)) {
                    return true;
                }
            }
            return false;
        }

        private void oneClock() {
            // What is read between clocks, to see how far all are, is this clock's waiting too.
            long start = lastEnd;
            suffer();
            for (int pass = 0; pass < settings.work().passes(); pass++) {
                part.work(clock % clocksPerRow);
            }
            long waited = seat.waited();
            long worked = System.nanoTime();
            if ((clock + 1) % clocksPerRow == 0) {
                double[] sums = new double[application.sums()];
                part.measure(sums);
                progress.add(clock / clocksPerRow, sums);
            }
            seat.worker().clock();
            long end = System.nanoTime();
            ends[clock] = end - began;
            lastEnd = end;
            log.write(
                    "clock",
                    "worker",
                    seat.number(),
                    "clock",
                    clock,
                    "start",
                    start - began,
                    "compute",
                    worked - start - waited,
                    "wait",
                    waited,
                    "measure",
                    end - worked,
                    "end",
                    end - began);
            clock++;
        }

        private void suffer() {
            if (!settings.delay().isZero() && clock % settings.workers() == seat.number()) {
                try {
                    Thread.sleep(settings.delay().toMillis());
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted within a delay", interrupted);
                }
            }
        }

        /** The clocks after the work, of which a worker before this one may have completed some. */
        private void finish(boolean atRest, int ended) {
            int last = clock / clocksPerRow;
            if (ended < 1) {
                double[] sums = new double[application.sums()];
                part.finish(sums);
                progress.add(last, sums);
                seat.worker().clock();
            }
            if (seat.number() == firstWorker()) {
                double value = progress.complete(last);
                outcome.set(new Outcome<>(part.result(), value, atRest, clock, ends[clock - 1], progress.points()));
            }
            if (ended < 2) {
                // Whoever leaves earlier takes the instance's part of the clock with it; so all leave together.
                seat.worker().clock();
            }
            progress.meet();
        }
    }
}
