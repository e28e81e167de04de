package io.leeway.lazytables.apps.lda;

import java.util.Arrays;

/** The words that a topic is known by. */
final class TopWords {

    static final int TOP = 10;

    private TopWords() {}

    /** The most frequent words, at most ten, the most frequent first; words without a count are none. */
    static int[] of(int[] counts) {
        int[] best = new int[Math.min(TOP, counts.length)];
        int size = 0;
        for (int word = 0; word < counts.length; word++) {
            if (counts[word] > 0 && (size < best.length || counts[word] > counts[best[size - 1]])) {
                int at = size < best.length ? size++ : size - 1;
                while (at > 0 && counts[best[at - 1]] < counts[word]) {
                    best[at] = best[at - 1];
                    at--;
                }
                best[at] = word;
            }
        }
        return Arrays.copyOf(best, size);
    }
}
