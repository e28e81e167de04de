package io.leeway.privoxy.internal.refute;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers queries on small databases with SQL's meaning, by nested loops. Whatever a database might see otherwise ends
 * in {@link NotEvaluable}.
 *
 * <p>Deliberately plain and written apart from the chase, so that a fault in the one is not one of the other: it checks
 * what the chase claims.
 */
final class Evaluator {

    private final SmallDatabase database;
    private final Map<String, Value> context;
    private final Functions functions;
    private final Steps steps;

    Evaluator(SmallDatabase database, Map<String, Value> context, Functions functions, Steps steps) {
        this.database = database;
        this.context = context;
        this.functions = functions;
        this.steps = steps;
    }

    /** The answer, as a set. */
    Set<List<Value>> answer(UnionQuery query, List<Value> arguments) {
        Set<List<Value>> answer = new LinkedHashSet<>();
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            new Loop(disjunct, arguments, answer).run(0);
        }
        return answer;
    }

    private final class Loop {

        private final ConjunctiveQuery query;
        private final List<Value> arguments;
        private final Set<List<Value>> answer;
        private final Value[] variables;
        /** For each number of atoms bound, the conditions that can be tested then. */
        private final List<List<Condition>> testable = new ArrayList<>();

        Loop(ConjunctiveQuery query, List<Value> arguments, Set<List<Value>> answer) {
            this.query = query;
            this.arguments = arguments;
            this.answer = answer;
            this.variables = new Value[query.variables()];
            Arrays.fill(variables, Value.NULL);
            for (int i = 0; i <= query.atoms().size(); i++) {
                testable.add(new ArrayList<>());
            }
            for (Condition condition : query.conditions()) {
                testable.get(Mentions.atomsNeeded(query, condition)).add(condition);
            }
        }

        void run(int bound) {
            if (!testable.get(bound).stream().allMatch(this::holds)) {
                return;
            }
            if (bound == query.atoms().size()) {
                steps.take(query.head().size());
                answer.add(query.head().stream().map(this::value).toList());
                return;
            }
            Atom atom = query.atoms().get(bound);
            for (List<Value> row : database.rows(atom.table())) {
                steps.take(atom.arity());
                for (int i = 0; i < atom.arity(); i++) {
                    variables[atom.firstVariable() + i] = row.get(i);
                }
                run(bound + 1);
            }
        }

        private boolean holds(Condition condition) {
            if (condition instanceof Condition.NullTest test) {
                return value(test.term()).isNull() == test.isNull();
            }
            if (condition instanceof Condition.OneOf oneOf) {
                Value term = value(oneOf.term());
                return !term.isNull() && oneOf.options().stream().anyMatch(option -> isEqual(term, value(option)));
            }
            Condition.Comparison comparison = (Condition.Comparison) condition;
            Value left = value(comparison.left());
            Value right = value(comparison.right());
            // Unknown is not TRUE; conditions have no negation, so that is all of three-valued logic that there is.
            if (left.isNull() || right.isNull()) {
                return false;
            }
            return switch (comparison.operator()) {
                case EQUAL -> Comparisons.same(left, right);
                case NOT_EQUAL -> !Comparisons.same(left, right);
                case LESS -> Comparisons.less(left, right, false);
                case LESS_OR_EQUAL -> Comparisons.less(left, right, true);
            };
        }

        private boolean isEqual(Value term, Value option) {
            return !option.isNull() && Comparisons.same(term, option);
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
            if (term instanceof Term.Context parameter) {
                Value value = context.get(parameter.name());
                if (value == null) {
                    // The goal may name it, and then stands for any value; which one, a concrete pair cannot say.
                    throw new NotEvaluable("the request lacks a context parameter");
                }
                return value;
            }
            Term.Function function = (Term.Function) term;
            return functions.apply(
                    function.symbol(),
                    function.arguments().stream().map(this::value).toList());
        }
    }
}
