package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A small database that answers queries by trying everything: the definition, without cleverness. */
public record TinyDatabase(Map<String, List<List<Value>>> tables) {

    public Set<List<Value>> answer(UnionQuery query, List<Value> arguments, Map<String, Value> context) {
        Set<List<Value>> answers = new HashSet<>();
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            new Evaluation(disjunct, arguments, context, answers).from(0);
        }
        return answers;
    }

    /** Halves numbers: 0 and 1 are equal under the collation "ci"; any other function adds one. */
    static Value apply(String symbol, Value argument) {
        if (argument.isNull()) {
            return Value.NULL;
        }
        long number =
                argument.raw() instanceof Long whole ? whole : argument.raw().hashCode();
        return Value.of(symbol.startsWith("key:") ? number / 2 : (number + 1) % 3);
    }

    private final class Evaluation {
        private final ConjunctiveQuery query;
        private final List<Value> arguments;
        private final Map<String, Value> context;
        private final Set<List<Value>> answers;
        private final Value[] variables;

        Evaluation(
                ConjunctiveQuery query, List<Value> arguments, Map<String, Value> context, Set<List<Value>> answers) {
            this.query = query;
            this.arguments = arguments;
            this.context = context;
            this.answers = answers;
            this.variables = new Value[query.variables()];
        }

        void from(int position) {
            if (position == query.atoms().size()) {
                if (query.conditions().stream().allMatch(this::holds)) {
                    List<Value> head = new ArrayList<>();
                    query.head().forEach(term -> head.add(value(term)));
                    answers.add(head);
                }
                return;
            }
            Atom atom = query.atoms().get(position);
            for (List<Value> row : tables.get(atom.table())) {
                for (int i = 0; i < row.size(); i++) {
                    variables[atom.firstVariable() + i] = row.get(i);
                }
                from(position + 1);
            }
        }

        private boolean holds(Condition condition) {
            if (condition instanceof Condition.NullTest test) {
                return value(test.term()).isNull() == test.isNull();
            }
            if (condition instanceof Condition.OneOf oneOf) {
                Value left = value(oneOf.term());
                return !left.isNull()
                        && oneOf.options().stream()
                                .anyMatch(option -> value(option).equals(left));
            }
            Condition.Comparison comparison = (Condition.Comparison) condition;
            Value left = value(comparison.left());
            Value right = value(comparison.right());
            if (left.isNull() || right.isNull()) {
                return false;
            }
            return switch (comparison.operator()) {
                case EQUAL -> left.equals(right);
                case NOT_EQUAL -> !left.equals(right);
                case LESS -> left.compareOrdered(right) < 0;
                case LESS_OR_EQUAL -> left.compareOrdered(right) <= 0;
            };
        }

        private Value value(Term term) {
            if (term instanceof Term.Variable variable) {
                return variables[variable.index()];
            }
            if (term instanceof Term.Constant constant) {
                return constant.value();
            }
            if (term instanceof Term.Parameter parameter) {
                return arguments.get(parameter.index());
            }
            if (term instanceof Term.Context name) {
                return context.get(name.name());
            }
            Term.Function function = (Term.Function) term;
            return apply(function.symbol(), value(function.arguments().get(0)));
        }
    }
}
