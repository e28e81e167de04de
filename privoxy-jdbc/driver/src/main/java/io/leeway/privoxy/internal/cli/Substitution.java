package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.function.UnaryOperator;

/** Queries with other terms in the place of some. */
final class Substitution {

    private Substitution() {}

    /** The query with its arguments in the place of its parameters. */
    static UnionQuery arguments(UnionQuery query, List<Value> arguments) {
        UnaryOperator<Term> mapping =
                term -> term instanceof Term.Parameter parameter && parameter.index() < arguments.size()
                        ? new Term.Constant(arguments.get(parameter.index()))
                        : term;
        return new UnionQuery(query.disjuncts().stream()
                .map(disjunct -> query(disjunct, mapping))
                .toList());
    }

    static ConjunctiveQuery query(ConjunctiveQuery query, UnaryOperator<Term> mapping) {
        return new ConjunctiveQuery(
                query.atoms(),
                query.conditions().stream()
                        .map(condition -> condition(condition, mapping))
                        .toList(),
                terms(query.head(), mapping));
    }

    static Condition condition(Condition condition, UnaryOperator<Term> mapping) {
        if (condition instanceof Condition.Comparison comparison) {
            return new Condition.Comparison(
                    comparison.operator(), term(comparison.left(), mapping), term(comparison.right(), mapping));
        }
        if (condition instanceof Condition.NullTest test) {
            return new Condition.NullTest(term(test.term(), mapping), test.isNull());
        }
        var oneOf = (Condition.OneOf) condition;
        return new Condition.OneOf(term(oneOf.term(), mapping), terms(oneOf.options(), mapping));
    }

    private static List<Term> terms(List<Term> terms, UnaryOperator<Term> mapping) {
        return terms.stream().map(term -> term(term, mapping)).toList();
    }

    static Term term(Term term, UnaryOperator<Term> mapping) {
        return term instanceof Term.Function function
                ? new Term.Function(function.symbol(), terms(function.arguments(), mapping))
                : mapping.apply(term);
    }
}
