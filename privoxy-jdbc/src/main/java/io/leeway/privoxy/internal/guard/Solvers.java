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
import java.util.List;

/** Asks the solvers that are on the class path, if the options allow it. */
final class Solvers implements SolverStage {

    private final CompiledPolicy policy;
    private final SmtDecider decider;
    private final SmtBudget budget;
    private final PrivoxyMetricsTracker tracker;

    private Solvers(CompiledPolicy policy, SmtDecider decider, SmtBudget budget, PrivoxyMetricsTracker tracker) {
        this.policy = policy;
        this.decider = decider;
        this.budget = budget;
        this.tracker = tracker;
    }

    /** The stage for a policy; counterexamples are looked for only if refusals show them. */
    static SolverStage stage(PrivoxyConfig config, CompiledPolicy policy, PrivoxyMetricsTracker tracker) {
        SolverPortfolio portfolio = portfolio(config);
        SmtBudget budget = config.get(PrivoxyOptions.EXPLAIN) == PrivoxyOptions.Explain.COUNTEREXAMPLE
                ? SmtBudget.WITH_COUNTEREXAMPLE
                : SmtBudget.PROOF;
        return portfolio.isEmpty() ? NONE : new Solvers(policy, new SmtDecider(portfolio), budget, tracker);
    }

    /** The solvers of this process, loaded when first asked for; none if the options switch them off. */
    private static SolverPortfolio portfolio(PrivoxyConfig config) {
        return config.get(PrivoxyOptions.SOLVER) == PrivoxyOptions.Solver.OFF ? None.PORTFOLIO : Found.PORTFOLIO;
    }

    @Override
    public SmtDecision decide(Problem problem) {
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

    private static final class Found {
        static final SolverPortfolio PORTFOLIO = SolverPortfolio.load(Solvers.class.getClassLoader());
    }

    private static final class None {
        static final SolverPortfolio PORTFOLIO = SolverPortfolio.of(List.of());
    }
}
