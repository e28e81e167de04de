package io.leeway.privoxy.internal.solver;

import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.Problem;
import org.jspecify.annotations.Nullable;

/** What is asked when the chase finds neither a proof nor a counterexample. Thread-safe. */
public interface SolverStage {

    /** Decides. */
    SolverDecision decide(Problem problem);

    /** Whether a solver proves a problem; counterexamples are not looked for. */
    boolean proves(Problem problem);

    /**
     * The template of a problem that a solver proved.
     *
     * @param form in which it was proved
     * @return null if none was found, or what was found was not proved again
     */
    @Nullable
    Template generalise(Problem proved, Form form);

    /** No solver. */
    SolverStage NONE = new SolverStage() {
        @Override
        public SolverDecision decide(Problem problem) {
            return new SolverDecision.Undecided("no solver is available");
        }

        @Override
        public boolean proves(Problem problem) {
            return false;
        }

        @Override
        public @Nullable Template generalise(Problem proved, Form form) {
            return null;
        }
    };
}
