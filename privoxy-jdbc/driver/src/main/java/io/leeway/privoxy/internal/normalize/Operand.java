package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import org.jspecify.annotations.Nullable;

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

        /** A NULL that is one by what it was made of, not by its name. */
        static Plain nullOf(@Nullable ColumnType type) {
            return new Plain(new Term.Constant(Value.NULL), new Sort.OfNull(type), true);
        }

        boolean isNull() {
            return sort instanceof Sort.OfNull;
        }
    }
}
