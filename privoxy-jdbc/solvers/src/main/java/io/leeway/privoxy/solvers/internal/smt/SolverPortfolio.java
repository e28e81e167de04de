package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.SolverResult;
import io.leeway.privoxy.spi.SmtScript;
import io.leeway.privoxy.spi.SmtSolver;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The solvers that are there, asked side by side: no one solver is always fast. The first conclusive answer counts and
 * stops the others. Threads are daemons and go away when idle. Thread-safe.
 *
 * <p>The ensemble of Chang, UCB/EECS-2021-244, sections 3.2 and 3.6: the fastest of several is much faster than any one
 * of them.
 */
public final class SolverPortfolio implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.leeway.privoxy.solvers");
    private static final int IDLE_SECONDS = 10;

    private static final PrivoxyMetricsTracker NOBODY = new PrivoxyMetricsTracker() {};

    private final List<SmtSolver> solvers;
    private final ThreadPoolExecutor threads;
    private final PrivoxyMetricsTracker tracker;

    private SolverPortfolio(List<SmtSolver> solvers, ThreadPoolExecutor threads, PrivoxyMetricsTracker tracker) {
        this.solvers = solvers;
        this.threads = threads;
        this.tracker = tracker;
    }

    private SolverPortfolio(List<SmtSolver> solvers) {
        this.solvers = List.copyOf(solvers);
        this.tracker = NOBODY;
        int size = Math.max(this.solvers.size(), Runtime.getRuntime().availableProcessors());
        this.threads = new ThreadPoolExecutor(
                size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threadFactory());
        // An application that asks once an hour should not keep threads for it.
        threads.allowCoreThreadTimeOut(true);
    }

    /** The given solvers, as far as they are available. */
    public static SolverPortfolio of(List<SmtSolver> solvers) {
        return new SolverPortfolio(
                solvers.stream().filter(SmtSolver::isAvailable).toList());
    }

    /** The solvers on the class path, as far as they are available; loads their native code. */
    public static SolverPortfolio load(ClassLoader loader) {
        List<SmtSolver> found = new ArrayList<>();
        try {
            ServiceLoader.load(SmtSolver.class, loader).forEach(found::add);
            // Another's broken jar must not take away the solvers that work.
        } catch (ServiceConfigurationError fault) {
            LOG.log(System.Logger.Level.WARNING, "A solver on the class path cannot be used: {0}", fault.getMessage());
        }
        return of(found);
    }

    /** The same solvers and threads; how each solver ended is told to somebody. */
    SolverPortfolio reportingTo(PrivoxyMetricsTracker other) {
        return new SolverPortfolio(solvers, threads, other);
    }

    private static java.util.concurrent.ThreadFactory threadFactory() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "privoxy-solver-" + number.incrementAndGet());
            thread.setDaemon(true);
            // Not the application's, which such a thread would keep alive after the application was taken out of
            // the server.
            thread.setContextClassLoader(SolverPortfolio.class.getClassLoader());
            return thread;
        };
    }

    /** Whether there is no solver to ask. */
    public boolean isEmpty() {
        return solvers.isEmpty();
    }

    /** Names of the solvers. */
    public List<String> names() {
        return solvers.stream().map(SmtSolver::name).toList();
    }

    /**
     * What one of the solvers said.
     *
     * @param solver who said it, or null if nobody knew
     */
    public record Reply(Outcome outcome, @Nullable SmtSolver solver) {}

    /** Asks all solvers at once. Blocks; an interrupted caller gets no answer and stays interrupted. */
    public Reply race(SmtScript script, Limits limits) {
        // No threads for a race of one.
        if (solvers.size() == 1) {
            return ask(solvers.get(0), script, limits);
        }
        Race race = new Race(script, limits);
        for (SmtSolver solver : solvers) {
            threads.execute(() -> race.run(solver));
        }
        try {
            return race.result(solvers.size());
        } finally {
            // Also where nobody won: the caller does not wait any longer.
            race.cancellation.request();
        }
    }

    /**
     * Asks one solver, on this thread.
     *
     * <p>For cores: the same solver has to answer each step, and there is nothing to race.
     */
    public Reply ask(SmtSolver solver, SmtScript script, Limits limits) {
        Race alone = new Race(script, limits);
        alone.run(solver);
        return alone.replies.remove();
    }

    private static Outcome checked(SmtSolver solver, SmtScript script, Limits limits, Cancellation cancellation) {
        try {
            return solver.check(script, limits, cancellation);
            // A solver of somebody else's may throw anything; the statement is then undecided by it and no more.
        } catch (RuntimeException | LinkageError fault) {
            LOG.log(System.Logger.Level.DEBUG, "Solver failed", fault);
            return new Outcome.Unknown("the solver failed");
        }
    }

    /** One script, and the solvers that were asked. */
    private final class Race {

        private final SmtScript script;
        private final Limits limits;
        private final Cancellation cancellation = new Cancellation();
        private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
        // Both may be conclusive; they cannot contradict each other, but metrics should have one winner.
        private final AtomicReference<SmtSolver> winner = new AtomicReference<>();

        Race(SmtScript script, Limits limits) {
            this.script = script;
            this.limits = limits;
        }

        void run(SmtSolver solver) {
            long start = System.nanoTime();
            // One whose thread starts too late counts as well, or it would seem that it was not asked.
            Outcome outcome = cancellation.isRequested()
                    ? new Outcome.Unknown("the race was over")
                    : checked(solver, script, limits, cancellation);
            SolverResult result = result(solver, outcome);
            tracker.solver(solver.name(), result, System.nanoTime() - start);
            Outcome counted = result == SolverResult.LOST ? new Outcome.Unknown("another one was first") : outcome;
            replies.add(new Reply(counted, solver));
        }

        /**
         * A solver that was stopped by the end of a race has lost it; one that ran out of effort before would count as
         * timed out.
         */
        private SolverResult result(SmtSolver solver, Outcome outcome) {
            if (outcome.isConclusive()) {
                return winner.compareAndSet(null, solver) ? SolverResult.WON : SolverResult.LOST;
            }
            if (outcome.equals(Outcome.Unknown.OUT_OF_LIMITS)) {
                return SolverResult.TIMEOUT;
            }
            if (!cancellation.isRequested()) {
                return SolverResult.UNKNOWN;
            }
            return winner.get() == null ? SolverResult.TIMEOUT : SolverResult.LOST;
        }

        private Reply result(int asked) {
            Reply last = new Reply(new Outcome.Unknown("no solver answered in time"), null);
            // A solver that keeps neither its limits nor the request to stop must not hold the statement.
            long deadline = System.nanoTime() + limits.wall().toNanos();
            try {
                for (int i = 0; i < asked; i++) {
                    Reply reply = replies.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (reply == null || reply.outcome().isConclusive()) {
                        return reply == null ? last : reply;
                    }
                    last = new Reply(reply.outcome(), null);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return new Reply(new Outcome.Unknown("interrupted"), null);
            }
            return last;
        }
    }

    /** Lets the threads go. Questions that are being answered still are. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
