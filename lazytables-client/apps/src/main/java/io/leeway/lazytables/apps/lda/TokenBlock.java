package io.leeway.lazytables.apps.lda;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The tokens of successive documents, ordered by word, with the topic of each.
 *
 * <p>By word, so that a pass over the block needs the shared counts of each word once, and changes them once, however many
 * documents have it. Any order is right for a Gibbs sampler; this one is that of F+LDA (Yu et al., WWW 2015).
 */
final class TokenBlock {

    private final int[] word;
    private final int[] start;
    private final int[] document;
    private final int[] topic;

    private TokenBlock(int[] word, int[] start, int[] document, int[] topic) {
        this.word = word;
        this.start = start;
        this.document = document;
        this.topic = topic;
    }

    /** Of the documents from one number up to another, which are counted from the first on; no topics yet. */
    static TokenBlock of(Corpus corpus, int from, int to, int firstDocument) {
        int[] count = new int[corpus.words() + 1];
        for (int t = corpus.start(from); t < corpus.start(to); t++) {
            count[corpus.word(t)]++;
        }
        int distinct = 0;
        for (int w = 0; w < corpus.words(); w++) {
            if (count[w] > 0) {
                distinct++;
            }
        }
        int[] word = new int[distinct];
        int[] start = new int[distinct + 1];
        int at = 0;
        for (int w = 0; w < corpus.words(); w++) {
            if (count[w] > 0) {
                word[at] = w;
                start[at + 1] = start[at] + count[w];
                // From here on: where the next token of the word goes.
                count[w] = start[at++];
            }
        }
        int[] document = new int[start[distinct]];
        for (int d = from; d < to; d++) {
            for (int t = corpus.start(d); t < corpus.start(d + 1); t++) {
                document[count[corpus.word(t)]++] = d - firstDocument;
            }
        }
        return new TokenBlock(word, start, document, new int[document.length]);
    }

    /** Gives every token a topic at random. */
    void scatter(int topics, SplittableRandom random) {
        for (int t = 0; t < topic.length; t++) {
            topic[t] = random.nextInt(topics);
        }
    }

    /** Number of different words. */
    int words() {
        return word.length;
    }

    int tokens() {
        return document.length;
    }

    /** The word at a place of the block's own order. */
    int word(int place) {
        return word[place];
    }

    /** The words at places from one up to another, as the table's rows; places behind the last have none. */
    long[] rows(int from, int to) {
        int end = Math.min(to, word.length);
        return from < end ? Arrays.stream(word, from, end).asLongStream().toArray() : new long[0];
    }

    /** Where the tokens of a place begin; the number of words is allowed too. */
    int start(int place) {
        return start[place];
    }

    int document(int token) {
        return document[token];
    }

    int topic(int token) {
        return topic[token];
    }

    /** The topics of tokens from one up to another. */
    int[] topics(int from, int to) {
        return Arrays.copyOfRange(topic, from, to);
    }

    void topic(int token, int value) {
        topic[token] = value;
    }
}
