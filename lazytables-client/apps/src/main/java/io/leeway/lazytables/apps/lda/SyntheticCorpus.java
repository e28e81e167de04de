package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.apps.AliasTable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Documents that were drawn from known topics: every topic has the words in an order of its own, with Zipf's frequencies;
 * every document mixes a few topics.
 */
public final class SyntheticCorpus {

    private static final int TOPICS_PER_DOCUMENT = 3;
    private static final double ZIPF = 1.0;

    private final Corpus corpus;
    private final int[][] order;

    private SyntheticCorpus(Corpus corpus, int[][] order) {
        this.corpus = corpus;
        this.order = order;
    }

    /**
     * Draws one; the same arguments give the same.
     *
     * @param length of a document on average; lengths are spread evenly from half to one and a half of it
     */
    public static SyntheticCorpus generate(int documents, int length, int words, int topics, long seed) {
        var random = new SplittableRandom(seed);
        AliasTable ranks = AliasTable.zipf(words, ZIPF);
        int[][] order = new int[topics][];
        for (int k = 0; k < topics; k++) {
            order[k] = AliasTable.permutation(words, random);
        }
        int[] start = new int[documents + 1];
        for (int d = 0; d < documents; d++) {
            start[d + 1] = start[d] + Math.max(1, length / 2 + random.nextInt(length + 1));
        }
        int[] word = new int[start[documents]];
        int[] own = new int[TOPICS_PER_DOCUMENT];
        for (int d = 0; d < documents; d++) {
            Arrays.setAll(own, i -> random.nextInt(topics));
            // Shares of one half, three tenths and one fifth.
            for (int t = start[d]; t < start[d + 1]; t++) {
                double point = random.nextDouble();
                int topic = own[point < 0.5 ? 0 : point < 0.8 ? 1 : 2];
                word[t] = order[topic][ranks.draw(random)];
            }
        }
        return new SyntheticCorpus(new Corpus(start, word, words, List.of()), order);
    }

    /** The documents. */
    public Corpus corpus() {
        return corpus;
    }

    /**
     * How much of the truth was found: for every true topic the largest share of its ten most frequent words among the ten
     * most frequent of a learned topic, on average. One is all.
     *
     * @param topicWords how often each word has each learned topic: {@code [topic][word]}
     */
    public double recovered(int[][] topicWords) {
        List<Set<Integer>> learned =
                Arrays.stream(topicWords).map(SyntheticCorpus::mostFrequent).toList();
        double sum = 0;
        for (int[] words : order) {
            int best = 0;
            for (Set<Integer> candidate : learned) {
                int common = 0;
                for (int rank = 0; rank < TopWords.TOP; rank++) {
                    common += candidate.contains(words[rank]) ? 1 : 0;
                }
                best = Math.max(best, common);
            }
            sum += (double) best / TopWords.TOP;
        }
        return sum / order.length;
    }

    private static Set<Integer> mostFrequent(int[] counts) {
        var words = new HashSet<Integer>();
        for (int word : TopWords.of(counts)) {
            words.add(word);
        }
        return words;
    }
}
