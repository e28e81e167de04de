package io.leeway.privoxy.internal.solver;

import io.leeway.privoxy.internal.refute.Counterexample;

/** What the solvers found about a problem. */
public sealed interface SolverDecision {

    /**
     * Compliant.
     *
     * @param form which form was proved
     * @param solver who proved it
     */
    record Compliant(Form form, String solver) implements SolverDecision {}

    /** Not compliant: here are two databases. */
    record Refuted(Counterexample counterexample) implements SolverDecision {}

    /**
     * Neither was found.
     *
     * @param reason in plain words, without data
     */
    record Undecided(String reason) implements SolverDecision {}
}
