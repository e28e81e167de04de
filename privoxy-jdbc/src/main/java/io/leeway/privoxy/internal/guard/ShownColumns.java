package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which columns of a counterexample's tables people need to see: those of the first key, those that a policy view
 * compares, and those that the query mentions. Nothing depends on the others.
 */
final class ShownColumns {

    private final TellingColumns telling;
    private final Map<String, Set<Integer>> asked = new HashMap<>();

    ShownColumns(CompiledPolicy policy, UnionQuery query) {
        this.telling = new TellingColumns(policy.policy(), policy::table);
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            disjunct.head().forEach(term -> add(term, disjunct));
            for (Condition condition : disjunct.conditions()) {
                TellingColumns.terms(condition).forEach(term -> add(term, disjunct));
            }
        }
    }

    /** Positions of the columns of a table to show, ascending. */
    List<Integer> of(Table table) {
        return IntStream.range(0, table.arity())
                .filter(column -> isShown(table, column))
                .boxed()
                .toList();
    }

    private boolean isShown(Table table, int column) {
        return (!table.keys().isEmpty() && table.keys().get(0).columns().contains(column))
                || telling.isCompared(table.name(), column)
                || asked.getOrDefault(table.name(), Set.of()).contains(column);
    }

    private void add(Term term, ConjunctiveQuery query) {
        if (term instanceof Term.Variable variable) {
            Atom atom = TellingColumns.atom(variable, query);
            asked.computeIfAbsent(atom.table(), table -> new HashSet<>()).add(variable.index() - atom.firstVariable());
        } else if (term instanceof Term.Function function) {
            function.arguments().forEach(argument -> add(argument, query));
        }
    }
}
