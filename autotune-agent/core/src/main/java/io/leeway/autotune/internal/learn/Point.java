package io.leeway.autotune.internal.learn;

/**
 * A point of the mixed space that learners move in.
 *
 * @param numbers each in [0, 1]
 * @param words the index of the word of each categorical parameter
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Point(double[] numbers, int[] words) {

    /** Copies. */
    public Point {
        numbers = numbers.clone();
        words = words.clone();
    }
}
