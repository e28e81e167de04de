package io.leeway.privoxy.solvers;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** Random small schemas, policies and queries whose values are 0, 1, 'a', 'A', TRUE, FALSE and NULL. */
final class RandomCases {

    private static final ColumnType NUMBER = ColumnType.integer("bigint");
    private static final ColumnType BOOLEAN = ColumnType.exact(ValueKind.BOOLEAN, "boolean");
    private static final ColumnType FOLDED = ColumnType.inexact(ValueKind.TEXT, "ci", "citext");

    private final RandomGenerator random;

    RandomCases(RandomGenerator random) {
        this.random = random;
    }

    Policy policy() {
        Schema schema = schema();
        List<View> views = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            views.add(new View("v" + i, "", union(schema, 0, true), List.of(), ""));
        }
        List<Inclusion> inclusions = new ArrayList<>();
        if (oneIn(4)) {
            ConjunctiveQuery left = query(schema, 0, false, 1);
            UnionQuery right = oneIn(3) ? new UnionQuery(List.of()) : UnionQuery.of(query(schema, 0, false, 1));
            inclusions.add(new Inclusion("i", UnionQuery.of(left), right, ""));
        }
        return new Policy(schema, Map.of("Me", NUMBER), views, inclusions);
    }

    private Schema schema() {
        Map<String, Table> tables = new LinkedHashMap<>();
        int count = 1 + random.nextInt(2);
        for (int t = 0; t < count; t++) {
            int arity = count == 1 ? 2 + random.nextInt(2) : 1 + random.nextInt(2);
            List<Column> columns = new ArrayList<>();
            for (int c = 0; c < arity; c++) {
                columns.add(new Column("c" + c, type(), oneIn(2)));
            }
            List<Key> keys = new ArrayList<>();
            for (int k = random.nextInt(3); k > 0; k--) {
                List<Integer> on = new ArrayList<>(List.of(random.nextInt(arity)));
                int further = random.nextInt(arity);
                if (oneIn(3) && !on.contains(further)) {
                    on.add(further);
                }
                keys.add(new Key("k" + k, on, oneIn(2)));
            }
            tables.put("t" + t, new Table("t" + t, columns, keys, List.of()));
        }
        for (Table table : List.copyOf(tables.values())) {
            addForeignKey(tables, table);
        }
        return new Schema(tables);
    }

    private void addForeignKey(Map<String, Table> tables, Table table) {
        Table target = Objects.requireNonNull(tables.get("t" + random.nextInt(tables.size())));
        int from = random.nextInt(table.arity());
        int to = random.nextInt(target.arity());
        boolean isComparable =
                table.columns().get(from).type().equals(target.columns().get(to).type());
        if (oneIn(2) && isComparable) {
            ForeignKey key = new ForeignKey("f", List.of(from), target.name(), List.of(to), false);
            tables.put(table.name(), new Table(table.name(), table.columns(), table.keys(), List.of(key)));
        }
    }

    private ColumnType type() {
        return switch (random.nextInt(6)) {
            case 0 -> BOOLEAN;
            case 1 -> FOLDED;
            default -> NUMBER;
        };
    }

    UnionQuery union(Schema schema, int parameters, boolean withContext) {
        ConjunctiveQuery first = query(schema, parameters, withContext, -1);
        return oneIn(4)
                ? new UnionQuery(List.of(
                        first,
                        query(schema, parameters, withContext, first.head().size())))
                : UnionQuery.of(first);
    }

    /** A query with {@code width} columns, or any number if that is negative. */
    ConjunctiveQuery query(Schema schema, int parameters, boolean withContext, int width) {
        List<Atom> atoms = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (int i = random.nextInt(2); i >= 0; i--) {
            Table table = Objects.requireNonNull(
                    schema.table("t" + random.nextInt(schema.tables().size())));
            atoms.add(new Atom(table.name(), columns.size(), table.arity()));
            columns.addAll(table.columns());
        }
        List<Condition> conditions = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            conditions.add(condition(columns, parameters, withContext));
        }
        List<Term> head = new ArrayList<>();
        for (int i = width < 0 ? random.nextInt(columns.size() + 1) : width; i > 0; i--) {
            int column = random.nextInt(columns.size());
            Term term = new Term.Variable(column);
            head.add(
                    oneIn(8) && columns.get(column).type().equals(NUMBER)
                            ? new Term.Function("not", List.of(term))
                            : term);
        }
        return new ConjunctiveQuery(atoms, conditions, head);
    }

    private Condition condition(List<Column> columns, int parameters, boolean withContext) {
        int left = random.nextInt(columns.size());
        int right = random.nextInt(columns.size());
        ColumnType type = columns.get(left).type();
        if (oneIn(5)) {
            return new Condition.NullTest(new Term.Variable(left), oneIn(2));
        }
        boolean joins = oneIn(2) && columns.get(right).type().equals(type);
        Term other = joins ? new Term.Variable(right) : constant(type, parameters, withContext);
        if (type.equals(NUMBER) && oneIn(6)) {
            return new Condition.OneOf(
                    new Term.Variable(left),
                    List.of(constant(type, parameters, withContext), constant(type, parameters, withContext)));
        }
        Operator[] operators =
                type.equals(NUMBER) ? Operator.values() : new Operator[] {Operator.EQUAL, Operator.NOT_EQUAL};
        Operator operator = oneIn(2) ? Operator.EQUAL : operators[random.nextInt(operators.length)];
        return new Condition.Comparison(operator, comparable(type, new Term.Variable(left)), comparable(type, other));
    }

    private static Term comparable(ColumnType type, Term term) {
        return type.hasExactEquality() ? term : new Term.Function(type.keyFunction(), List.of(term));
    }

    private Term constant(ColumnType type, int parameters, boolean withContext) {
        if (type.equals(BOOLEAN)) {
            return new Term.Constant(Value.of(oneIn(2)));
        }
        if (type.equals(FOLDED)) {
            return new Term.Constant(Value.of(oneIn(2) ? "a" : "A"));
        }
        if (parameters > 0 && oneIn(2)) {
            return new Term.Parameter(random.nextInt(parameters));
        }
        return withContext && oneIn(3) ? new Term.Context("Me") : new Term.Constant(Value.of(random.nextInt(2)));
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }
}
