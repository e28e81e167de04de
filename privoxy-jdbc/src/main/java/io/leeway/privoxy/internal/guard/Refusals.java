package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.Refusal;
import io.leeway.privoxy.UndecidedQueryException;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.NearView;
import io.leeway.privoxy.internal.decide.NearestViews;
import io.leeway.privoxy.internal.decide.Verdict;
import io.leeway.privoxy.internal.smt.Counterexample;
import java.sql.SQLException;
import java.util.List;

/** Words refusals: what was asked, which part is not covered, which views come nearest, and where asked for an example. */
final class Refusals {

    private static final int NEAREST = 3;

    private final CompiledPolicy policy;
    private final PrivoxyOptions.Explain detail;
    private final Counterexamples counterexamples;

    Refusals(CompiledPolicy policy, PrivoxyConfig config, Counterexamples counterexamples) {
        this.policy = policy;
        this.detail = config.get(PrivoxyOptions.EXPLAIN);
        this.counterexamples = counterexamples;
    }

    /** The exception for a statement that is not known to be compliant. */
    SQLException refuse(QueryName name, Decision.Refused refused, boolean hasContext) {
        if (refused.verdict() == null) {
            return new PolicyViolationException(
                    PrivoxyErrorCode.NOT_REVIEWED,
                    Refusal.of(
                            name.id(),
                            name.text(),
                            "No reviewed template covers "
                                    + refused.obligation().reason() + "."));
        }
        Counterexample found = refused.example();
        String example = detail == PrivoxyOptions.Explain.COUNTEREXAMPLE && found != null
                ? counterexamples.text(found, refused.problem())
                : "";
        Refusal refusal = new Refusal(
                name.id(),
                name.text(),
                "The policy does not show " + refused.obligation().reason() + ".",
                nearest(refused, refused.verdict()),
                example);
        if (!hasContext && !policy.policy().context().isEmpty()) {
            return new PolicyViolationException(PrivoxyErrorCode.NO_CONTEXT, refusal);
        }
        return refused.certain() ? new PolicyViolationException(refusal) : new UndecidedQueryException(refusal);
    }

    private List<Refusal.NearestView> nearest(Decision.Refused refused, Verdict.NotShown verdict) {
        if (detail == PrivoxyOptions.Explain.BRIEF) {
            return List.of();
        }
        return NearestViews.of(verdict, refused.goal(), policy, NEAREST).stream()
                .map(Refusals::words)
                .toList();
    }

    private static Refusal.NearestView words(NearView view) {
        return new Refusal.NearestView(
                view.name(),
                view.missing().isEmpty()
                        ? "what joins it to the rest of the query"
                        : String.join("; ", view.missing()));
    }
}
