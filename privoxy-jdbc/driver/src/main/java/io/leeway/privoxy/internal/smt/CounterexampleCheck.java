package io.leeway.privoxy.internal.smt;

import io.leeway.privoxy.internal.decide.Witness;
import io.leeway.privoxy.internal.model.Policy;
import org.jspecify.annotations.Nullable;

/** Holds two databases, wherever they come from, against the definition of compliance. */
public final class CounterexampleCheck {

    private CounterexampleCheck() {}

    /** The counterexample that the two databases are, or null if they are none or that cannot be told. */
    public static @Nullable Counterexample of(SmtProblem problem, Policy policy, Witness witness) {
        Functions functions = new Functions();
        try {
            for (Witness.Meaning meaning : witness.meanings()) {
                functions.put(meaning.symbol(), meaning.arguments(), meaning.result());
            }
        } catch (NotEvaluable contradiction) {
            return null;
        }
        return new CounterexampleChecker(problem, policy, functions)
                .check(SmallDatabase.of(witness.first()), SmallDatabase.of(witness.second()));
    }
}
