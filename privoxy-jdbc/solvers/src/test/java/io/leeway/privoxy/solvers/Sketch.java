package io.leeway.privoxy.solvers;

import io.leeway.privoxy.internal.decide.Arg;
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
import io.leeway.privoxy.internal.refute.PlainProblem;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes policies and problems in tests: {@code table("notes", "id! key", "owner", "day date", "slug text unique")}, then
 * {@code query("notes n").where("n.owner", "=", me()).select("n.id")}.
 */
public final class Sketch {

    private final Map<String, Table> tables = new LinkedHashMap<>();
    private final List<View> views = new ArrayList<>();
    private final List<Inclusion> inclusions = new ArrayList<>();

    /** Columns: a name, {@code !} for NOT NULL, a type (whole number by default), {@code key} or {@code unique}. */
    public Sketch table(String name, String... columns) {
        List<Column> declared = new ArrayList<>();
        List<Integer> primary = new ArrayList<>();
        List<Key> keys = new ArrayList<>();
        for (String text : columns) {
            List<String> words = List.of(text.split(" "));
            boolean isNullable = !words.get(0).endsWith("!");
            String column = words.get(0).replace("!", "");
            if (words.contains("key")) {
                primary.add(declared.size());
            }
            if (words.contains("unique")) {
                keys.add(new Key(name + "_" + column, List.of(declared.size()), true));
            }
            declared.add(new Column(column, type(words), isNullable));
        }
        if (!primary.isEmpty()) {
            keys.add(0, new Key(name + "_pkey", primary, false));
        }
        tables.put(name, new Table(name, declared, keys, List.of()));
        return this;
    }

    private static ColumnType type(List<String> words) {
        return words.contains("text")
                ? ColumnType.exact(ValueKind.TEXT, "text")
                : words.contains("citext")
                        ? ColumnType.inexact(ValueKind.TEXT, "ci", "citext")
                        : words.contains("boolean")
                                ? ColumnType.exact(ValueKind.BOOLEAN, "boolean")
                                : words.contains("date")
                                        ? ColumnType.exact(ValueKind.DATE, "date")
                                        : words.contains("decimal")
                                                ? ColumnType.exact(ValueKind.NUMBER, "numeric")
                                                : ColumnType.integer("bigint");
    }

    public Sketch foreignKey(String from, String to) {
        String[] source = from.split("\\.");
        String[] target = to.split("\\.");
        Table table = table(source[0]);
        List<ForeignKey> keys = new ArrayList<>(table.foreignKeys());
        keys.add(new ForeignKey(
                from,
                List.of(table.indexOf(source[1])),
                target[0],
                List.of(table(target[0]).indexOf(target[1])),
                true));
        tables.put(source[0], new Table(source[0], table.columns(), table.keys(), keys));
        return this;
    }

    public Sketch view(String name, ConjunctiveQuery... disjuncts) {
        views.add(new View(name, "", new UnionQuery(List.of(disjuncts)), List.of(), ""));
        return this;
    }

    public Sketch inclusion(ConjunctiveQuery left, ConjunctiveQuery... right) {
        inclusions.add(new Inclusion("i" + inclusions.size(), UnionQuery.of(left), new UnionQuery(List.of(right)), ""));
        return this;
    }

    public Policy policy() {
        return new Policy(new Schema(tables), Map.of("Me", ColumnType.integer("bigint")), views, inclusions);
    }

    /** The problem of a goal, with user 2 logged in. */
    public PlainProblem problem(ConjunctiveQuery goal, PlainProblem.Fact... facts) {
        return problem(UnionQuery.of(goal), facts);
    }

    public PlainProblem problem(UnionQuery goal, PlainProblem.Fact... facts) {
        return PlainProblem.of(goal, List.of(), Map.of("Me", arg(2)), List.of(facts));
    }

    /** The same of a goal with arguments. */
    public static PlainProblem problem(ConjunctiveQuery goal, List<Arg> arguments, PlainProblem.Fact... facts) {
        return PlainProblem.of(UnionQuery.of(goal), arguments, Map.of("Me", arg(2)), List.of(facts));
    }

