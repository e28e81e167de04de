package io.leeway.lazytables.apps;

import io.leeway.lazytables.AdaptivePace;
import java.util.List;

/**
 * How a run ended.
 *
 * @param result what came out
 * @param value the measure in the end, from exact reads
 * @param atRest whether it ended because nothing happened any more
 * @param clocks how many each worker completed, loading not counted
 * @param nanos from the beginning of work to its end
 * @param curve the measure while it ran
 * @param paces that an adaptive run chose, with blocks as units of work; empty if it is not adaptive
 * @param <R> what comes out
 */
public record Outcome<R>(
        R result,
        double value,
        boolean atRest,
        int clocks,
        long nanos,
        List<Point> curve,
        List<AdaptivePace.Decision> paces) {

    /** Copies. */
    public Outcome {
        curve = List.copyOf(curve);
        paces = List.copyOf(paces);
    }
}
