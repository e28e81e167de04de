package io.leeway.privoxy;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * Why a statement was refused. It has no data values unless {@code privoxyValues} is on: the query is the text with
 * every literal replaced.
 *
 * @param queryId short and stable name of the query, the same in logs, metrics and reports
 * @param query the text without literals
 * @param reason what is not covered, in one sentence
 * @param nearestViews the views that come closest, nearest first
 * @param counterexample two small databases that look the same through the policy and differ in the answer, as text; or
 *     empty
 * @since 0.1
 */
public record Refusal(
        String queryId, String query, String reason, List<NearestView> nearestViews, String counterexample)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Nothing but the reason. */
    public static Refusal of(String queryId, String query, String reason) {
        return new Refusal(queryId, query, reason, List.of(), "");
    }

    public Refusal {
        Objects.requireNonNull(queryId, "queryId");
        Objects.requireNonNull(query, "query");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(counterexample, "counterexample");
        nearestViews = List.copyOf(nearestViews);
    }

    /** The reason, and below it the details. */
    public String summary() {
        return reason + details();
    }

    /** Query, nearest views and counterexample, each on lines of its own, with a line break before the first; or empty. */
    String details() {
        var text = new StringBuilder();
        if (!query.isEmpty()) {
            text.append("\nQuery ").append(queryId).append(": ").append(query);
        }
        for (NearestView view : nearestViews) {
            text.append("\nView ").append(view.name()).append(" lacks: ").append(view.lacks());
        }
        if (!counterexample.isEmpty()) {
            text.append('\n').append(counterexample);
        }
        return text.toString();
    }

    /**
     * A view that comes close.
     *
     * @param name of the view in the policy
     * @param lacks what it does not show or what the trace lacks for it, in words
     */
    public record NearestView(String name, String lacks) implements Serializable {

        private static final long serialVersionUID = 1L;

        public NearestView {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(lacks, "lacks");
        }
    }
}
