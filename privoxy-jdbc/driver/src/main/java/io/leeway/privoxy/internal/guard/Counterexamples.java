package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.decide.Refutation;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.Counterexample;
import io.leeway.privoxy.internal.refute.CounterexampleCheck;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.refute.SmallDatabase;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes counterexamples of the case in which the chase got stuck, with the views carried over in both directions, and
 * words them. A counterexample is checked by evaluation against the definition before it counts.
 *
 * <p>Asked for each refusal, not only where it is shown: what is refuted need not go to the solvers, which would look
 * for a proof in vain.
 */
final class Counterexamples {

    private final CompiledPolicy policy;
    private final ChaseEngine chase;
    private final boolean showsValues;

    Counterexamples(CompiledPolicy policy, ChaseEngine chase, boolean showsValues) {
        this.policy = policy;
        this.chase = chase;
        this.showsValues = showsValues;
    }

    /** Two databases that refute compliance, or null if none was found. */
    @Nullable
    Counterexample find(Problem problem) {
        PlainProblem asked = PlainProblem.of(problem);
        Policy whole = policy.whole();
        Refutation<Counterexample> refutation =
                chase.refute(problem, witness -> CounterexampleCheck.of(asked, whole, witness));
        return refutation instanceof Refutation.Found<Counterexample> found ? found.pair() : null;
    }

    /**
     * The databases as text, without data unless that is wanted.
     *
     * <p>Only columns on which something hangs, and values masked unless the options ask for them: examples go to logs.
     */
    String text(Counterexample found, Problem problem) {
        Masking masking = new Masking(problem, policy.policy(), showsValues);
        String functions = found.functions().isEmpty()
                ? ""
                : " (for one possible meaning of " + String.join(", ", found.functions()) + ")";
        ShownColumns columns = new ShownColumns(policy, problem);
        return "Counterexample: these two databases look the same through the policy, but the query's answer differs"
                + functions + ".\nDatabase 1\n" + text(found.first(), masking, columns)
                + "Database 2\n" + text(found.second(), masking, columns)
                + "Only database 1 answers: (" + row(found.answer(), masking) + ")";
    }

    private String text(SmallDatabase database, Masking masking, ShownColumns shown) {
        if (database.tables().isEmpty()) {
            return "  (empty)\n";
        }
        StringBuilder text = new StringBuilder();
        database.tables().forEach((name, rows) -> {
            Table table = Objects.requireNonNull(policy.table(name), name);
            List<Integer> columns = shown.of(table);
            String names = columns.stream()
                    .map(column -> table.columns().get(column).name())
                    .collect(Collectors.joining(", "));
            String more = columns.size() == table.arity() ? "" : ", …";
            text.append("  %s (%s%s)\n".formatted(policy.shownName(name), names, more));
            rows.stream()
                    .map(row -> row(columns.stream().map(row::get).toList(), masking))
                    // So that the same refusal reads the same each time.
                    .sorted()
                    .forEach(
                            row -> text.append("    (").append(row).append(more).append(")\n"));
        });
        return text.toString();
    }

    private static String row(List<Value> row, Masking masking) {
        return row.stream().map(masking::text).collect(Collectors.joining(", "));
    }
}
