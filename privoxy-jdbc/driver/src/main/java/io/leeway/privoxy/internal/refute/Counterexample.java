package io.leeway.privoxy.internal.refute;

import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Set;

/**
 * Two databases that show why a problem is not compliant: both fulfil the constraints and give the rows that were seen,
 * every view has the same answer on both, and the goal has not. Checked by evaluation before it exists.
 *
 * <p>It is the negation of Chang's Definition 3.3.7 (UCB/EECS-2021-244) with witnesses. Shown to developers on request
 * ({@code privoxyExplain=counterexample}); its rows are made up, so it tells nothing of the user's data beyond what the
 * request has read.
 *
 * @param first has the answer
 * @param second lacks it
 * @param answer a row that the goal returns on the first database only
 * @param functions functions of which only one possible meaning was looked at; empty if none is involved
 */
public record Counterexample(SmallDatabase first, SmallDatabase second, List<Value> answer, Set<String> functions) {
    public Counterexample {
        answer = List.copyOf(answer);
        functions = Set.copyOf(functions);
    }
}
