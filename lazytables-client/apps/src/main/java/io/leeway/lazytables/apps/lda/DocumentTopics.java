package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.apps.BadInputException;

/**
 * How many tokens of every topic each of a worker's documents has: only topics that occur, the more frequent ones nearly
 * always before the others, packed as {@code count << bits | topic}.
 *
 * <p>Local to a worker, which owns its documents. Not for several threads.
 */
final class DocumentTopics {

    private final int bits;
    private final int mask;
    private final int[] start;
    private final int[] size;
    private final int[] entry;

    /** For documents of a corpus from one number up to another, all empty. */
    DocumentTopics(Corpus corpus, int from, int to, int topics) {
        bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(topics - 1));
        mask = (1 << bits) - 1;
        int longest = Integer.MAX_VALUE >>> bits;
        start = new int[to - from + 1];
        size = new int[to - from];
        for (int d = from; d < to; d++) {
            if (corpus.length(d) > longest) {
                throw new BadInputException("document " + d + " has " + corpus.length(d) + " words; with " + topics
                        + " topics a document may have " + longest + ": split it or take fewer topics");
            }
            start[d - from + 1] = start[d - from] + Math.min(corpus.length(d), topics);
        }
        entry = new int[start[to - from]];
    }

    int documents() {
        return size.length;
    }

    int bits() {
        return bits;
    }

    int mask() {
        return mask;
    }

    /** Where the entries of a document begin. */
    int start(int document) {
        return start[document];
    }

    /** Behind the last entry of a document. */
    int end(int document) {
        return start[document] + size[document];
    }

    /** All entries, for loops that cannot afford a call for each. */
    int[] entries() {
        return entry;
    }

    int count(int document, int topic) {
        for (int i = start(document); i < end(document); i++) {
            if ((entry[i] & mask) == topic) {
                return entry[i] >>> bits;
            }
        }
        return 0;
    }

    /** Adds the topics of a block's tokens. */
    void add(TokenBlock block) {
        for (int t = 0; t < block.tokens(); t++) {
            increment(block.document(t), block.topic(t));
        }
    }

    void increment(int document, int topic) {
        int first = start[document];
        int end = first + size[document];
        int at = first;
        while (at < end && (entry[at] & mask) != topic) {
            at++;
        }
        if (at == end) {
            entry[at] = topic;
            size[document]++;
        }
        int value = entry[at] + (1 << bits);
        // Larger counts go before smaller ones, one place at a time: picking walks from the front.
        while (at > first && entry[at - 1] < value) {
            entry[at] = entry[at - 1];
            at--;
        }
        entry[at] = value;
    }

    void decrement(int document, int topic) {
        int at = start[document];
        int last = at + size[document] - 1;
        while ((entry[at] & mask) != topic) {
            at++;
        }
        int value = entry[at] - (1 << bits);
        while (at < last && entry[at + 1] > value) {
            entry[at] = entry[at + 1];
            at++;
        }
        entry[at] = value;
        if (value >>> bits == 0) {
            // The smallest of all, so it has come to the end.
            size[document]--;
        }
    }
}
