package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The answers of queries on symbolic databases: one for every combination of rows that is not impossible at sight.
 * Their number is the product of the rows of the tables joined, so it is bounded.
 *
 * <p>The size-bounded encoding has no relations and no quantifiers, so joins are written out (Chang, UCB/EECS-2021-244,
 * section 3.4, with the downside named there: size multiplies).
 */
final class Joins {

    /** A row that the query returns if the condition holds. */
    record SymbolicAnswer(String condition, List<String> head) {}

    /**
     * The problem is too large for the bounded form.
     *
     * <p>Without a stack trace; it ends the search for an example and nothing else.
     */
    static final class TooLarge extends RuntimeException {
        TooLarge() {
            super("too many combinations", null, false, false);
        }
    }

    private final Vocabulary vocabulary;
    private final Scope scope;
    private int left;

    Joins(Vocabulary vocabulary, Scope scope, int combinations) {
        this.vocabulary = vocabulary;
        this.scope = scope;
        this.left = combinations;
    }

    List<SymbolicAnswer> answers(UnionQuery query, SymbolicDatabase database, Bindings bindings) {
        Set<SymbolicAnswer> answers = new LinkedHashSet<>();
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            // A table that takes no part is empty in both databases.
            if (scope.tables().keySet().containsAll(Mentions.tables(disjunct))) {
                new Loop(disjunct, database, bindings, answers).run(0, List.of());
            }
        }
        return List.copyOf(answers);
    }

    /**
     * The row is among the answers.
     *
     * <p>Equality as rows have it: two NULLs are one value.
     */
    String contains(List<SymbolicAnswer> answers, List<String> row) {
        List<String> ways = new ArrayList<>();
        for (SymbolicAnswer answer : answers) {
            ways.add(Logic.and(answer.condition(), equal(answer.head(), row)));
        }
        return Logic.or(ways);
    }

    private String equal(List<String> a, List<String> b) {
        List<String> equalities = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            count();
            equalities.add(vocabulary.equal(a.get(i), b.get(i)));
        }
        return Logic.and(equalities);
    }

    /** Conditions, cells and comparisons alike, as it is the length of the text that has to end. */
    private void count() {
        if (--left < 0) {
            throw new TooLarge();
        }
    }

    private final class Loop {

        private final ConjunctiveQuery query;
        private final SymbolicDatabase database;
        private final Set<SymbolicAnswer> answers;
        private final SymbolicRow[] chosen;
        private final TermWriter terms;
        private final ConditionWriter conditions;

        Loop(ConjunctiveQuery query, SymbolicDatabase database, Bindings bindings, Set<SymbolicAnswer> answers) {
            this.query = query;
            this.database = database;
            this.answers = answers;
            this.chosen = new SymbolicRow[query.atoms().size()];
            this.terms = new TermWriter(vocabulary, bindings, this::cell);
            this.conditions = new ConditionWriter(
                    vocabulary,
                    terms,
                    index -> scope.table(Mentions.atomOf(query, index).table())
                            .column(index - Mentions.atomOf(query, index).firstVariable())
                            .type());
        }

        void run(int bound, List<String> literals) {
            List<String> more = new ArrayList<>(literals);
            for (Condition condition : query.conditions()) {
                // As early as it can be said, so that impossible combinations end early.
                if (Mentions.atomsNeeded(query, condition) == bound) {
                    count();
                    more.add(conditions.write(condition));
                }
            }
            String holds = Logic.and(more);
            // Two different constants in one column: most combinations end here.
            if (holds.equals(Logic.FALSE)) {
                return;
            }
            if (bound == chosen.length) {
                answers.add(new SymbolicAnswer(
                        holds, query.head().stream().map(terms::write).toList()));
                return;
            }
            for (SymbolicRow row : database.rows(query.atoms().get(bound).table())) {
                chosen[bound] = row;
                List<String> next = new ArrayList<>(more);
                next.add(row.exists());
                run(bound + 1, next);
            }
        }

        private String cell(int index) {
            Atom atom = Mentions.atomOf(query, index);
            return chosen[query.atoms().indexOf(atom)].cell(index - atom.firstVariable());
        }
    }
}
