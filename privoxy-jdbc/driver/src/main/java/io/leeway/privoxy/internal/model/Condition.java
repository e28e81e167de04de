package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * A literal of a WHERE clause. It <em>holds</em> when SQL says TRUE; FALSE and UNKNOWN both count as not holding.
 * Negation is pushed into the operators beforehand, which in SQL's logic keeps "is TRUE" intact.
 */
public sealed interface Condition {

    /** Comparison operators; the mirrored and negated ones are written with these. */
    enum Operator {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL
    }

    /**
     * {@code left op right}; holds only if both sides are non-null. EQUAL means identical values: where SQL's equality
     * is coarser, both sides are wrapped in {@link ColumnType#keyFunction()} beforehand. A Boolean expression that the
     * checker does not look into is written {@code f(…) = TRUE}.
     */
    record Comparison(Operator operator, Term left, Term right) implements Condition {}

    /** {@code term IS NULL} or, with {@code isNull == false}, {@code term IS NOT NULL}. */
    record NullTest(Term term, boolean isNull) implements Condition {}

    /** {@code term IN (options)}: equal to one of them; options are constants, parameters or context parameters. */
    record OneOf(Term term, List<Term> options) implements Condition {
        public OneOf {
            options = List.copyOf(options);
        }
    }
}
