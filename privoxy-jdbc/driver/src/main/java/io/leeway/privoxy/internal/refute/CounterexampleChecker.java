package io.leeway.privoxy.internal.refute;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds two databases against the definition of compliance, whatever they come from: the whole schema and the whole
 * policy, not only what a solver was told. What cannot be told counts as not fulfilled.
 *
 * <p>Not thread-safe; one for each problem.
 */
final class CounterexampleChecker {

    /**
     * For a counterexample with all that makes it smaller: far more than those of a few rows need, a tenth of a second.
     *
     * <p>Solvers propose pairs one after the other, and a pair with long joins must not stop the refusal from being
     * answered.
     */
    private static final long STEPS = 1_000_000;

    private final PlainProblem problem;
    private final Policy policy;
    private final Functions functions;
    private final Map<String, Value> context = new HashMap<>();
    private final Steps steps = new Steps(STEPS);

    CounterexampleChecker(PlainProblem problem, Policy policy, Functions functions) {
        this.problem = problem;
        this.policy = policy;
        this.functions = functions;
        problem.context().forEach((name, arg) -> context.put(name, value(arg)));
    }

    /** The counterexample that the two databases are, or null if they are none. */
    @Nullable
    Counterexample check(SmallDatabase first, SmallDatabase second) {
        try {
            // All parts of the definition: schema and trace on both, views equal; then the answers.
            if (!isPossible(first) || !isPossible(second) || !viewsAgree(first, second)) {
                return null;
            }
            List<Value> row = difference(first, second);
            if (row != null) {
                return new Counterexample(first, second, row, functions.used());
            }
            // Either direction shows that the answers differ; the caller is shown the one with the row first.
            row = difference(second, first);
            return row == null ? null : new Counterexample(second, first, row, functions.used());
            // Not known to be a counterexample is none.
        } catch (NotEvaluable unknown) {
            return null;
        }
    }

    private boolean isPossible(SmallDatabase database) {
        for (Map.Entry<String, Set<List<Value>>> content : database.tables().entrySet()) {
            Table table = policy.schema().table(content.getKey());
            // A table that the policy does not know cannot be held against its constraints.
            if (table == null || !fulfils(database, table, content.getValue())) {
                return false;
            }
        }
        Evaluator evaluator = evaluator(database);
        for (Inclusion inclusion : policy.inclusions()) {
            if (!evaluator
                    .answer(inclusion.right(), List.of())
                    .containsAll(evaluator.answer(inclusion.left(), List.of()))) {
                return false;
            }
        }
        return fulfilsTrace(evaluator);
    }

    private boolean fulfils(SmallDatabase database, Table table, Set<List<Value>> rows) {
        for (List<Value> row : rows) {
            for (int i = 0; i < table.arity(); i++) {
                if (!fits(table.columns().get(i), row.get(i))) {
                    return false;
                }
            }
        }
        return table.keys().stream().allMatch(key -> isUnique(table, key, List.copyOf(rows)))
                && table.foreignKeys().stream().allMatch(key -> isFulfilled(database, key, rows));
    }

    private static boolean fits(Column column, Value value) {
        if (value.isNull()) {
            return column.nullable();
        }
        ValueKind kind = column.type().kind();
        boolean isWhole = !column.type().whole() || value.raw() instanceof Long;
        // The length of texts is not looked at, which the limits page says.
        return (kind == value.kind() && isWhole) || kind == ValueKind.OPAQUE;
    }

