package io.leeway.pipelining;

import java.util.List;

/**
 * The names of all metrics. They are API. Served in Prometheus' text form beside the page.
 *
 * @since 0.1
 */
public final class PipeliningMetrics {

    /** Threads that were put in. */
    public static final String PORTS = "pipelining.ports";
    /** Decisions by what became of them. */
    public static final String DECISIONS = "pipelining.decisions";
    /** Ports that are not tried. */
    public static final String BLACKLISTED = "pipelining.blacklisted";
    /** How busy threads were in the last profile. */
    public static final String UTILISATION = "pipelining.utilisation";
    /** How long the last change stopped the flow. */
    public static final String PAUSE = "pipelining.pause";
    /** Whether it has settled. */
    public static final String SETTLED = "pipelining.settled";

    private static final List<Metric> ALL = List.of(
            new Metric(PORTS, "gauge", "Operators that have a thread in front of them.", ""),
            new Metric(
                    DECISIONS,
                    "counter",
                    "Decisions, by what became of them.",
                    "outcome=kept|reverted|observed|abandoned"),
            new Metric(BLACKLISTED, "gauge", "Ports that are not tried: failed or refused.", ""),
            new Metric(UTILISATION, "gauge", "Share of the last profile in which the busiest thread was busy.", ""),
            new Metric(PAUSE, "gauge", "Seconds for which the last change stopped the flow.", ""),
            new Metric(SETTLED, "gauge", "1 when nothing is being tried, else 0.", ""));

    private PipeliningMetrics() {}

    /**
     * One metric.
     *
     * @param name its name
     * @param type counter or gauge
     * @param text what it says
     * @param tags its tags with all their values
     * @since 0.1
     */
    public record Metric(String name, String type, String text, String tags) {}

    /** All metrics, in the order of the documentation. */
    public static List<Metric> all() {
        return ALL;
    }
}
