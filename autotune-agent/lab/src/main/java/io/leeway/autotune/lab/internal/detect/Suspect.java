package io.leeway.autotune.lab.internal.detect;

import java.util.Locale;

/**
 * An instance that is held for the bottleneck, with what a person can check.
 *
 * @param instance its name
 * @param score mean probability over the anomalous traces in which it takes part, times the share of these in which it
 *     is named
 * @param traces in which it is named
 * @param anomalous traces in which it takes part
 * @param ownMillis median of its own time in the traces that name it
 * @param usualMillis median of its own time usually
 * @param callsMillis median of the longest call's time in the same traces
 * @param usualCallsMillis the same usually
 */
public record Suspect(
        String instance,
        double score,
        int traces,
        int anomalous,
        double ownMillis,
        double usualMillis,
        double callsMillis,
        double usualCallsMillis) {

    /** Why, in a sentence. */
    public String reason() {
        String own = String.format(
                Locale.ROOT,
                "its own time is %.1f ms where %.1f ms is usual (%.1f times), in %d of %d anomalous requests",
                ownMillis,
                usualMillis,
                ownMillis / Math.max(1e-3, usualMillis),
                traces,
                anomalous);
        if (usualCallsMillis <= 0) {
            return own + "; it calls nobody who could be the cause";
        }
        double calls = callsMillis / Math.max(1e-3, usualCallsMillis);
        return own
                + String.format(
                        Locale.ROOT,
                        "; its longest call takes %.1f ms where %.1f ms is usual, %s",
                        callsMillis,
                        usualCallsMillis,
                        calls < 1.5
                                ? "so that the cause is not below it"
                                : "so that there may be a cause below it too");
    }
}
