package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Slot;
import io.leeway.privoxy.internal.model.Term;
import java.util.List;

/**
 * {@code left IN (…)} over values that no row has a part in. As the only alternative of the outermost block it becomes
 * one question for each value (the statement's result is the union of theirs); elsewhere the other form is taken.
 *
 * <p>Why not simply a disjunction: a template is a theorem about symbols. With one question for each element it holds
 * for lists of any length, and a request with 50 ids is decided as one with 2; a disjunction of 50 equalities would be
 * another text to prove for each length.
 *
 * @param left the side to compare, wrapped where equality is not identity
 * @param keyFunction the wrapping function, or empty
 * @param slot where the values come from
 * @param otherwise conditions, any of which suffices
 */
record Choice(Term left, String keyFunction, Slot slot, List<Condition> otherwise) {

    Choice {
        otherwise = List.copyOf(otherwise);
    }

    /** The comparison with one value, given the number of the argument that stands for it. */
    Condition with(int argument) {
        Term right = new Term.Parameter(argument);
        return new Condition.Comparison(
                Condition.Operator.EQUAL,
                left,
                keyFunction.isEmpty() ? right : new Term.Function(keyFunction, List.of(right)));
    }
}
