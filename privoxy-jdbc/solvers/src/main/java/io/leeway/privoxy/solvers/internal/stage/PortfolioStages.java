package io.leeway.privoxy.solvers.internal.stage;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.solver.SolverStage;
import io.leeway.privoxy.internal.solver.SolverStages;
import io.leeway.privoxy.solvers.internal.smt.SmtBudget;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;

/**
 * The stage of solvers as the driver finds it.
 *
 * <p>The one class that the driver's service file names; everything else here is reached through it.
 */
public final class PortfolioStages implements SolverStages {

    /** For {@link java.util.ServiceLoader}. */
    public PortfolioStages() {}

    @Override
    public SolverStage stage(CompiledPolicy policy, int effort, boolean withExamples, PrivoxyMetricsTracker tracker) {
        SmtBudget proof = SmtBudget.ofEffort(effort);
        return new PortfolioStage(policy, withExamples ? proof.withCounterexample() : proof, tracker);
    }
}
