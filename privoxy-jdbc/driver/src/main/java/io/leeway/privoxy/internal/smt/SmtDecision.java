package io.leeway.privoxy.internal.smt;

/** What the solvers found about a problem. */
public sealed interface SmtDecision {

    /**
     * Compliant.
     *
     * @param form which form was proved
     * @param solver who proved it
     */
    record Compliant(Form form, String solver) implements SmtDecision {}

    /** Not compliant: here are two databases. */
    record Refuted(Counterexample counterexample) implements SmtDecision {}

    /**
     * Neither was found.
     *
     * @param reason in plain words, without data
     */
    record Undecided(String reason) implements SmtDecision {}
}
