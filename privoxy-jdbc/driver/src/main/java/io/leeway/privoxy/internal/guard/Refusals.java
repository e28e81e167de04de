package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.Refusal;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.console.DidYouMean;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.NearView;
import io.leeway.privoxy.internal.decide.NearestViews;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Request;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Words refusals: what was asked, which part is not covered, which views come nearest, and where asked for an
 * example.
 *
 * <p>What is said to a user is worked out only here and only after the decision: it may be slow, and must not have
 * a say in it.
 */
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

    /** The refusal of a statement, as it is told. */
    Denial refuse(QueryName name, Refused refused, Request request) {
        return refused.in(new Words(name, request));
    }

    /**
     * Of one execution.
     *
     * <p>One for each execution: the name is the text's, the rest the request's.
     */
    private final class Words implements Refused.Words {
        private final QueryName name;
        private final Request request;

        Words(QueryName name, Request request) {
            this.name = name;
            this.request = request;
        }

        @Override
        public Denial of(Refused.Unproved refused) {
            List<Refusal.NearestView> nearest = nearest(refused);
            String example = detail == PrivoxyOptions.Explain.COUNTEREXAMPLE
                    ? refused.example()
                            .map(found -> counterexamples.text(found, refused.problem()))
                            .orElse("")
                    : "";
            // The missing context comes first: with it the rest may be without object.
            String reason = noContext(refused.missing(), request) + reason(refused, nearest) + nulls(refused);
            return new Denial.Decided(refused.error(), new Refusal(name.id(), name.text(), reason, nearest, example));
        }

        @Override
        public Denial of(Refused.NotReviewed refused) {
            String asked = Asked.words(
                    refused.obligation(),
                    refused.problem().goal().query().disjuncts().get(0),
                    policy);
            return briefly(refused, "No reviewed template covers " + asked + ".");
        }

        @Override
        public Denial of(Refused.UnknownValues refused) {
            return briefly(
                    refused,
                    "A list of values is not known or too long, or of too many parameters nothing is known, to decide"
                            + " on "
                            + refused.obligation().reason() + ".");
        }

        @Override
        public Denial of(Refused.NoWrites refused) {
            return briefly(refused, "Writes are refused by configuration.");
        }

        @Override
        public Denial of(Refused.OfStates refused) {
            String asked = Asked.words(
                    refused.obligation(),
                    refused.obligation().query().disjuncts().get(0),
                    policy);
            return briefly(
                    refused,
                    "The policy shows " + asked
                            + " in one state of the database only, and this statement may read several: rows that it"
                            + " locks or writes are read as they are then, and so are rows that its transaction has"
                            + " written since it has a snapshot. Ask for one table in such a statement, by values that"
                            + " were read before, or in READ COMMITTED without a lock.");
        }

        /** Without views: none would have helped. */
        private Denial briefly(Refused refused, String reason) {
            return new Denial.Decided(refused.error(), Refusal.of(name.id(), name.text(), reason));
        }
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
                // Given, and not readable as its type: "is missing" alone would send people looking in the wrong place.
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
    private static String nulls(Refused.Unproved refused) {
        Set<String> nulls = new TreeSet<>();
        for (String name : refused.problem().goal().contextNamesNeeded()) {
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

    private String reason(Refused.Unproved refused, List<Refusal.NearestView> nearest) {
        String asked = Asked.words(refused.obligation(), refused.open().open().asked(), policy);
        // Never "does not show" where it was not found out.
        String shows = refused.ownError() == PrivoxyErrorCode.UNDECIDED
                ? "It was not found out whether the policy shows "
                : "The policy does not show ";
        if (nearest.isEmpty()) {
            return shows + asked + ".";
        }
        Refusal.NearestView best = nearest.get(0);
        return shows + asked + " beyond view " + best.name() + ", which lacks: " + best.lacks() + "."
                + Asked.remedy(refused.obligation(), best);
    }

    private List<Refusal.NearestView> nearest(Refused.Unproved refused) {
        // Names of views and columns may be more than an error page should say.
        if (detail == PrivoxyOptions.Explain.BRIEF) {
            return List.of();
        }
        return NearestViews.of(refused.open(), refused.problem().goal(), policy, NEAREST).stream()
                .map(Refusals::words)
                .toList();
    }

    private static Refusal.NearestView words(NearView view) {
        return new Refusal.NearestView(
                view.name(),
                // It shows the rows by itself; what lacks is in the rest of the query.
                view.missing().isEmpty()
                        ? "what joins it to the rest of the query"
                        : String.join("; ", view.missing()));
    }
}
