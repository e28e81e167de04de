package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.smt.SmtBudget;
import io.leeway.privoxy.internal.smt.SmtDecider;
import io.leeway.privoxy.internal.smt.SmtDecision;
import io.leeway.privoxy.internal.smt.SmtProblem;
import io.leeway.privoxy.internal.smt.SolverPortfolio;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.SolverResult;
import org.jspecify.annotations.Nullable;

/** Asks the solvers that are on the class path, if the options allow it. */
final class Solvers implements SolverStage {

    private final CompiledPolicy policy;
    private final SmtBudget budget;
    private final PrivoxyMetricsTracker tracker;

    private Solvers(CompiledPolicy policy, SmtBudget budget, PrivoxyMetricsTracker tracker) {
        this.policy = policy;
        this.budget = budget;
        this.tracker = tracker;
    }

    /** The stage for a policy; counterexamples are looked for only if refusals show them. */
    static SolverStage stage(PrivoxyConfig config, CompiledPolicy policy, PrivoxyMetricsTracker tracker) {
        if (config.get(PrivoxyOptions.SOLVER) == PrivoxyOptions.Solver.OFF) {
            return NONE;
        }
        SmtBudget budget = config.get(PrivoxyOptions.EXPLAIN) == PrivoxyOptions.Explain.COUNTEREXAMPLE
                ? SmtBudget.WITH_COUNTEREXAMPLE
                : SmtBudget.PROOF;
        return new Solvers(policy, budget, tracker);
    }

    @Override
    public SmtDecision decide(Problem problem) {
        SmtDecider decider = Found.DECIDER;
        if (decider == null) {
            return NONE.decide(problem);
        }
        long start = System.nanoTime();
        Policy named = policy.policy();
        // With the tables that only queries name.
        Policy whole = new Policy(policy.schema(), named.context(), named.views(), named.inclusions());
        SmtDecision decision = decider.decide(SmtProblem.of(problem), whole, budget);
        if (decision instanceof SmtDecision.Compliant compliant) {
            tracker.solver(compliant.solver(), SolverResult.WON, System.nanoTime() - start);
        }
        return decision;
    }

    /** The solvers of this process: native code of some size, so loaded when first needed. Null if there are none. */
    private static final class Found {

        static final @Nullable SmtDecider DECIDER = decider(SolverPortfolio.load(Solvers.class.getClassLoader()));

        private static @Nullable SmtDecider decider(SolverPortfolio portfolio) {
            return portfolio.isEmpty() ? null : new SmtDecider(portfolio);
        }
    }
}
