package io.leeway.approx.flink;

import io.leeway.approx.estimate.Moments;

/**
 * What was seen of one producer's part of a window.
 *
 * @param all how many records
 * @param numbers of those that had one
 */
public record Seen(long all, Moments numbers) {

    static final Seen NOTHING = new Seen(0, Moments.NONE);

    Seen plus(double number) {
        return new Seen(all + 1, Double.isNaN(number) ? numbers : numbers.plus(number));
    }

    /** As if records without a number had a 0. */
    Moments withZeros() {
        long zeros = all - numbers.count();
        return zeros == 0 ? numbers : numbers.plus(new Moments(zeros, 0, 0, 0, 0));
    }
}
