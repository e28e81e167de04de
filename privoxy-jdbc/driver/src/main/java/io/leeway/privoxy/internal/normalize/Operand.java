package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;

/** What an expression is to the checker. */
sealed interface Operand permits Operand.Plain, Hidden {

    /** SQL NULL, whatever its type. */
    Plain NULL = new Plain(new Term.Constant(Value.NULL), Sort.NULL, true);

    /**
     * A term over the rows at hand.
     *
     * @param nullable false only if the value is certainly not NULL
     */
    record Plain(Term term, Sort sort, boolean nullable) implements Operand {

        boolean isNull() {
            return sort == Sort.NULL;
        }
    }
}
