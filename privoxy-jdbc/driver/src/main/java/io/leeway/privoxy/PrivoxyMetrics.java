package io.leeway.privoxy;

import java.util.List;

/**
 * The names of all metrics. They are API. Tags take their values from closed sets; no metric carries SQL, users or data.
 *
 * @since 0.1
 */
public final class PrivoxyMetrics {

    /** Time of one decision. */
    public static final String CHECK = "privoxy.check";
    /** Statements that passed in audit mode only. */
    public static final String AUDITED = "privoxy.audited";
    /** What happened to templates. */
    public static final String TEMPLATE = "privoxy.template";
    /** Time of one solver's attempt. */
    public static final String SOLVER = "privoxy.solver";
    /** Results in the trace when a decision is made. */
    public static final String TRACE_ENTRIES = "privoxy.trace.entries";
    /** Values in the trace when a decision is made. */
    public static final String TRACE_CELLS = "privoxy.trace.cells";

    /** Tag: what decided. */
    public static final String TAG_STAGE = "stage";
    /** Tag: the decision. */
    public static final String TAG_OUTCOME = "outcome";
    /** Tag: what happened. */
    public static final String TAG_EVENT = "event";
    /** Tag: which solver. */
    public static final String TAG_SOLVER = "solver";

    private static final List<Metric> ALL = List.of(
            new Metric(
                    CHECK,
                    "timer",
                    "Time of one decision.",
                    "stage=column|template|chase|solver|none, outcome=allow|deny|undecided|unsupported|error"),
            new Metric(
                    AUDITED,
                    "counter",
                    "Statements that passed although they would have been refused in enforce mode.",
                    "outcome=deny|undecided|unsupported|error"),
            new Metric(
                    TEMPLATE,
                    "counter",
                    "Templates made, loaded, dropped for room, or rejected by validation.",
                    "event=created|loaded|evicted|rejected"),
            new Metric(
                    SOLVER,
                    "timer",
                    "Time of one solver's attempt.",
                    "solver=cvc5|z3|other, outcome=won|lost|unknown|timeout"),
            new Metric(TRACE_ENTRIES, "summary", "Results in the trace when a decision is made.", ""),
            new Metric(TRACE_CELLS, "summary", "Values in the trace when a decision is made.", ""));

    private PrivoxyMetrics() {}

    /** All metrics, in the order of the documentation. */
    public static List<Metric> all() {
        return ALL;
    }

    /**
     * A metric.
     *
     * @param name under which it is registered
     * @param kind timer, counter or summary
     * @param description in one sentence
     * @param tags with their values
     */
    public record Metric(String name, String kind, String description, String tags) {}
}
