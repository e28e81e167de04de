package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes conjunctive queries in tests: {@code from(schema, "events e", "attendances a").equal("e.id", "a.event_id")}. */
public final class QueryBuilder {

    private final Schema schema;
    private final Map<String, Atom> atoms = new LinkedHashMap<>();
    private final List<Condition> conditions = new ArrayList<>();

    private QueryBuilder(Schema schema) {
        this.schema = schema;
    }

    public static QueryBuilder from(Schema schema, String... tables) {
        QueryBuilder builder = new QueryBuilder(schema);
        int next = 0;
        for (String item : tables) {
            String[] words = item.split(" ");
            Table table = Objects.requireNonNull(schema.table(words[0]), words[0]);
            builder.atoms.put(words[words.length - 1], new Atom(words[0], next, table.arity()));
            next += table.arity();
        }
        return builder;
    }

    public QueryBuilder equal(Object left, Object right) {
        return compare(Condition.Operator.EQUAL, left, right);
    }

    public QueryBuilder compare(Condition.Operator operator, Object left, Object right) {
        conditions.add(new Condition.Comparison(operator, term(left), term(right)));
        return this;
    }

    public QueryBuilder isNull(Object term) {
        conditions.add(new Condition.NullTest(term(term), true));
        return this;
    }

    public QueryBuilder isNotNull(Object term) {
        conditions.add(new Condition.NullTest(term(term), false));
        return this;
    }

    public QueryBuilder oneOf(Object term, Object... options) {
        List<Term> terms = new ArrayList<>();
        for (Object option : options) {
            terms.add(term(option));
        }
        conditions.add(new Condition.OneOf(term(term), terms));
        return this;
    }

    public ConjunctiveQuery select(Object... head) {
        List<Term> terms = new ArrayList<>();
        for (Object item : head) {
            if (item instanceof String name && name.endsWith(".*")) {
                Atom atom = Objects.requireNonNull(atoms.get(name.substring(0, name.length() - 2)), name);
                for (int i = 0; i < atom.arity(); i++) {
                    terms.add(new Term.Variable(atom.firstVariable() + i));
                }
            } else {
                terms.add(term(item));
            }
        }
        return new ConjunctiveQuery(List.copyOf(atoms.values()), conditions, terms);
    }

    public UnionQuery union(Object... head) {
        return UnionQuery.of(select(head));
    }

    public static Term parameter(int index) {
        return new Term.Parameter(index);
    }

    public static Term context(String name) {
        return new Term.Context(name);
    }

    public static Term constant(Object value) {
        if (value instanceof Boolean truth) {
            return new Term.Constant(Value.of(truth));
        }
        return new Term.Constant(
                value instanceof String text ? Value.of(text) : Value.of(((Number) value).longValue()));
    }

    public Term function(String symbol, Object... arguments) {
        List<Term> terms = new ArrayList<>();
        for (Object argument : arguments) {
            terms.add(term(argument));
        }
        return new Term.Function(symbol, terms);
    }

    private Term term(Object item) {
        if (item instanceof Term term) {
            return term;
        }
        if (!(item instanceof String name)) {
            return constant(item);
        }
        String[] parts = name.split("\\.");
        Atom atom = Objects.requireNonNull(atoms.get(parts[0]), name);
        int column = Objects.requireNonNull(schema.table(atom.table())).indexOf(parts[1]);
        if (column < 0) {
            throw new IllegalArgumentException(name);
        }
        return new Term.Variable(atom.firstVariable() + column);
    }
}
