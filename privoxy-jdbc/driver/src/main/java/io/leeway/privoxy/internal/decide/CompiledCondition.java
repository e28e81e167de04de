package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Condition;

/**
 * A condition over {@link CompiledTerm}s.
 *
 * <p>Only these kinds exist, as the normaliser has turned all others into functions of which nothing is known, or has
 * refused them.
 */
final class CompiledCondition {

    /**
     * ONE_OF is a kind of its own rather than a union of equalities: a list of a hundred values would be a hundred
     * disjuncts, and with two lists ten thousand.
     */
    enum Kind {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        IS_NULL,
        IS_NOT_NULL,
        ONE_OF
    }

    final Kind kind;
    final CompiledTerm left;
    /** The right side of a comparison, the options of ONE_OF, nothing for null tests. */
    final CompiledTerm[] right;
    /** Position in the atom order after which the condition can be tested. */
    final int ready;

    private CompiledCondition(Kind kind, CompiledTerm left, CompiledTerm... right) {
        this.kind = kind;
        this.left = left;
        this.right = right;
        int latest = left.ready;
        for (CompiledTerm term : right) {
            latest = Math.max(latest, term.ready);
        }
        this.ready = latest;
    }

    static CompiledCondition of(Condition condition, int[] variableAtom, int[] firstVariable, int[] position) {
        if (condition instanceof Condition.Comparison comparison) {
            return new CompiledCondition(
                    kindOf(comparison.operator()),
                    CompiledTerm.of(comparison.left(), variableAtom, firstVariable, position),
                    CompiledTerm.of(comparison.right(), variableAtom, firstVariable, position));
        }
        if (condition instanceof Condition.NullTest test) {
            return new CompiledCondition(
                    test.isNull() ? Kind.IS_NULL : Kind.IS_NOT_NULL,
                    CompiledTerm.of(test.term(), variableAtom, firstVariable, position));
        }
        Condition.OneOf oneOf = (Condition.OneOf) condition;
        return new CompiledCondition(
                Kind.ONE_OF,
                CompiledTerm.of(oneOf.term(), variableAtom, firstVariable, position),
                CompiledTerm.ofAll(oneOf.options(), variableAtom, firstVariable, position));
    }

    static Kind kindOf(Condition.Operator operator) {
        return switch (operator) {
            case EQUAL -> Kind.EQUAL;
            case NOT_EQUAL -> Kind.NOT_EQUAL;
            case LESS -> Kind.LESS;
            case LESS_OR_EQUAL -> Kind.LESS_OR_EQUAL;
        };
    }
}
