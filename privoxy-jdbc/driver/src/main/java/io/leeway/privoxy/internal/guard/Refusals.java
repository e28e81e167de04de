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
import java.util.Set;
import java.util.TreeSet;

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
    SQLException refuse(QueryName name, Decision.Refused refused) {
        Verdict.NotShown verdict = refused.verdict();
        if (verdict == null) {
            String asked = Asked.words(
                    refused.obligation(), refused.goal().query().disjuncts().get(0), policy);
            return new PolicyViolationException(
                    PrivoxyErrorCode.NOT_REVIEWED,
                    Refusal.of(name.id(), name.text(), "No reviewed template covers " + asked + "."));
        }
        List<Refusal.NearestView> nearest = nearest(refused, verdict);
        Counterexample found = refused.example();
        String example = detail == PrivoxyOptions.Explain.COUNTEREXAMPLE && found != null
                ? counterexamples.text(found, refused.problem())
                : "";
        Set<String> missing = missing(refused);
        Refusal refusal = new Refusal(
                name.id(), name.text(), noContext(missing) + reason(refused, verdict, nearest), nearest, example);
        if (!missing.isEmpty()) {
            return new PolicyViolationException(PrivoxyErrorCode.NO_CONTEXT, refusal);
        }
        return refused.certain() ? new PolicyViolationException(refusal) : new UndecidedQueryException(refusal);
    }

    /** Parameters that nobody gave: all that could help if there is no context, else those that the statement names. */
    private static Set<String> missing(Decision.Refused refused) {
        Set<String> given = refused.problem().context().keySet();
        Set<String> missing = new TreeSet<>(
                given.isEmpty()
                        ? refused.goal().contextNamesNeeded()
                        : refused.goal().contextNames());
        missing.removeAll(given);
        return missing;
    }

    private static String noContext(Set<String> missing) {
        return missing.isEmpty()
                ? ""
                : "No context: " + String.join(", ", missing) + (missing.size() == 1 ? " is" : " are")
                        + " missing, begin a request with it. ";
    }

    private String reason(Decision.Refused refused, Verdict.NotShown verdict, List<Refusal.NearestView> nearest) {
        String asked = Asked.words(refused.obligation(), verdict.open().asked(), policy);
        if (nearest.isEmpty()) {
            return "The policy does not show " + asked + ".";
        }
        Refusal.NearestView best = nearest.get(0);
        return "The policy does not show " + asked + " beyond view " + best.name() + ", which lacks: " + best.lacks()
                + ".";
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
