package io.leeway.privoxy.internal.solver;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;

/**
 * Brings the solvers. The artifact {@code privoxy-solvers} has the one implementation, which the driver finds by
 * {@link java.util.ServiceLoader}. Thread-safe.
 */
public interface SolverStages {

    /**
     * The stage for a policy. Native code is loaded when a question is asked, not before.
     *
     * @param effort steps that a decision may cost, as the driver counts them
     * @param withExamples whether a counterexample is looked for where there is no proof, however long that takes
     * @param tracker is told how each solver that was asked ended
     */
    SolverStage stage(CompiledPolicy policy, int effort, boolean withExamples, PrivoxyMetricsTracker tracker);
}
