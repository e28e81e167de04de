package io.leeway.lazybase;

import java.util.List;

/**
 * The names of all metrics. They are API. Tags take their values from closed sets; no metric carries SQL, users, names of tables or keys.
 *
 * @since 0.1
 */
public final class LazyBaseMetrics {

    /** Rows that stages have done. */
    public static final String STAGE_ROWS = "lazybase.stage.rows";
    /** Bytes that stages have written. */
    public static final String STAGE_BYTES = "lazybase.stage.bytes";
    /** CPU time of stages. */
    public static final String STAGE_CPU = "lazybase.stage.cpu";
    /** Tasks that stages have done. */
    public static final String STAGE_TASKS = "lazybase.stage.tasks";
    /** Tasks that failed. */
    public static final String STAGE_FAILURES = "lazybase.stage.failures";
    /** Tasks that others did. */
    public static final String STAGE_HELPED = "lazybase.stage.helped";
    /** How stale what a stage has is. */
    public static final String STAGE_AGE = "lazybase.stage.age";
    /** What waits to be sorted. */
    public static final String BACKLOG = "lazybase.backlog";
    /** Runs that are not in the authority. */
    public static final String RUNS = "lazybase.runs";
    /** Queries. */
    public static final String QUERY = "lazybase.query";
    /** Connections. */
    public static final String CONNECTIONS = "lazybase.connections";

    /** Tag: which stage. */
    public static final String TAG_STAGE = "stage";
    /** Tag: what became of it. */
    public static final String TAG_OUTCOME = "outcome";

    private static final String STAGES = "stage=ingest|remap|sort|merge|authority";

    private static final List<Metric> ALL = List.of(
            new Metric(STAGE_ROWS, "counter", "Rows that went through a stage.", STAGES),
            new Metric(STAGE_BYTES, "counter", "Bytes that a stage has written.", STAGES),
            new Metric(STAGE_CPU, "counter", "Seconds of CPU time that a stage took.", STAGES),
            new Metric(STAGE_TASKS, "counter", "Tasks that a stage has finished.", STAGES),
            new Metric(STAGE_FAILURES, "counter", "Tasks of a stage that failed and were tried again.", STAGES),
            new Metric(
                    STAGE_HELPED, "counter", "Tasks of a stage, or ranges of them, that other processes did.", STAGES),
            new Metric(
                    STAGE_AGE,
                    "gauge",
                    "How stale an answer is, in seconds, that reads up to what a stage has done.",
                    "stage=sort|authority"),
            new Metric(BACKLOG, "gauge", "Bytes in memory of commits that are not sorted.", ""),
            new Metric(RUNS, "gauge", "Sorted and merged runs that are not in the authority.", ""),
            new Metric(QUERY, "timer", "Queries.", "outcome=ok|error"),
            new Metric(CONNECTIONS, "gauge", "Connections of clients.", ""));

    /**
     * A metric.
     *
     * @param name its name
     * @param kind counter, gauge or timer
     * @param description what it counts
     * @param tags what it is told apart by, with all values
     */
    public record Metric(String name, String kind, String description, String tags) {}

    private LazyBaseMetrics() {}

    /** All metrics in the order of the documentation. */
    public static List<Metric> all() {
        return ALL;
    }
}
