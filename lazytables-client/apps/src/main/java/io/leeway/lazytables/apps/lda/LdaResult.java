package io.leeway.lazytables.apps.lda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a topic model found.
 *
 * @param topicWords how often each word has each topic: {@code [topic][word]}
 */
@SuppressWarnings("ArrayRecordComponent") // As large as the model, and compared by nobody.
public record LdaResult(int[][] topicWords) {

    /** Checked: each word is counted as often as it occurs, and each topic as often as its words are. */
    static LdaResult conserved(Corpus corpus, int[][] topicWords, long[] totals) {
        int[] occurs = new int[corpus.words()];
        for (int t = 0; t < corpus.tokens(); t++) {
            occurs[corpus.word(t)]++;
        }
        for (int word = 0; word < occurs.length; word++) {
            int counted = 0;
            for (int[] topic : topicWords) {
                if (topic[word] < 0) {
                    throw new IllegalStateException(
                            "word " + word + " has a topic " + topic[word] + " times: updates were lost or made up");
                }
                counted += topic[word];
            }
            if (counted != occurs[word]) {
                throw new IllegalStateException("word " + word + " occurs " + occurs[word] + " times and is counted "
                        + counted + " times: updates were lost or made up");
            }
        }
        for (int k = 0; k < totals.length; k++) {
            long counted = Arrays.stream(topicWords[k]).asLongStream().sum();
            if (counted != totals[k]) {
                throw new IllegalStateException("topic " + k + " has " + counted + " words and a total of " + totals[k]
                        + ": updates were lost or made up");
            }
        }
        return new LdaResult(topicWords);
    }

    /** A line for each topic with the words that it is known by. */
    public List<String> lines(Corpus corpus) {
        var lines = new ArrayList<String>();
        for (int k = 0; k < topicWords.length; k++) {
            var line = new StringBuilder("topic ").append(k).append(':');
            for (int word : TopWords.of(topicWords[k])) {
                line.append(' ').append(corpus.text(word));
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
