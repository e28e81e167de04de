package io.leeway.privoxy.internal.refute;

import io.leeway.privoxy.internal.decide.Witness;
import io.leeway.privoxy.internal.model.Policy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds pairs of databases, wherever they come from, against the definition of compliance. All pairs share one bound of
 * effort. Not thread-safe.
 *
 * <p>Chase and solvers propose, this disposes: a solver's model is of the formula, and a fault in the encoding would
 * else be reported as a fault of the policy.
 */
public final class CounterexampleCheck {

    private final CounterexampleChecker checker;

    private CounterexampleCheck(CounterexampleChecker checker) {
        this.checker = checker;
    }

    /** A check for pairs in which functions have these meanings, or null if the meanings contradict each other. */
    public static @Nullable CounterexampleCheck with(
            PlainProblem problem, Policy policy, List<Witness.Meaning> meanings) {
        Functions functions = new Functions();
        try {
            for (Witness.Meaning meaning : meanings) {
                functions.put(meaning.symbol(), meaning.arguments(), meaning.result());
            }
            // A model that gives one application two values is none.
        } catch (NotEvaluable contradiction) {
            return null;
        }
        return new CounterexampleCheck(new CounterexampleChecker(problem, policy, functions));
    }

    /** The counterexample that a witness is, or null if it is none or that cannot be told. */
    public static @Nullable Counterexample of(PlainProblem problem, Policy policy, Witness witness) {
        CounterexampleCheck check = with(problem, policy, witness.meanings());
        return check == null ? null : check.pair(SmallDatabase.of(witness.first()), SmallDatabase.of(witness.second()));
    }

    /** The counterexample that the two databases are, or null if they are none or that cannot be told. */
    public @Nullable Counterexample pair(SmallDatabase first, SmallDatabase second) {
        return checker.check(first, second);
    }
}
