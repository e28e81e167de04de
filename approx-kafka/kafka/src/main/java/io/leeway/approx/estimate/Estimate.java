package io.leeway.approx.estimate;

import java.util.List;

/**
 * An answer from a sample.
 *
 * @param value the estimate
 * @param low the lower end of its interval
 * @param high the upper end
 * @param confidence the level of the interval
 * @param population how many there are
 * @param sample how many were seen
 * @param method how it was computed
 * @param warnings why it should be read with care; empty if there is no reason
 */
public record Estimate(
        double value,
        double low,
        double high,
        double confidence,
        long population,
        long sample,
        String method,
        List<String> warnings) {

    public Estimate {
        warnings = List.copyOf(warnings);
    }

    /** Half of the interval. */
    public double halfWidth() {
        return (high - low) / 2;
    }

    /** Whether the interval contains a value. */
    public boolean covers(double truth) {
        return low <= truth && truth <= high;
    }
}
