package io.leeway.autotune;

import java.util.List;

/**
 * The names of all metrics that the agent adds to the host's own Micrometer registries. They are API. Tags take their
 * values from closed sets, or from the names of knobs.
 *
 * @since 0.1
 */
public final class AutoTuneMetrics {

    /** Latency at the entry points. */
    public static final String LATENCY = "autotune.latency.ms";
    /** Requests. */
    public static final String THROUGHPUT = "autotune.throughput";
    /** Failed requests. */
    public static final String ERRORS = "autotune.errors";
    /** Values of knobs. */
    public static final String KNOB = "autotune.knob";
    /** Changes. */
    public static final String ROUNDS = "autotune.rounds";
    /** Whether a run is under way. */
    public static final String TUNING = "autotune.tuning";

    /** Tag: p50, p95 or p99. */
    public static final String TAG_PERCENTILE = "percentile";
    /** Tag: a knob's name. */
    public static final String TAG_KNOB = "knob";
    /** Tag: what became of a change. */
    public static final String TAG_VERDICT = "verdict";

    private static final List<Metric> ALL = List.of(
            new Metric(
                    LATENCY,
                    "Milliseconds of the requests of the last ten seconds, at the entry points.",
                    "percentile=p50|p95|p99"),
            new Metric(THROUGHPUT, "Requests a second, in the last ten seconds.", ""),
            new Metric(ERRORS, "The share of failed ones of them, 0 to 1.", ""),
            new Metric(KNOB, "The present value of a knob that is a number.", "knob=its name"),
            new Metric(
                    ROUNDS,
                    "Changes of the run that is under way, or of the last one, by what became of them.",
                    "verdict=kept|taken_back|guarded|refused|measured"),
            new Metric(TUNING, "1 while a run is under way, else 0.", ""));

    private AutoTuneMetrics() {}

    /**
     * A metric; all are gauges.
     *
     * @param name its name
     * @param text what it says
     * @param tags with their values; empty for none
     */
    public record Metric(String name, String text, String tags) {}

    /** All, in the order of the documentation. */
    public static List<Metric> all() {
        return ALL;
    }
}
