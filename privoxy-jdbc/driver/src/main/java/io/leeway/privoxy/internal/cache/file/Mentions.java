package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import java.util.HashSet;
import java.util.Set;

/** Which parameters queries mention. Not thread-safe. */
final class Mentions {

    private final Set<String> context = new HashSet<>();
    private int parameters;

    /** Names of parameters of the context. */
    Set<String> context() {
        return context;
    }

    /** How many arguments the queries need. */
    int parameters() {
        return parameters;
    }

    void read(ConjunctiveQuery query) {
        query.head().forEach(this::read);
        for (Condition condition : query.conditions()) {
            if (condition instanceof Condition.Comparison comparison) {
                read(comparison.left());
                read(comparison.right());
            } else if (condition instanceof Condition.NullTest test) {
                read(test.term());
            } else if (condition instanceof Condition.OneOf oneOf) {
                read(oneOf.term());
                oneOf.options().forEach(this::read);
            }
        }
    }

    private void read(Term term) {
        if (term instanceof Term.Parameter parameter) {
            parameters = Math.max(parameters, parameter.index() + 1);
        } else if (term instanceof Term.Context named) {
            context.add(named.name());
        } else if (term instanceof Term.Function function) {
            function.arguments().forEach(this::read);
        }
    }
}
