package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Whether the schema alone says that one query's answers are among another's: finds a mapping of the second query's rows
 * to the first's, rows that foreign keys demand included (two steps far), under which all conditions of the second hold.
 * Sound; it misses what takes more than that.
 */
final class Containment {

    private static final int STEPS = 2;
    private static final int MAX_ROWS = 64;

    private final Schema schema;

    Containment(Schema schema) {
        this.schema = schema;
    }

    boolean holds(UnionQuery left, UnionQuery right) {
        return left.disjuncts().stream().allMatch(disjunct -> holds(disjunct, right));
    }

    private boolean holds(ConjunctiveQuery left, UnionQuery right) {
        var facts = new QueryFacts(left, schema);
        List<Row> rows = rows(left, facts);
        return facts.contradiction() != null
                || right.disjuncts().stream().anyMatch(disjunct -> new Search(left, disjunct, facts, rows).extend(0));
    }

    /** A row of the left query, or one that a foreign key demands; {@code cells} are terms of the left query or new. */
    private record Row(String table, List<Term> cells) {}

    private List<Row> rows(ConjunctiveQuery left, QueryFacts facts) {
        var rows = new ArrayList<Row>();
        for (Atom atom : left.atoms()) {
            var cells = new ArrayList<Term>();
            for (int column = 0; column < atom.arity(); column++) {
                cells.add(new Term.Variable(atom.firstVariable() + column));
            }
            rows.add(new Row(atom.table(), cells));
        }
        int from = 0;
        int fresh = left.variables();
        for (int step = 0; step < STEPS; step++) {
            int to = rows.size();
            for (int i = from; i < to; i++) {
                Table table = schema.table(rows.get(i).table);
                if (table == null) {
                    continue;
                }
                for (ForeignKey key : table.foreignKeys()) {
                    Table target = schema.table(key.target());
                    if (target != null && rows.size() < MAX_ROWS && refers(rows.get(i), table, key, target, facts)) {
                        rows.add(targetRow(rows.get(i), key, target, fresh));
                        fresh += target.arity();
                    }
                }
            }
            from = to;
        }
        return rows;
    }

    private static boolean refers(Row row, Table table, ForeignKey key, Table target, QueryFacts facts) {
        for (int i = 0; i < key.columns().size(); i++) {
            int column = key.columns().get(i);
            boolean exact = table.columns().get(column).type().hasExactEquality()
                    && target.columns().get(key.targetColumns().get(i)).type().hasExactEquality();
            boolean present = !table.columns().get(column).nullable() || facts.isNeverNull(row.cells.get(column));
            if (!exact || !present) {
                return false;
            }
        }
        return true;
    }

    private static Row targetRow(Row row, ForeignKey key, Table target, int fresh) {
        var cells = new ArrayList<Term>();
        for (int column = 0; column < target.arity(); column++) {
            int pair = key.targetColumns().indexOf(column);
            cells.add(
                    pair < 0
                            ? new Term.Variable(fresh + column)
                            : row.cells.get(key.columns().get(pair)));
        }
        return new Row(target.name(), cells);
    }

    /** The search for a mapping. */
    private final class Search {

        private final ConjunctiveQuery left;
        private final ConjunctiveQuery right;
        private final QueryFacts facts;
        private final List<Row> rows;
        private final Map<Integer, Term> mapping = new HashMap<>();

        Search(ConjunctiveQuery left, ConjunctiveQuery right, QueryFacts facts, List<Row> rows) {
            this.left = left;
            this.right = right;
            this.facts = facts;
            this.rows = rows;
        }

        boolean extend(int atomNumber) {
            if (atomNumber == right.atoms().size()) {
                return headsAgree() && right.conditions().stream().allMatch(this::isImplied);
            }
            Atom atom = right.atoms().get(atomNumber);
            for (Row row : rows) {
                if (row.table.equals(atom.table())) {
                    for (int column = 0; column < atom.arity(); column++) {
                        mapping.put(atom.firstVariable() + column, row.cells.get(column));
                    }
                    if (extend(atomNumber + 1)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean headsAgree() {
            for (int i = 0; i < right.head().size(); i++) {
                if (!same(left.head().get(i), mapped(right.head().get(i)))) {
                    return false;
                }
            }
            return true;
        }

        private boolean same(Term a, Term b) {
            return facts.representative(a).equals(facts.representative(b));
        }

        private boolean isImplied(Condition condition) {
            Condition mapped = mapped(condition);
            if (mapped instanceof Condition.Comparison comparison
                    && comparison.operator() == Condition.Operator.EQUAL
                    && same(comparison.left(), comparison.right())) {
                return isNeverNull(comparison.left()) || isNeverNull(comparison.right());
            }
            if (mapped instanceof Condition.NullTest test && !test.isNull() && isNeverNull(test.term())) {
                return true;
            }
            return left.conditions().stream().anyMatch(known -> canonical(known).equals(canonical(mapped)));
        }

        private boolean isNeverNull(Term term) {
            return facts.isNeverNull(term) || rows.stream().anyMatch(row -> isNotNullColumn(row, term));
        }

        private boolean isNotNullColumn(Row row, Term term) {
            int column = row.cells.indexOf(term);
            Table table = schema.table(row.table);
            return column >= 0 && table != null && !table.columns().get(column).nullable();
        }

        private Condition canonical(Condition condition) {
            return mapped(condition, facts::representative);
        }

        private Condition mapped(Condition condition) {
            return mapped(condition, this::mapped);
        }

        private Condition mapped(Condition condition, UnaryOperator<Term> mapping) {
            if (condition instanceof Condition.Comparison comparison) {
                return new Condition.Comparison(
                        comparison.operator(), mapping.apply(comparison.left()), mapping.apply(comparison.right()));
            }
            if (condition instanceof Condition.OneOf oneOf) {
                return new Condition.OneOf(
                        mapping.apply(oneOf.term()),
                        oneOf.options().stream().map(mapping).toList());
            }
            if (condition instanceof Condition.NullTest test) {
                return new Condition.NullTest(mapping.apply(test.term()), test.isNull());
            }
            throw new IllegalStateException("an unknown condition: " + condition);
        }

        private Term mapped(Term term) {
            if (term instanceof Term.Variable variable) {
                return mapping.getOrDefault(variable.index(), term);
            }
            if (term instanceof Term.Function function) {
                return new Term.Function(
                        function.symbol(),
                        function.arguments().stream().map(this::mapped).toList());
            }
            return term;
        }
    }
}
