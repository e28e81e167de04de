package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import org.jspecify.annotations.Nullable;

/**
 * What an expression is to the checker.
 *
 * <p>Either a term, about which conditions can be asked and proved, or something of which only what it depends on is
 * asked.
 */
sealed interface Operand permits Operand.Plain, Hidden {

    /** SQL NULL, whatever its type. */
    Plain NULL = new Plain(new Term.Constant(Value.NULL), Sort.NULL, true);

    /**
     * A term over the rows at hand.
     *
     * <p>The sort says as what the database compares it; a term alone does not. {@code 1} beside a column of text is
     * another value than beside one of numbers, and a parameter is what it is compared with.
     *
     * @param nullable false only if the value is certainly not NULL
     */
    record Plain(Term term, Sort sort, boolean nullable) implements Operand {

        /**
         * A NULL that is one by what it was made of, not by its name.
         *
         * <p>Its type is kept, since it decides as what the values beside it are compared ({@link Nulls}).
         */
        static Plain nullOf(@Nullable ColumnType type) {
            return new Plain(new Term.Constant(Value.NULL), new Sort.OfNull(type), true);
        }

        boolean isNull() {
            return sort instanceof Sort.OfNull;
        }
    }
}
