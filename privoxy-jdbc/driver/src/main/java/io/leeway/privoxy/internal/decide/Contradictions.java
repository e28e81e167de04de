package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What takes a proof's place that rests on a contradiction in what is asked.
 *
 * <p>A statement whose conditions contradict each other, the schema or an assertion has no answer, by what is known. Where
 * that is wrong (a row that breaks an assertion, a value that the database takes for two things at once) it has one, and
 * everything that it names would be shown. So it has to be compliant without some of its conditions, with the columns of
 * these in its answer: who may see them may see which rows fulfil the conditions.
 *
 * <p>A condition that is true of no row whatever is believed: {@code 1 = 0}, {@code id = NULL}.
 */
final class Contradictions {

    /**
     * Of how many conditions it is looked for what can hold together, which takes time with the square of their number: a
     * statement of hundreds must not be a way to keep the machine busy.
     */
    static final int MOST = 24;

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

    /**
     * The same with fewer conditions: first as it is, then with as many as can hold together, from the first on and from the
     * last on, then without one of them each, and at last without any, which contradicts nothing. Of more than {@link #MOST}
     * only the first and the last.
     *
     * @param canBe whether there may be an answer of such a query
     */
    static Set<ConjunctiveQuery> lessAsked(ConjunctiveQuery query, Predicate<ConjunctiveQuery> canBe) {
        Set<ConjunctiveQuery> less = new LinkedHashSet<>();
        less.add(query);
        int conditions = query.conditions().size();
        if (conditions <= MOST) {
            less.add(asManyAsCanBe(query, canBe, true));
            less.add(asManyAsCanBe(query, canBe, false));
            for (int i = 0; i < conditions; i++) {
                BitSet others = all(conditions);
                others.clear(i);
                less.add(only(query, others));
            }
        }
        less.add(only(query, new BitSet()));
        return less;
    }

    private static ConjunctiveQuery asManyAsCanBe(
            ConjunctiveQuery query, Predicate<ConjunctiveQuery> canBe, boolean fromTheFirstOn) {
        int conditions = query.conditions().size();
        BitSet kept = new BitSet();
        for (int i = 0; i < conditions; i++) {
            int next = fromTheFirstOn ? i : conditions - 1 - i;
            kept.set(next);
            if (!canBe.test(only(query, kept))) {
                kept.clear(next);
            }
        }
        return only(query, kept);
    }

    private static BitSet all(int number) {
        BitSet all = new BitSet();
        all.set(0, number);
        return all;
    }

    private static ConjunctiveQuery only(ConjunctiveQuery query, BitSet kept) {
        List<Condition> left = new ArrayList<>();
        Set<Term> head = new LinkedHashSet<>();
        for (int i = 0; i < query.conditions().size(); i++) {
            Condition condition = query.conditions().get(i);
            if (kept.get(i)) {
                left.add(condition);
            } else {
                Mentions.variables(Mentions.terms(condition)).forEach(each -> head.add(new Term.Variable(each)));
            }
        }
        List<Term> all = new ArrayList<>(query.head());
        query.head().forEach(head::remove);
        all.addAll(head);
        return new ConjunctiveQuery(query.atoms(), left, all);
    }
}
