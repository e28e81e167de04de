package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Map;

/**
 * Two small databases made from a case that stayed open: each unknown value becomes a fresh one of its own. Whether
 * they do show a violation is for the caller to check; a value may have to differ from others in ways the case does not
 * say.
 *
 * <p>The form of a size-bounded model (Chang, UCB/EECS-2021-244, section 3.4), made from the chase instead of by a
 * solver.
 *
 * @param first rows by table
 * @param second rows by table
 * @param meanings what functions of which nothing is known were taken to give
 */
public record Witness(
        Map<String, List<List<Value>>> first, Map<String, List<List<Value>>> second, List<Meaning> meanings) {

    /**
     * A function has this result.
     *
     * <p>A counterexample over a function of which nothing is known is one for that reading of the function; the
     * explanation says which.
     */
    public record Meaning(String symbol, List<Value> arguments, Value result) {
        public Meaning {
            arguments = List.copyOf(arguments);
        }
    }

    public Witness {
        meanings = List.copyOf(meanings);
    }

    /** Makes the databases. */
    static Witness of(ChaseState state, CompiledPolicy policy) {
        return new WitnessMaker(state, policy).make();
    }
}
