package io.leeway.lazytables.apps;

import io.leeway.lazytables.AdaptivePace;
import io.leeway.lazytables.EmbeddedServers;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.Pace;
import io.leeway.lazytables.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
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
    private final WallClock wall = WallClock.now();
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
        Place place = settings.place();
        log.write(
                "run",
                "application",
                application.name(),
                "workers",
                settings.workers(),
                "instances",
                settings.instances(),
                "process",
                place == null ? 0 : place.instance(),
                "processes",
                place == null ? 1 : settings.instances(),
                "servers",
                settings.servers(),
                "slack",
                settings.slackText(),
                "workPerClock",
                settings.work().inPasses(),
                "adaptive",
                settings.adaptive(),
                "model",
                settings.adaptive() ? "adaptive" : "",
                "falls",
                application.falls(),
                "passes",
                settings.passes(),
                "strict",
                settings.strict(),
                "prefetch",
                settings.prefetch().text(),
                "delayNanos",
                settings.delay().toNanos(),
                "seed",
                settings.seed());
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
            endInstances();
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
                .prefetch(settings.prefetch().byItself())
                .connect());
    }

    private void connect(EmbeddedServers servers) {
        for (int i = 0; i < settings.instances(); i++) {
            instances.add(LazyTables.builder()
                    .workers(settings.workers() / settings.instances())
                    .servers(servers, i)
                    .timeout(settings.timeout())
                    .prefetch(settings.prefetch().byItself())
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
                endInstances();
            }
        }
    }

    /** The number of the first worker here: workers are dealt out to instances one by one. */
    private int firstWorker() {
        Place place = settings.place();
        return place == null ? 0 : place.instance();
    }

    /** Whoever is to take the place of a process that failed finds it, and the others wait for it. */
    private void endInstances() {
        boolean leavesPlace = failure.get() != null && settings.resumes();
        for (LazyTables tables : instances) {
            if (leavesPlace) {
                tables.abandon();
            } else {
                close(tables, failure.get() == null);
            }
        }
    }

    /** Of a run that failed the other processes hear, since it has not ended. */
    private void close(LazyTables tables, boolean done) {
        try (tables) {
            if (done) {
                tables.end();
            }
        } catch (LazyTablesException undelivered) {
            Throwable before = failure.compareAndExchange(null, undelivered);
            if (before != null) {
                before.addSuppressed(undelivered);
            }
        }
    }

    /** The clocks of one worker. */
    private final class WorkerRun {

        private final Seat seat;
        private final Application.Part<R> part;
        private final Progress progress;
        private final RunName name;
        private final @Nullable AdaptivePace adaptive;
        private final int blocksInPass = settings.blocks();
        private long began;
        private long lastEnd;
        private int clock;
        /** Gone over so far. */
        private long blocks;
        /** Of a run that is not adaptive. */
        private Pace pace = settings.pace();

        WorkerRun(Seat seat) {
            this.seat = seat;
            this.part = application.part(seat);
            this.adaptive = settings.adaptive() ? seat.adaptive(application.falls()) : null;
            this.progress = new Progress(application, seat, adaptive);
            this.name = new RunName(seat);
        }

        void run() {
            int completed = seat.worker().clocks();
            long all = (long) settings.passes() * blocksInPass;
            if (completed == 0) {
                part.load();
                name.give();
                seat.worker().clock();
            } else {
                part.resume();
                while (clock < completed - 1 && blocks < all) {
                    ended(nextWork(), 0);
                }
            }
            int ended = Math.max(0, completed - 1 - clock);
            seat.slack(0);
            progress.meet();
            String id = name.read();
            seat.waited();
            seat.slack(pace.slack());
            began = System.nanoTime();
            lastEnd = began;
            log.write("begin", "run", id, "worker", seat.number(), "micros", wall.micros(began));
            boolean atRest = clocks(all);
            seat.slack(0);
            progress.look(clock, log);
            if (!atRest && application.mustSettle() && settings.slack() == TableSpec.ASYNC) {
                pace = new Pace(0, pace.work());
                atRest = clocks(2 * all);
                progress.look(clock, log);
            }
            finish(atRest, ended);
        }

        private boolean clocks(long most) {
            while (blocks < most) {
                oneClock(most);
                progress.look(clock, log);
                if (progress.isAtRest()) {
                    return true;
                }
            }
            return false;
        }

        private void oneClock(long most) {
            // What is read between clocks, to see how far all are, is this clock's waiting too.
            long start = lastEnd;
            int work = (int) Math.min(nextWork(), most - blocks);
            suffer(work);
            for (int i = 0; i < Math.min(work, blocksInPass); i++) {
                part.prefetch((int) ((blocks + i) % blocksInPass));
            }
            for (int i = 0; i < work; i++) {
                part.work((int) ((blocks + i) % blocksInPass));
            }
            long waited = seat.waited();
            long worked = System.nanoTime();
            if (endsPass(work)) {
                double[] sums = new double[application.sums()];
                part.measure(sums);
                progress.add(sums);
            }
            seat.worker().clock();
            // What was waited for the measure is the measure's.
            seat.waited();
            long end = System.nanoTime();
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
            ended(work, end - began);
        }

        private boolean endsPass(int work) {
            return (blocks + work) / blocksInPass > blocks / blocksInPass;
        }

        private void ended(int work, long nanos) {
            boolean endsPass = endsPass(work);
            blocks += work;
            clock++;
            progress.ended(clock, blocks, endsPass, nanos);
        }

        /** The blocks that the clock which begins goes over. */
        private int nextWork() {
            if (adaptive == null) {
                pace = part.pace(blocks, pace);
                seat.slack(pace.slack());
                return pace.work();
            }
            int before = adaptive.decisions().size();
            Pace chosen;
            try {
                chosen = seat.next(adaptive);
            } catch (LazyTablesException failed) {
                if (failed.code() == LazyTablesException.Code.DIVERGED) {
                    throw new DivergedException(application.name() + " diverged: " + failed.getMessage(), failed);
                }
                throw failed;
            }
            List<AdaptivePace.Decision> decisions = adaptive.decisions();
            if (decisions.size() > before && seat.number() == firstWorker()) {
                log.write(
                        "pace",
                        "clock",
                        clock,
                        "nanos",
                        System.nanoTime() - began,
                        "slack",
                        chosen.slack(),
                        "work",
                        (double) chosen.work() / blocksInPass,
                        "why",
                        decisions.get(before).why());
            }
            return chosen.work();
        }

        private void suffer(int work) {
            long times = settings.delay().isZero() ? 0 : delays(work);
            if (times > 0) {
                try {
                    Thread.sleep(times * settings.delay().toMillis());
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted within a delay", interrupted);
                }
            }
        }

        /** One each clock; where a clock's length is chosen, so that longer ones are no way out, one for each pass that begins in it. */
        private long delays(int work) {
            if (adaptive == null) {
                return clock % settings.workers() == seat.number() ? 1 : 0;
            }
            long first = (blocks + blocksInPass - 1) / blocksInPass;
            long behind = (blocks + work + blocksInPass - 1) / blocksInPass;
            return LongStream.range(first, behind)
                    .filter(pass -> pass % settings.workers() == seat.number())
                    .count();
        }

        /** The clocks after the work, of which a worker before this one may have completed some. */
        private void finish(boolean atRest, int ended) {
            long nanos = lastEnd - began;
            if (ended < 1) {
                double[] sums = new double[application.sums()];
                part.finish(sums);
                progress.add(sums);
                seat.worker().clock();
            }
            if (seat.number() == firstWorker()) {
                double value = progress.complete();
                outcome.set(new Outcome<>(part.result(), value, atRest, clock, nanos, progress.points(), paces()));
            }
            if (ended < 2) {
                // Whoever leaves earlier takes the instance's part of the clock with it; so all leave together.
                seat.worker().clock();
            }
            progress.meet();
        }

        /** With clocks as they are counted here: loading is none. */
        private List<AdaptivePace.Decision> paces() {
            return adaptive == null
                    ? List.of()
                    : adaptive.decisions().stream()
                            .map(each -> new AdaptivePace.Decision(each.clock() - 1, each.pace(), each.why()))
                            .toList();
        }
    }
}
