package io.leeway.demo;

import java.util.List;
import java.util.Locale;

/**
 * A bar plot that starts at nought.
 *
 * @param caption one line above it
 * @param unit the unit of all values
 * @param bars from top to bottom
 */
public record Bars(String caption, String unit, List<Bar> bars) {

    /**
     * One bar.
     *
     * @param label what it stands for
     * @param value not negative
     */
    public record Bar(String label, double value) {

        /** Refuses what cannot be drawn. */
        public Bar {
            if (!(value >= 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(label + " cannot be drawn: " + value);
            }
        }
    }

    /** Copies. */
    public Bars {
        bars = List.copyOf(bars);
    }

    /** The length of a bar as a share of the longest, between nought and one. */
    double share(Bar bar) {
        double longest = bars.stream().mapToDouble(Bar::value).max().orElse(0);
        return longest == 0 ? 0 : bar.value() / longest;
    }

    /** The value with its unit. */
    String text(Bar bar) {
        String format = bar.value() >= 100 ? "%,.0f %s" : bar.value() >= 1 ? "%.1f %s" : "%.3f %s";
        return String.format(Locale.ROOT, format, bar.value(), unit);
    }
}
