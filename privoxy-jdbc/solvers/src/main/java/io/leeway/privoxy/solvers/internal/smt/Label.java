package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Value;

/**
 * A premise of a generalised script that can be left out: what its Boolean constant stands for.
 *
 * <p>These are the parts of a template that a proof may turn out to need: premises, equalities, demands of not being
 * NULL, constants.
 */
sealed interface Label {

    /** A row was returned. */
    record Row(int fact) implements Label {}

    /**
     * The operand has the value that it has, whatever that is: operands of one value are equal.
     *
     * <p>Not "equal to that other place": with a common value in the middle, n places need n labels and not their
     * pairs.
     */
    record Same(Operand operand, Value value) implements Label {}

    /**
     * What the operands of this value share is not null.
     *
     * <p>Weaker than the value itself and offered beside it, so that a proof need not take the value.
     */
    record NotNull(Value value) implements Label {}

    /** What the operands of this value share is this value. */
    record Fixed(Value value) implements Label {}
}
