package io.leeway.benchmarks.results;

import org.jspecify.annotations.Nullable;

/**
 * One measured figure. The components are the fields of the file, in this order.
 *
 * @param name what was measured; the key within a product
 * @param goal the bound that was asked for, or null if the figure is for information
 * @param better which way is better
 * @param peer what it was compared with and what that measured, or empty
 * @param command what repeats the measurement
 * @param machine processor, memory, system and JDK
 * @param date the day, ISO
 * @param commit the commit that was measured
 */
public record Result(
        String name,
        double value,
        String unit,
        @Nullable Double goal,
        Better better,
        String peer,
        String command,
        String machine,
        String date,
        String commit) {

    /** Refuses a value that is not a number: it would be written as one and read as none. */
    public Result {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(name + " is not a finite number: " + value);
        }
    }

    /** Whether the goal is met; a figure without goal meets it. */
    public boolean isMet() {
        return goal == null || better.meets(value, goal);
    }
}
