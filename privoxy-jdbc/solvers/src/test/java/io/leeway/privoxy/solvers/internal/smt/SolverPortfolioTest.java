package io.leeway.privoxy.solvers.internal.smt;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.solvers.Sketch;
import io.leeway.privoxy.solvers.internal.smt.SolverPortfolio.Reply;
import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.SmtScript;
import io.leeway.privoxy.spi.SmtSolver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SolverPortfolioTest {

    private static final SmtScript SCRIPT = SmtScript.of("(set-logic UF)");
    private static final Limits LIMITS = Limits.ofEffort(60_000);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Outcome UNSATISFIABLE = new Outcome.Unsatisfiable(List.of());

    @Test
    void theFirstConclusiveAnswerWinsAndStopsTheOthers() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        FakeSolver endless = new FakeSolver("endless", cancellation -> {
            begun.countDown();
            CountDownLatch cancelled = new CountDownLatch(1);
            cancellation.onRequest(cancelled::countDown);
            await(cancelled);
            stopped.countDown();
            return new Outcome.Unknown("cancelled");
        });
        // One whose thread starts when the race is over is not asked at all, and so not stopped.
        FakeSolver quick = new FakeSolver("quick", cancellation -> {
            await(begun);
            return UNSATISFIABLE;
        });

        try (SolverPortfolio portfolio = SolverPortfolio.of(List.of(endless, quick))) {
            Reply reply = portfolio.race(SCRIPT, LIMITS);

            assertThat(reply.outcome()).isEqualTo(UNSATISFIABLE);
            assertThat(reply.solver()).isSameAs(quick);
            assertThat(stopped.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void oneThatGivesUpLeavesTheOthersTheirChance() {
        FakeSolver helpless = new FakeSolver("helpless", cancellation -> new Outcome.Unknown("too hard"));
        FakeSolver able = new FakeSolver("able", cancellation -> new Outcome.Satisfiable(Map.of("a", "true")));

        try (SolverPortfolio portfolio = SolverPortfolio.of(List.of(helpless, able))) {
            assertThat(portfolio.race(SCRIPT, LIMITS).solver()).isSameAs(able);
        }
    }

    @Test
    void oneThatFailsCountsAsOneThatGivesUp() {
        FakeSolver broken = new FakeSolver("broken", cancellation -> {
            throw new IllegalStateException("broken");
        });
        FakeSolver able = new FakeSolver("able", cancellation -> UNSATISFIABLE);

        try (SolverPortfolio portfolio = SolverPortfolio.of(List.of(broken, able))) {
            assertThat(portfolio.race(SCRIPT, LIMITS).outcome()).isEqualTo(UNSATISFIABLE);
        }
    }

    @Test
    void ifNobodyKnowsNobodyIsNamed() {
        FakeSolver helpless = new FakeSolver("helpless", cancellation -> new Outcome.Unknown("too hard"));

        try (SolverPortfolio portfolio = SolverPortfolio.of(List.of(helpless, helpless))) {
            Reply reply = portfolio.race(SCRIPT, LIMITS);

            assertThat(reply.outcome()).isEqualTo(new Outcome.Unknown("too hard"));
            assertThat(reply.solver()).isNull();
        }
    }

    @Test
    void solversWithoutTheirNativeCodeAreNotThere() {
        FakeSolver absent = new FakeSolver("absent", cancellation -> UNSATISFIABLE) {
            @Override
            public boolean isAvailable() {
                return false;
            }
        };

        try (SolverPortfolio portfolio = SolverPortfolio.of(List.of(absent))) {
            assertThat(portfolio.isEmpty()).isTrue();
            assertThat(new SmtDecider(portfolio)
                            .decide(
                                    Sketch.problem(Calendar.TITLE, List.of(Sketch.arg(5))),
                                    Calendar.POLICY,
                                    SmtBudget.PROOF))
                    .isEqualTo(new SolverDecision.Undecided("no solver is available"));
        }
    }

    @Test
    void withoutTheOptionalArtifactNothingIsFound() {
        try (SolverPortfolio portfolio = SolverPortfolio.load(ClassLoader.getPlatformClassLoader())) {
            assertThat(portfolio.names()).isEmpty();
        }
    }

    @Test
    void anInterruptedCallerGetsNoAnswerAndStaysInterrupted() {
        FakeSolver endless = new FakeSolver("endless", cancellation -> {
            CountDownLatch cancelled = new CountDownLatch(1);
            cancellation.onRequest(cancelled::countDown);
            await(cancelled);
            return new Outcome.Unknown("cancelled");
        });

        try (SolverPortfolio portfolio = SolverPortfolio.of(List.of(endless, endless))) {
            Thread.currentThread().interrupt();
            Reply reply = portfolio.race(SCRIPT, LIMITS);

            assertThat(Thread.interrupted()).isTrue();
            assertThat(reply.outcome()).isEqualTo(new Outcome.Unknown("interrupted"));
        }
    }

    @Test
    void eachSolverIsCountedAsItEnded() {
        var counted = new ConcurrentLinkedQueue<String>();
        PrivoxyMetricsTracker tracker = new PrivoxyMetricsTracker() {
            @Override
            public void solver(String solver, SolverResult result, long nanos) {
                counted.add(solver + " " + result);
            }
        };
        FakeSolver endless = new FakeSolver("endless", cancellation -> {
            CountDownLatch cancelled = new CountDownLatch(1);
            cancellation.onRequest(cancelled::countDown);
            await(cancelled);
            return new Outcome.Unknown("cancelled");
        });
        FakeSolver quick = new FakeSolver("quick", cancellation -> UNSATISFIABLE);
        FakeSolver helpless = new FakeSolver("helpless", cancellation -> new Outcome.Unknown("too hard"));
        FakeSolver spent = new FakeSolver("spent", cancellation -> Outcome.Unknown.OUT_OF_LIMITS);

        ask(tracker, LIMITS, quick, endless);
        Awaitility.await().atMost(PATIENCE).until(() -> counted.size() == 2);
        ask(tracker, LIMITS, helpless, spent);
        ask(tracker, new Limits(1, Duration.ofMillis(1)), endless, endless);
        Awaitility.await().atMost(PATIENCE).until(() -> counted.size() == 6);

        assertThat(counted)
                .containsExactlyInAnyOrder(
                        "quick WON",
                        "endless LOST",
                        "helpless UNKNOWN",
                        "spent TIMEOUT",
                        "endless TIMEOUT",
                        "endless TIMEOUT");
    }

    private static void ask(PrivoxyMetricsTracker tracker, Limits limits, SmtSolver... solvers) {
        try (SolverPortfolio portfolio = SolverPortfolio.of(List.of(solvers)).reportingTo(tracker)) {
            portfolio.race(SCRIPT, limits);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a solver does with a script. */
    private interface Behaviour {
        Outcome check(Cancellation cancellation);
    }

    private static class FakeSolver implements SmtSolver {

        private final String name;
        private final Behaviour behaviour;

        FakeSolver(String name, Behaviour behaviour) {
            this.name = name;
            this.behaviour = behaviour;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public Outcome check(SmtScript script, Limits limits, Cancellation cancellation) {
            return behaviour.check(cancellation);
        }
    }
}
