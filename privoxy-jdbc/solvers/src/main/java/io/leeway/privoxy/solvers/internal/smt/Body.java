package io.leeway.privoxy.solvers.internal.smt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A conjunctive query written for one instance.
 *
 * <p>Kept in parts because the same body is a premise (quantified for all), a conclusion (some choice exists) and a
 * fact (constants of its own).
 *
 * @param variables to be quantified, or declared as constants
 * @param literals rows that exist and conditions that hold
 * @param head the returned terms; null where a column is not written
 */
record Body(List<String> variables, List<String> literals, List<@Nullable String> head) {

    String conjunction() {
        return Logic.and(literals);
    }

    /** Some choice of the variables makes it true. */
    String exists() {
        return Logic.exists(variables, conjunction());
    }
}
