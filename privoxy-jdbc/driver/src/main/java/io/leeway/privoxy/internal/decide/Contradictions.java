package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.List;

/**
 * What takes a proof's place that rests on a contradiction in what is asked.
 *
 * <p>A statement whose conditions contradict each other, the schema or an assertion has no answer, by what is known. Where
 * that is wrong (a row that breaks an assertion, a value that the database takes for two things at once) it has one, and
 * everything that it names would be shown. So it has to be compliant without one of its conditions, with the columns of
 * that one in its answer: who may see these may see which rows fulfil the condition.
 *
 * <p>A condition that is true of no row whatever is believed: {@code 1 = 0}, {@code id = NULL}.
 */
final class Contradictions {

    private Contradictions() {}

    /** Whether one of the conditions is true of no row, by itself. */
    static boolean failsByItself(Problem problem, Shape disjunct, CompiledPolicy policy, Budget budget) {
        Opening opening = Opening.of(problem.withoutFacts(), policy, budget, Relevance.NOTHING);
        int[][] rows = new int[disjunct.tables.length][];
        for (int atom = 0; atom < rows.length; atom++) {
            rows[atom] = policy.tables().get(disjunct.tables[atom]).unknown(opening.state.universe);
        }
        for (CompiledCondition condition : disjunct.conditions) {
            if (Ground.of(condition, opening.state, opening.arguments, rows).truth(opening.state) == Truth.FAILS) {
                return true;
            }
        }
        return false;
    }

    /** The same, without one of the conditions each, and at last without any, which contradicts nothing. */
    static List<ConjunctiveQuery> lessAsked(ConjunctiveQuery query) {
        List<ConjunctiveQuery> less = new ArrayList<>();
        int conditions = query.conditions().size();
        less.add(query);
        for (int i = 0; i < conditions; i++) {
            less.add(without(query, i, i + 1));
        }
        less.add(without(query, 0, conditions));
        return less;
    }

    private static ConjunctiveQuery without(ConjunctiveQuery query, int first, int end) {
        List<Condition> left = new ArrayList<>();
        List<Term> head = new ArrayList<>(query.head());
        for (int i = 0; i < query.conditions().size(); i++) {
            Condition condition = query.conditions().get(i);
            if (i < first || i >= end) {
                left.add(condition);
                continue;
            }
            for (int variable : Mentions.variables(Mentions.terms(condition))) {
                Term column = new Term.Variable(variable);
                if (!head.contains(column)) {
                    head.add(column);
                }
            }
        }
        return new ConjunctiveQuery(query.atoms(), left, head);
    }
}
