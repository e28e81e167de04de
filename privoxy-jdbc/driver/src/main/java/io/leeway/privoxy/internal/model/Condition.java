package io.leeway.privoxy.internal.model;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A literal of a WHERE clause. It <em>holds</em> when SQL says TRUE; FALSE and UNKNOWN both count as not holding.
 * Negation is pushed into the operators beforehand, which in SQL's logic keeps "is TRUE" intact.
 */
public sealed interface Condition {

    /** Comparison operators; the mirrored and negated ones are written with these. */
    enum Operator {
        EQUAL("="),
        NOT_EQUAL("<>"),
        LESS("<"),
        LESS_OR_EQUAL("<=");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        /** As SQL writes it. */
        public String sign() {
            return sign;
        }
    }

    /** The condition as SQL writes it, with its terms in the given words. */
    default String sql(Function<Term, String> words) {
        if (this instanceof Comparison comparison) {
            return words.apply(comparison.left()) + " " + comparison.operator().sign() + " "
                    + words.apply(comparison.right());
        }
        if (this instanceof NullTest test) {
            return words.apply(test.term()) + (test.isNull() ? " IS NULL" : " IS NOT NULL");
        }
        OneOf oneOf = (OneOf) this;
        return words.apply(oneOf.term()) + " IN "
                + oneOf.options().stream().map(words).collect(Collectors.joining(", ", "(", ")"));
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
