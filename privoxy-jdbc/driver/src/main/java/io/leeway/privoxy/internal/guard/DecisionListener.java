package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Trace;
import java.util.List;
import java.util.Map;

/**
 * Is told every single decision, for tools that explain. Called on the application's threads.
 *
 * <p>For the command line, which shows each decision; the driver has none.
 */
@FunctionalInterface
interface DecisionListener {

    /** Is told nothing. */
    DecisionListener NONE = (obligation, arguments, context, trace, decision) -> {};

    /** One obligation was decided on for one choice of arguments. */
    void decided(
            Obligation obligation, List<Value> arguments, Map<String, Value> context, Trace trace, Decision decision);
}
