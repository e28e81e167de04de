package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.Refusal;
import io.leeway.privoxy.UndecidedQueryException;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.console.DidYouMean;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.NearView;
import io.leeway.privoxy.internal.decide.NearestViews;
import io.leeway.privoxy.internal.decide.Verdict;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.Counterexample;
import io.leeway.privoxy.internal.request.Request;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
    SQLException refuse(QueryName name, Decision.Refused refused, Request request) {
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
                name.id(),
                name.text(),
                noContext(missing, request) + reason(refused, verdict, nearest) + nulls(refused),
                nearest,
                example);
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

    /** What is missing, and what the request has in its place: names and types, never values. */
    private String noContext(Set<String> missing, Request request) {
        if (missing.isEmpty()) {
            return "";
        }
        var text = new StringBuilder("No context: ");
        text.append(String.join(", ", missing))
                .append(missing.size() == 1 ? " is" : " are")
                .append(" missing, begin a request with ")
                .append(missing.size() == 1 ? "it. " : "them. ");
        Map<String, ColumnType> declared = policy.policy().context();
        for (Map.Entry<String, Value> given : new TreeMap<>(request.context()).entrySet()) {
            ColumnType type = declared.get(given.getKey());
            if (type == null) {
                String hint = DidYouMean.hint(given.getKey(), missing);
                text.append("The request gives ")
                        .append(given.getKey())
                        .append(", which the policy does not declare")
                        .append(hint.isEmpty() ? ". " : hint + " ");
            } else if (missing.contains(given.getKey())) {
                text.append("What the request gives as ")
                        .append(given.getKey())
                        .append(" is ")
                        .append(given.getValue().kind().name().toLowerCase(Locale.ROOT))
                        .append(" and cannot be read as ")
                        .append(type.sqlName())
                        .append(", which it is declared as. ");
            }
        }
        return text.toString();
    }

    /** NULL equals nothing, so a view that compares with it shows nothing: seldom what was meant. */
    private static String nulls(Decision.Refused refused) {
        Set<String> nulls = new TreeSet<>();
        for (String name : refused.goal().contextNamesNeeded()) {
            if (refused.problem().context().get(name) instanceof Arg.Known known
                    && known.value().isNull()) {
                nulls.add(name);
            }
        }
        return nulls.isEmpty()
                ? ""
                : " In this request " + String.join(", ", nulls) + (nulls.size() == 1 ? " is" : " are")
                        + " NULL, which equals nothing: views that compare with "
                        + (nulls.size() == 1 ? "it" : "them") + " show nothing.";
    }

    private String reason(Decision.Refused refused, Verdict.NotShown verdict, List<Refusal.NearestView> nearest) {
        String asked = Asked.words(refused.obligation(), verdict.open().asked(), policy);
        String shows =
                refused.certain() ? "The policy does not show " : "It was not found out whether the policy shows ";
        if (nearest.isEmpty()) {
            return shows + asked + ".";
        }
        Refusal.NearestView best = nearest.get(0);
        return shows + asked + " beyond view " + best.name() + ", which lacks: " + best.lacks() + "."
                + Asked.remedy(refused.obligation(), best);
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
