package io.leeway.privoxy.internal.smt;

import io.leeway.privoxy.spi.Limits;
import org.jspecify.annotations.Nullable;

/**
 * How much may be spent on a decision.
 *
 * @param proof for each of the two forms of the proof
 * @param counterexample for each attempt at a counterexample, or null if none is wanted
 */
public record SmtBudget(Limits proof, @Nullable Limits counterexample) {

    /** For production: a proof or nothing. */
    public static final SmtBudget PROOF = new SmtBudget(Limits.ofEffort(500), null);

    /** For development: refusals come with a counterexample. */
    public static final SmtBudget WITH_COUNTEREXAMPLE = new SmtBudget(Limits.ofEffort(500), Limits.ofEffort(1_000));
}
