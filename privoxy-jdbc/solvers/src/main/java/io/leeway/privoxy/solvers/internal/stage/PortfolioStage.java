package io.leeway.privoxy.solvers.internal.stage;

import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.internal.solver.SolverStage;
import io.leeway.privoxy.solvers.internal.smt.SmtBudget;
import io.leeway.privoxy.solvers.internal.smt.SmtDecider;
import io.leeway.privoxy.solvers.internal.smt.SolverPortfolio;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import org.jspecify.annotations.Nullable;

/**
 * Asks the solvers that are on the class path about problems under one policy.
 *
 * <p>Asked by the guard after the chase has given up. Thread-safe.
 */
final class PortfolioStage implements SolverStage {

    /** For each step towards a smallest core; there are some ten. */
    private static final Limits CORE = Limits.ofEffort(200);

    private final CompiledPolicy policy;
    private final SmtBudget budget;
    private final PrivoxyMetricsTracker tracker;

    PortfolioStage(CompiledPolicy policy, SmtBudget budget, PrivoxyMetricsTracker tracker) {
        this.policy = policy;
        this.budget = budget;
        this.tracker = tracker;
    }

    @Override
    public SolverDecision decide(Problem problem) {
        return decide(problem, budget);
    }

    @Override
    public boolean proves(Problem problem) {
        // Templates that are loaded are proved once, and nobody waits for an answer meanwhile.
        return decide(problem, SmtBudget.REVIEW) instanceof SolverDecision.Compliant;
    }

    private SolverDecision decide(Problem problem, SmtBudget within) {
        SmtDecider decider = Found.DECIDER;
        // Solvers may be absent although this artifact is there: another platform, an excluded jar.
        return decider == null
                ? NONE.decide(problem)
                // With the tables that only queries name: their keys count, too.
                : decider.reportingTo(tracker).decide(PlainProblem.of(problem), policy.whole(), within);
    }

    /** With limits of its own, as there are some ten proofs on the way. */
    @Override
    public @Nullable Template generalise(Problem proved, Form form) {
        SmtDecider decider = Found.DECIDER;
        if (decider == null) {
            return null;
        }
        return new SolverTemplates(policy, decider.reportingTo(tracker), CORE).generalise(proved, form);
    }

    /**
     * The solvers of this process: native code of some size, so loaded when first needed. Null if there are none.
     *
     * <p>One set of solvers for the whole process, whatever number of policies there are: threads and native memory are
     * the process's.
     */
    private static final class Found {

        static final @Nullable SmtDecider DECIDER = decider(SolverPortfolio.load(SolverStage.class.getClassLoader()));

        private static @Nullable SmtDecider decider(SolverPortfolio portfolio) {
            return portfolio.isEmpty() ? null : new SmtDecider(portfolio);
        }
    }
}
