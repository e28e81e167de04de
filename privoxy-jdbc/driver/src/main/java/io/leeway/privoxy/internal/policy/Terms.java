package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.List;

/** Walks terms. */
final class Terms {

    private Terms() {}

    /** The terms that a condition is about. */
    static List<Term> of(Condition condition) {
        if (condition instanceof Condition.Comparison comparison) {
            return List.of(comparison.left(), comparison.right());
        }
        if (condition instanceof Condition.OneOf oneOf) {
            var terms = new ArrayList<>(oneOf.options());
            terms.add(oneOf.term());
            return terms;
        }
        return condition instanceof Condition.NullTest test ? List.of(test.term()) : List.of();
    }

    /** All terms of a query, those within functions included. */
    static List<Term> of(ConjunctiveQuery query) {
        var terms = new ArrayList<Term>();
        query.head().forEach(term -> terms.addAll(withParts(term)));
        for (Condition condition : query.conditions()) {
            of(condition).forEach(term -> terms.addAll(withParts(term)));
        }
        return terms;
    }

    /** A term and all terms within it. */
    static List<Term> withParts(Term term) {
        var parts = new ArrayList<Term>();
        parts.add(term);
        if (term instanceof Term.Function function) {
            function.arguments().forEach(argument -> parts.addAll(withParts(argument)));
        }
        return parts;
    }
}
