package io.leeway.privoxy.solvers;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A database that answers queries by trying all rows: SQL's meaning written down a second time, on purpose unlike the
 * evaluator of the product. Texts are compared without case where a key function says so.
 *
 * @param tables rows by table
 */
record TinyWorld(Map<String, List<List<Value>>> tables) {

    /** SQL's three truth values. */
    private enum Truth {
        TRUE,
        FALSE,
        UNKNOWN
    }

    Set<List<Value>> ask(UnionQuery query, List<Value> arguments, Map<String, Value> context) {
        Set<List<Value>> rows = new HashSet<>();
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            for (List<Value> combination : product(disjunct.atoms())) {
                Scope scope = new Scope(combination, arguments, context);
                if (disjunct.conditions().stream().allMatch(condition -> scope.truth(condition) == Truth.TRUE)) {
                    rows.add(disjunct.head().stream().map(scope::value).toList());
                }
            }
        }
        return rows;
    }

    List<List<Value>> rows(String table) {
        return tables.getOrDefault(table, List.of());
    }

    private List<List<Value>> product(List<Atom> atoms) {
        List<List<Value>> combinations = new ArrayList<>();
        combinations.add(List.of());
        for (Atom atom : atoms) {
            List<List<Value>> longer = new ArrayList<>();
            for (List<Value> combination : combinations) {
                for (List<Value> row : rows(atom.table())) {
                    List<Value> both = new ArrayList<>(combination);
                    both.addAll(row);
                    longer.add(both);
                }
            }
            combinations = longer;
        }
        return combinations;
    }

    /** What {@code =} on a case-insensitive text compares. */
    static Value folded(Value value) {
        return value.raw() instanceof String text ? Value.of(text.toLowerCase(Locale.ROOT)) : value;
    }

    private record Scope(List<Value> variables, List<Value> arguments, Map<String, Value> context) {

        Truth truth(Condition condition) {
            if (condition instanceof Condition.NullTest test) {
                return value(test.term()).isNull() == test.isNull() ? Truth.TRUE : Truth.FALSE;
            }
            if (condition instanceof Condition.Comparison comparison) {
                return compare(comparison.operator(), value(comparison.left()), value(comparison.right()));
            }
            Condition.OneOf oneOf = (Condition.OneOf) condition;
            Truth truth = Truth.FALSE;
            for (Term option : oneOf.options()) {
                Truth one = compare(Condition.Operator.EQUAL, value(oneOf.term()), value(option));
                if (one == Truth.TRUE) {
                    return Truth.TRUE;
                }
                truth = one == Truth.UNKNOWN ? Truth.UNKNOWN : truth;
            }
            return truth;
        }

        private static Truth compare(Condition.Operator operator, Value left, Value right) {
            if (left.isNull() || right.isNull()) {
                return Truth.UNKNOWN;
            }
            boolean holds = switch (operator) {
                case EQUAL -> left.equals(right);
                case NOT_EQUAL -> !left.equals(right);
                case LESS -> left.compareOrdered(right) < 0;
                case LESS_OR_EQUAL -> left.compareOrdered(right) <= 0;
            };
            return holds ? Truth.TRUE : Truth.FALSE;
        }

        Value value(Term term) {
            if (term instanceof Term.Variable variable) {
                return variables.get(variable.index());
            }
            if (term instanceof Term.Constant constant) {
                return constant.value();
            }
            if (term instanceof Term.Parameter parameter) {
                return arguments.get(parameter.index());
            }
            if (term instanceof Term.Context name) {
                return Objects.requireNonNull(context.get(name.name()), name.name());
            }
            Term.Function function = (Term.Function) term;
            Value argument = value(function.arguments().get(0));
            if (argument.isNull() || function.symbol().startsWith("key:")) {
                return folded(argument);
            }
            return Value.of(1 - (Long) argument.raw());
        }
    }
}
