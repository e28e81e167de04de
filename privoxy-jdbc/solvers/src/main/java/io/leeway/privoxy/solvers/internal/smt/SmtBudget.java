package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.spi.Limits;
import org.jspecify.annotations.Nullable;

/**
 * How much may be spent on a decision.
 *
 * <p>Effort and not seconds, for the same reason as in the chase: what is decided must not depend on the load. A
 * refusal is remembered for a minute, so this is spent once for it.
 *
 * @param strong for the strong form of the proof, which is nearly always enough
 * @param basic for the definition itself
 * @param counterexample for each attempt at a counterexample, or null if none is wanted
 */
public record SmtBudget(
        Limits strong, Limits basic, @Nullable Limits counterexample) {

    /** Steps of a decision's effort for a unit of a solver's, which is a millisecond or so. */
    private static final int STEPS_PER_UNIT = 1_000;

    /** Examples are for development, where a second is no matter. */
    private static final long COUNTEREXAMPLE = 1_000;

    /** For production: a proof or nothing, within a tenth of a second unless more effort is allowed. */
    public static final SmtBudget PROOF = ofEffort(100_000);

    /** For what is proved once, and nobody waits for: templates. */
    public static final SmtBudget REVIEW = ofEffort(1_000_000);

    /** A proof or nothing, within {@code steps} of effort for both forms together. */
    public static SmtBudget ofEffort(int steps) {
        long units = Math.max(4, steps / STEPS_PER_UNIT);
        // Three quarters for the strong form, which proves nearly everything that is proved at all.
        return new SmtBudget(Limits.ofEffort(units - units / 4), Limits.ofEffort(units / 4), null);
    }

    /**
     * The same for development: refusals come with a counterexample, however long that takes.
     *
     * <p>The proofs keep their limits: examples are for refusals only.
     */
    public SmtBudget withCounterexample() {
        return new SmtBudget(strong, basic, Limits.ofEffort(COUNTEREXAMPLE));
    }

    Limits of(Form form) {
        return form == Form.STRONG ? strong : basic;
    }
}
