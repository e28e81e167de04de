package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Value;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps data out of counterexamples: a value of the request becomes the name of where it comes from. Values that the
 * search made up, truth values and NULL are no data and stay.
 *
 * <p>Counterexamples are built around the request's own values, and they go to logs and error pages. Equal values get
 * one name, as the example is about their being equal.
 */
final class Masking {

    private final Map<Value, String> names = new HashMap<>();

    Masking(Problem problem, Policy policy, boolean showsValues) {
        if (!showsValues) {
            policy.context().keySet().forEach(name -> name(problem.context().get(name), "?" + name));
            for (int i = 0; i < problem.arguments().size(); i++) {
                name(problem.arguments().get(i), "?" + (i + 1));
            }
            int seen = 1;
            for (Fact fact : problem.facts()) {
                for (Arg argument : fact.arguments()) {
                    seen += name(argument, "seen" + seen) ? 1 : 0;
                }
                for (Arg cell : fact.row()) {
                    seen += name(cell, "seen" + seen) ? 1 : 0;
                }
            }
        }
    }

    private boolean name(@Nullable Arg arg, String name) {
        if (!(arg instanceof Arg.Known known)) {
            return false;
        }
        Value value = known.value();
        boolean isData = switch (value.kind()) {
            // They are too few to tell who somebody is, and an example cannot be read without them.
            case NULL, BOOLEAN -> false;
            default -> true;
        };
        return isData && names.putIfAbsent(value, name) == null;
    }

    String text(Value value) {
        return names.getOrDefault(value, value.toString());
    }
}
