package io.leeway.privoxy.internal.smt;

import io.leeway.privoxy.internal.model.Policy;
import org.jspecify.annotations.Nullable;

/** Holds two databases, wherever they come from, against the definition of compliance. */
public final class CounterexampleCheck {

    private CounterexampleCheck() {}

    /** The counterexample that the two databases are, or null if they are none or that cannot be told. */
    public static @Nullable Counterexample of(
            SmtProblem problem, Policy policy, SmallDatabase first, SmallDatabase second) {
        return new CounterexampleChecker(problem, policy, new Functions()).check(first, second);
    }
}
