package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.smt.Form;
import io.leeway.privoxy.internal.smt.SmtBudget;
import io.leeway.privoxy.internal.smt.SmtDecider;
import io.leeway.privoxy.internal.smt.SmtDecision;
import io.leeway.privoxy.internal.smt.SmtProblem;
import io.leeway.privoxy.internal.smt.SolverPortfolio;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import org.jspecify.annotations.Nullable;

/** Asks the solvers that are on the class path, if the options allow it. */
final class Solvers implements SolverStage {

    /** For each step towards a smallest core; there are some ten. */
    private static final Limits CORE = Limits.ofEffort(200);

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
        SmtBudget proof = SmtBudget.ofEffort(config.get(PrivoxyOptions.EFFORT));
        SmtBudget budget = config.get(PrivoxyOptions.EXPLAIN) == PrivoxyOptions.Explain.COUNTEREXAMPLE
                ? proof.withCounterexample()
                : proof;
        return new RememberingSolvers(new Solvers(policy, budget, tracker), System::nanoTime);
    }

    @Override
    public SmtDecision decide(Problem problem) {
        return decide(problem, budget);
    }

    @Override
    public boolean proves(Problem problem) {
        // Templates that are loaded are proved once, and nobody waits for an answer meanwhile.
        return decide(problem, SmtBudget.REVIEW) instanceof SmtDecision.Compliant;
    }

    private SmtDecision decide(Problem problem, SmtBudget within) {
        SmtDecider decider = Found.DECIDER;
        return decider == null
                ? NONE.decide(problem)
                : decider.reportingTo(tracker)
                        .decide(SmtProblem.of(problem), SolverTemplates.wholePolicy(policy), within);
    }

    @Override
    public @Nullable Template generalise(Problem proved, Form form) {
        SmtDecider decider = Found.DECIDER;
        if (decider == null) {
            return null;
        }
        return new SolverTemplates(policy, decider.reportingTo(tracker), CORE).generalise(proved, form);
    }

    /** The solvers of this process: native code of some size, so loaded when first needed. Null if there are none. */
    private static final class Found {

        static final @Nullable SmtDecider DECIDER = decider(SolverPortfolio.load(Solvers.class.getClassLoader()));

        private static @Nullable SmtDecider decider(SolverPortfolio portfolio) {
            return portfolio.isEmpty() ? null : new SmtDecider(portfolio);
        }
    }
}
