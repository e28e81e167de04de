package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import java.util.stream.Collectors;

/**
 * Says conditions of a policy in SQL-like words, columns with their tables. Arguments of a query are shown as
 * {@code ?}.
 *
 * <p>Values of a statement are left out, as messages go to logs ({@code NoValuesInLogsTest}); constants of the policy
 * are shown, as the policy is not secret to who reads refusals.
 */
final class Words {

    private Words() {}

    static String of(Condition condition, ConjunctiveQuery query, CompiledPolicy policy) {
        return condition.sql(term -> of(term, query, policy));
    }

    static String of(Term term, ConjunctiveQuery query, CompiledPolicy policy) {
        if (term instanceof Term.Variable variable) {
            Atom atom = Mentions.atomOf(query, variable.index());
            int table = policy.tableNumber(atom.table());
            return policy.shownName(atom.table()) + "."
                    + policy.tables()
                            .get(table)
                            .table
                            .columns()
                            .get(variable.index() - atom.firstVariable())
                            .name();
        }
        if (term instanceof Term.Constant constant) {
            return text(constant.value());
        }
        if (term instanceof Term.Parameter) {
            return "?";
        }
        if (term instanceof Term.Context context) {
            return "?" + context.name();
        }
        Term.Function function = (Term.Function) term;
        // A collation key is an aid of ours; the author of the policy wrote the column.
        if (function.symbol().startsWith("key:")) {
            return of(function.arguments().get(0), query, policy);
        }
        return function.symbol()
                + function.arguments().stream()
                        .map(argument -> of(argument, query, policy))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    static boolean mentions(Condition condition, Atom atom) {
        return Mentions.variables(Mentions.terms(condition)).stream()
                .anyMatch(index -> index >= atom.firstVariable() && index < atom.firstVariable() + atom.arity());
    }

    private static String text(Value value) {
        return value.isNull() || !(value.raw() instanceof String text)
                ? value.toString().toUpperCase(java.util.Locale.ROOT)
                : "'" + text.replace("'", "''") + "'";
    }
}
