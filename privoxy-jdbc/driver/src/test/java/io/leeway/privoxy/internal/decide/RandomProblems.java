package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
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
import java.util.Random;

/** Small random schemas, policies and queries over values 0, 1 (numbers), TRUE, FALSE and NULL. */
public final class RandomProblems {

    private static final ColumnType NUMBER = ColumnType.integer("bigint");
    private static final ColumnType COLLATED = ColumnType.inexact(ValueKind.NUMBER, "ci", "collated");
    private static final ColumnType BOOLEAN = ColumnType.exact(ValueKind.BOOLEAN, "boolean");

    /** The first two do not need an order. */
    private static final List<Condition.Operator> OPERATORS = List.of(
            Condition.Operator.EQUAL,
            Condition.Operator.NOT_EQUAL,
            Condition.Operator.LESS,
            Condition.Operator.LESS_OR_EQUAL);

    private final Random random;

    public RandomProblems(Random random) {
        this.random = random;
    }

    public Schema schema() {
        Map<String, Table> tables = new LinkedHashMap<>();
        int count = 1 + random.nextInt(2);
        for (int t = 0; t < count; t++) {
            List<Column> columns = new ArrayList<>();
            int arity = count == 1 ? 2 + random.nextInt(2) : 1 + random.nextInt(2);
            for (int c = 0; c < arity; c++) {
                columns.add(new Column("c" + c, type(), random.nextInt(3) == 0));
            }
            List<Key> keys = new ArrayList<>();
            if (random.nextInt(3) > 0) {
                keys.add(new Key("k" + t, List.of(random.nextInt(arity)), random.nextBoolean()));
            }
            tables.put("t" + t, new Table("t" + t, columns, keys, List.of()));
        }
        if (count == 2 && random.nextBoolean()) {
            Table from = tables.get("t0");
            Table to = tables.get("t1");
            int column = random.nextInt(from.arity());
            int target = random.nextInt(to.arity());
            if (from.columns()
                    .get(column)
                    .type()
                    .equals(to.columns().get(target).type())) {
                ForeignKey key = new ForeignKey("f", List.of(column), "t1", List.of(target), false);
                tables.put("t0", new Table("t0", from.columns(), from.keys(), List.of(key)));
            }
        }
        return new Schema(tables);
    }

    private ColumnType type() {
        int choice = random.nextInt(6);
        return choice == 0 ? BOOLEAN : choice == 1 ? COLLATED : NUMBER;
    }

    public Policy policy(Schema schema) {
        List<View> views = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            views.add(new View("v" + i, "", union(schema, 0, true), List.of(), ""));
        }
        List<Inclusion> inclusions = new ArrayList<>();
        if (random.nextInt(4) == 0) {
            ConjunctiveQuery left = query(schema, 0, 1, false);
            UnionQuery right = random.nextInt(3) == 0
                    ? new UnionQuery(List.of())
                    : UnionQuery.of(query(schema, 0, left.head().size(), false));
            if (right.disjuncts().isEmpty()
                    || right.disjuncts().get(0).head().size() == left.head().size()) {
                inclusions.add(new Inclusion("i", UnionQuery.of(left), right, ""));
            }
        }
        return new Policy(schema, Map.of("Me", NUMBER), views, inclusions);
    }

    public UnionQuery union(Schema schema, int parameters, boolean context) {
        ConjunctiveQuery first = query(schema, parameters, -1, context);
        if (random.nextInt(4) > 0) {
            return UnionQuery.of(first);
        }
        if (random.nextBoolean()) {
            return new UnionQuery(List.of(
                    first,
                    new ConjunctiveQuery(
                            first.atoms(), conditions(schema, first.atoms(), parameters, context), first.head())));
        }
        ConjunctiveQuery second = query(schema, parameters, first.head().size(), context);
        return second.head().size() == first.head().size()
                ? new UnionQuery(List.of(first, second))
                : UnionQuery.of(first);
    }

    /** A query with a head of the given length, if it is not negative. */
    public ConjunctiveQuery query(Schema schema, int parameters, int head, boolean context) {
        List<Atom> atoms = new ArrayList<>();
        int next = 0;
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            Table table = schema.table("t" + random.nextInt(schema.tables().size()));
            atoms.add(new Atom(table.name(), next, table.arity()));
            next += table.arity();
        }
        int length = head >= 0 ? head : random.nextInt(next + 1);
        List<Term> terms = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            int variable = random.nextInt(next);
            terms.add(
                    random.nextInt(8) == 0 && type(schema, atoms, variable).equals(NUMBER)
                            ? new Term.Function("f", List.of(new Term.Variable(variable)))
                            : new Term.Variable(variable));
        }
        return new ConjunctiveQuery(atoms, conditions(schema, atoms, parameters, context), terms);
    }

    private List<Condition> conditions(Schema schema, List<Atom> atoms, int parameters, boolean context) {
        List<Condition> conditions = new ArrayList<>();
        int count = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            conditions.add(condition(schema, atoms, parameters, context));
        }
        return conditions;
    }

    private Condition condition(Schema schema, List<Atom> atoms, int parameters, boolean context) {
        Atom last = atoms.get(atoms.size() - 1);
        int variables = last.firstVariable() + last.arity();
        int variable = random.nextInt(variables);
        ColumnType type = type(schema, atoms, variable);
        if (random.nextInt(4) == 0) {
            return new Condition.NullTest(new Term.Variable(variable), random.nextBoolean());
        }
        Term other = rigid(type, parameters, context);
        int candidate = random.nextInt(variables);
        if (random.nextBoolean() && type(schema, atoms, candidate).equals(type)) {
            other = new Term.Variable(candidate);
        }
        if (random.nextInt(6) == 0 && type.equals(NUMBER)) {
            return new Condition.OneOf(
                    new Term.Variable(variable),
                    List.of(rigid(type, parameters, context), rigid(type, parameters, context)));
        }
        Condition.Operator operator = OPERATORS.get(type.equals(NUMBER) ? random.nextInt(4) : random.nextInt(2));
        if (random.nextBoolean()) {
            operator = Condition.Operator.EQUAL;
        }
        return new Condition.Comparison(
                operator, comparable(type, new Term.Variable(variable)), comparable(type, other));
    }

    private static Term comparable(ColumnType type, Term term) {
        return type.hasExactEquality() ? term : new Term.Function(type.keyFunction(), List.of(term));
    }

    private Term rigid(ColumnType type, int parameters, boolean context) {
        if (type.equals(BOOLEAN)) {
            return new Term.Constant(Value.of(random.nextBoolean()));
        }
        if (parameters > 0 && random.nextBoolean()) {
            return new Term.Parameter(random.nextInt(parameters));
        }
        if (context && random.nextInt(3) == 0) {
            return new Term.Context("Me");
        }
        return new Term.Constant(Value.of(random.nextInt(2)));
    }

    private static ColumnType type(Schema schema, List<Atom> atoms, int variable) {
        for (Atom atom : atoms) {
            if (variable < atom.firstVariable() + atom.arity()) {
                return schema.table(atom.table())
                        .columns()
                        .get(variable - atom.firstVariable())
                        .type();
            }
        }
        throw new IllegalArgumentException();
    }
}