    /** A returned row; null stands for a cell that was not read. */
    public static PlainProblem.Fact row(ConjunctiveQuery query, @Nullable Object... cells) {
        List<@Nullable Arg> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell == null ? null : arg(cell));
        }
        return new PlainProblem.Fact(query, List.of(), row);
    }

    public static Arg arg(Object value) {
        return Arg.of(value(value));
    }

    public static Value value(Object value) {
        if (value instanceof Value already) {
            return already;
        }
        if (value instanceof Boolean truth) {
            return Value.of(truth);
        }
        if (value instanceof LocalDate date) {
            return Value.of(ValueKind.DATE, date);
        }
        return value instanceof String text ? Value.of(text) : Value.of(((Number) value).longValue());
    }

    /** The logged-in user. */
    public static Term me() {
        return new Term.Context("Me");
    }

    /** The goal's or a fact's argument. */
    public static Term parameter(int index) {
        return new Term.Parameter(index);
    }

    public static Term text(String value) {
        return new Term.Constant(Value.of(value));
    }

    public Query query(String... from) {
        return new Query(from);
    }

    private Table table(String name) {
        return Objects.requireNonNull(tables.get(name), name);
    }

    /** A query in the making. */
    public final class Query {

        private final Map<String, Atom> atoms = new LinkedHashMap<>();
        private final List<Condition> conditions = new ArrayList<>();
        private int next;

        private Query(String... from) {
            for (String item : from) {
                String[] words = item.split(" ");
                int arity = table(words[0]).arity();
                atoms.put(words[words.length - 1], new Atom(words[0], next, arity));
                next += arity;
            }
        }

        /** A comparison; texts are columns. {@code is} compares with NULL, {@code =ci} without case. */
        public Query where(Object left, String operator, Object... right) {
            Term term = term(left);
            conditions.add(
                    switch (operator) {
                        case "is null" -> new Condition.NullTest(term, true);
                        case "is not null" -> new Condition.NullTest(term, false);
                        case "in" ->
                            new Condition.OneOf(
                                    term,
                                    List.of(right).stream().map(this::term).toList());
                        case "=" -> new Condition.Comparison(Operator.EQUAL, term, term(right[0]));
                        case "=ci" -> new Condition.Comparison(Operator.EQUAL, folded(term), folded(term(right[0])));
                        case "<>" -> new Condition.Comparison(Operator.NOT_EQUAL, term, term(right[0]));
                        case "<" -> new Condition.Comparison(Operator.LESS, term, term(right[0]));
                        case "<=" -> new Condition.Comparison(Operator.LESS_OR_EQUAL, term, term(right[0]));
                        case ">" -> new Condition.Comparison(Operator.LESS, term(right[0]), term);
                        case ">=" -> new Condition.Comparison(Operator.LESS_OR_EQUAL, term(right[0]), term);
                        default -> throw new IllegalArgumentException(operator);
                    });
            return this;
        }

        private Term folded(Term term) {
            return new Term.Function("key:ci", List.of(term));
        }

        public ConjunctiveQuery select(String... columns) {
            List<Term> head = new ArrayList<>();
            for (String column : columns) {
                head.add(term(column));
            }
            return new ConjunctiveQuery(List.copyOf(atoms.values()), conditions, head);
        }

        /** {@code SELECT f(column)}. */
        public ConjunctiveQuery selectApplied(String function, String column) {
            Term applied = new Term.Function(function, List.of(term(column)));
            return new ConjunctiveQuery(List.copyOf(atoms.values()), conditions, List.of(applied));
        }

        private Term term(Object item) {
            if (item instanceof Term term) {
                return term;
            }
            if (!(item instanceof String name)) {
                return new Term.Constant(value(item));
            }
            String[] parts = name.split("\\.");
            Atom atom = Objects.requireNonNull(atoms.get(parts[0]), name);
            return new Term.Variable(atom.firstVariable() + table(atom.table()).indexOf(parts[1]));
        }
    }
}
