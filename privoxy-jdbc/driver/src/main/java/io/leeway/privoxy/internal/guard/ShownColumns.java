package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which columns of a counterexample's tables people need to see: those of keys and foreign keys, those that the policy
 * compares, and those that the query or an earlier one mentions. Nothing depends on the others: whatever stands there,
 * if it is the same in both databases, the example is one.
 *
 * <p>A table of fifty columns would hide the two that matter.
 */
final class ShownColumns {

    private final TellingColumns telling;
    private final Map<String, Set<Integer>> asked = new HashMap<>();

    ShownColumns(CompiledPolicy policy, Problem problem) {
        this.telling = new TellingColumns(policy.policy(), policy::table);
        problem.goal().query().disjuncts().forEach(this::add);
        problem.facts().forEach(fact -> add(fact.query().query()));
    }

    /** Positions of the columns of a table to show, ascending. */
    List<Integer> of(Table table) {
        return IntStream.range(0, table.arity())
                .filter(column -> telling.tells(table, column)
                        || asked.getOrDefault(table.name(), Set.of()).contains(column))
                .boxed()
                .toList();
    }

    /** Conditions and heads alike, of what is asked and of what was read before. */
    private void add(ConjunctiveQuery query) {
        Mentions.walk(query, term -> {
            if (term instanceof Term.Variable variable) {
                Atom atom = Mentions.atomOf(query, variable.index());
                asked.computeIfAbsent(atom.table(), table -> new HashSet<>())
                        .add(variable.index() - atom.firstVariable());
            }
        });
    }
}
