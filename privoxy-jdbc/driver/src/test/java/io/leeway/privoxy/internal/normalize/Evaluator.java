package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Answers queries of the checker's language on a small database, by trying all combinations of rows. */
final class Evaluator {

    private final Rows rows;
    private final List<Value> arguments;
    private final Map<String, Value> context;

    Evaluator(Rows rows, List<Value> arguments, Map<String, Value> context) {
        this.rows = rows;
        this.arguments = arguments;
        this.context = context;
    }

    Set<List<Value>> answer(UnionQuery query) {
        Set<List<Value>> answer = new LinkedHashSet<>();
        query.disjuncts().forEach(disjunct -> answer.addAll(answer(disjunct)));
        return answer;
    }

    Set<List<Value>> answer(ConjunctiveQuery query) {
        Set<List<Value>> answer = new LinkedHashSet<>();
        extend(query, 0, new ArrayList<>(), ready(query), answer);
        return answer;
    }

    /** For each number of atoms, the conditions that can be tested once so many are bound. */
    private static List<List<Condition>> ready(ConjunctiveQuery query) {
        List<List<Condition>> ready = new ArrayList<>();
        for (int i = 0; i <= query.atoms().size(); i++) {
            ready.add(new ArrayList<>());
        }
        for (Condition condition : query.conditions()) {
            int latest = -1;
            for (Term.Variable column : Conditions.columns(condition)) {
                latest = Math.max(latest, column.index());
            }
            int atoms = 0;
            while (atoms < query.atoms().size() && query.atoms().get(atoms).firstVariable() <= latest) {
                atoms++;
            }
            ready.get(atoms).add(condition);
        }
        return ready;
    }

    private void extend(
            ConjunctiveQuery query,
            int bound,
            List<Value> values,
            List<List<Condition>> ready,
            Set<List<Value>> answer) {
        for (Condition condition : ready.get(bound)) {
            if (!holds(condition, values)) {
                return;
            }
        }
        if (bound == query.atoms().size()) {
            answer.add(query.head().stream().map(term -> value(term, values)).toList());
            return;
        }
        Atom atom = query.atoms().get(bound);
        for (List<Value> row : rows.of(atom.table())) {
            values.addAll(row);
            extend(query, bound + 1, values, ready, answer);
            values.subList(values.size() - row.size(), values.size()).clear();
        }
    }

    private boolean holds(Condition condition, List<Value> values) {
        if (condition instanceof Condition.NullTest test) {
            return value(test.term(), values).isNull() == test.isNull();
        }
        if (condition instanceof Condition.OneOf oneOf) {
            Value value = value(oneOf.term(), values);
            return !value.isNull()
                    && oneOf.options().stream()
                            .anyMatch(option -> value(option, values).equals(value));
        }
        var comparison = (Condition.Comparison) condition;
        Value left = value(comparison.left(), values);
        Value right = value(comparison.right(), values);
        if (left.isNull() || right.isNull()) {
            return false;
        }
        return switch (comparison.operator()) {
            case EQUAL -> left.equals(right);
            case NOT_EQUAL -> !left.equals(right);
            case LESS -> Value.TRUE.equals(Semantics.compare("<", List.of(left, right)));
            case LESS_OR_EQUAL -> Value.TRUE.equals(Semantics.compare("<=", List.of(left, right)));
        };
    }

    private Value value(Term term, List<Value> values) {
        if (term instanceof Term.Variable variable) {
            return values.get(variable.index());
        }
        if (term instanceof Term.Constant constant) {
            return constant.value();
        }
        if (term instanceof Term.Parameter parameter) {
            return arguments.get(parameter.index());
        }
        if (term instanceof Term.Context named) {
            return context.getOrDefault(named.name(), Value.NULL);
        }
        var function = (Term.Function) term;
        List<Value> operands = new ArrayList<>();
        function.arguments().forEach(argument -> operands.add(value(argument, values)));
        return Semantics.apply(function.symbol(), operands);
    }
}