    private static boolean isUnique(Table table, Key key, List<List<Value>> rows) {
        for (int i = 0; i < rows.size(); i++) {
            for (int j = i + 1; j < rows.size(); j++) {
                List<Value> a = comparable(table, key, rows.get(i));
                List<Value> b = comparable(table, key, rows.get(j));
                boolean isExempt = key.nullsDistinct() && (a.contains(Value.NULL) || b.contains(Value.NULL));
                // Unique only where the keys are surely different: under some collation two that look different are
                // one.
                if (!isExempt && !Comparisons.differ(a, b)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<Value> comparable(Table table, Key key, List<Value> row) {
        List<Value> cells = new ArrayList<>();
        for (int column : key.columns()) {
            Column declared = table.columns().get(column);
            Value cell = row.get(column);
            cells.add(
                    declared.type().hasExactEquality()
                            ? cell
                            : Comparisons.wrap(declared.type().keyFunction(), cell));
        }
        return cells;
    }

    private boolean isFulfilled(SmallDatabase database, ForeignKey key, Set<List<Value>> rows) {
        if (policy.schema().table(key.target()) == null) {
            return true;
        }
        for (List<Value> row : rows) {
            List<Value> reference = key.columns().stream().map(row::get).toList();
            boolean refers = !reference.contains(Value.NULL);
            if (refers
                    && database.rows(key.target()).stream()
                            .noneMatch(target -> key.targetColumns().stream()
                                    .map(target::get)
                                    .toList()
                                    // By identity, which is stricter than the database and so never lets a pair
                                    // pass that is none.
                                    .equals(reference))) {
                return false;
            }
        }
        return true;
    }

    private boolean fulfilsTrace(Evaluator evaluator) {
        for (PlainProblem.Fact fact : problem.facts()) {
            Set<List<Value>> answers = evaluator.answer(UnionQuery.of(fact.query()), values(fact.arguments()));
            if (answers.stream().noneMatch(answer -> fits(answer, fact.row()))) {
                return false;
            }
        }
        // A complete result has no other rows: this the solvers may use, so the check does, too.
        for (PlainProblem.Answer whole : problem.answers()) {
            for (List<Value> answer : evaluator.answer(whole.query(), values(whole.arguments()))) {
                if (whole.rows().stream().noneMatch(row -> fits(answer, row))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean fits(List<Value> answer, List<@Nullable Arg> row) {
        for (int i = 0; i < row.size(); i++) {
            Arg cell = row.get(i);
            if (cell != null && !answer.get(i).equals(value(cell))) {
                return false;
            }
        }
        return true;
    }

    private boolean viewsAgree(SmallDatabase first, SmallDatabase second) {
        Evaluator one = evaluator(first);
        Evaluator other = evaluator(second);
        Set<String> filled = new HashSet<>(first.tables().keySet());
        filled.addAll(second.tables().keySet());
        for (View view : policy.views()) {
            // A view with a parameter that the request lacks shows nothing in either database.
            boolean isShown = context.keySet().containsAll(Mentions.contextNames(view.query()));
            boolean canDiffer = view.query().disjuncts().stream()
                    .anyMatch(disjunct -> filled.containsAll(Mentions.tables(disjunct)));
            if (isShown
                    // A view over a table that is empty in both has no answers: most of a policy's views are spared
                    // by this.
                    && canDiffer
                    && !one.answer(view.query(), List.of()).equals(other.answer(view.query(), List.of()))) {
                return false;
            }
        }
        return true;
    }

    private @Nullable List<Value> difference(SmallDatabase first, SmallDatabase second) {
        List<Value> arguments = values(problem.arguments());
        Set<List<Value>> missing = evaluator(first).answer(problem.goal(), arguments);
        Set<List<Value>> present = evaluator(second).answer(problem.goal(), arguments);
        return missing.stream()
                // A row that differs surely from all rows of the other answer.
                .filter(row -> present.stream().allMatch(other -> differ(row, other)))
                .findFirst()
                .orElse(null);
    }

    private boolean differ(List<Value> row, List<Value> other) {
        steps.take(row.size());
        return Comparisons.differ(row, other);
    }

    private Evaluator evaluator(SmallDatabase database) {
        return new Evaluator(database, context, functions, steps);
    }

    private static List<Value> values(List<Arg> args) {
        return args.stream().map(CounterexampleChecker::value).toList();
    }

    private static Value value(Arg arg) {
        if (arg instanceof Arg.Known known) {
            return known.value();
        }
        throw new NotEvaluable("a symbol has no value");
    }
}
