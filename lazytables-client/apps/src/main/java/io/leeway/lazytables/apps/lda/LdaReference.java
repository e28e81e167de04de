package io.leeway.lazytables.apps.lda;

import java.util.SplittableRandom;

/**
 * The topic model in one thread, with its counts in plain arrays: what a run with tables is compared with.
 *
 * <p>Not for several threads.
 */
public final class LdaReference {

    private final LdaModel model;
    private final TokenBlock block;
    private final DocumentTopics documents;
    private final TopicSampler sampler;
    /** Of every word its topics as {@code count << 32 | topic}; a word has no more than it has tokens. */
    private final long[][] counts;

    private final int[] size;
    private final int[] totals;

    /** All tokens with a topic at random. */
    public LdaReference(Corpus corpus, LdaModel model, long seed) {
        this.model = model;
        var random = new SplittableRandom(seed);
        block = TokenBlock.of(corpus, 0, corpus.documents(), 0);
        block.scatter(model.topics(), random);
        documents = new DocumentTopics(corpus, 0, corpus.documents(), model.topics());
        documents.add(block);
        sampler = new TopicSampler(model, random);
        counts = new long[block.words()][];
        size = new int[block.words()];
        totals = new int[model.topics()];
        int[] dense = new int[model.topics()];
        for (int place = 0; place < block.words(); place++) {
            countPlace(place, dense);
        }
        for (int k = 0; k < totals.length; k++) {
            sampler.total(k, totals[k]);
        }
        sampler.totalsKnown();
    }

    private void countPlace(int place, int[] dense) {
        counts[place] = new long[Math.min(model.topics(), block.start(place + 1) - block.start(place))];
        for (int t = block.start(place); t < block.start(place + 1); t++) {
            dense[block.topic(t)]++;
            totals[block.topic(t)]++;
        }
        for (int k = 0; k < dense.length; k++) {
            if (dense[k] > 0) {
                counts[place][size[place]++] = (long) dense[k] << Integer.SIZE | k;
                dense[k] = 0;
            }
        }
    }

    /** One pass over all tokens. */
    public void pass() {
        for (int place = 0; place < block.words(); place++) {
            long[] row = counts[place];
            for (int i = 0; i < size[place]; i++) {
                sampler.count((int) row[i], (int) (row[i] >>> Integer.SIZE));
            }
            sampler.sample(block, place, documents);
            size[place] = sampler.finish(row);
        }
        sampler.totalChanges((topic, by) -> totals[topic] += by);
    }

    /** The logarithm of the probability of words and topics, by token. */
    public double logLikelihoodPerToken() {
        var likelihood = new LogLikelihood(model);
        double sum = likelihood.ofDocuments(documents);
        for (int place = 0; place < block.words(); place++) {
            for (int i = 0; i < size[place]; i++) {
                sum += likelihood.ofWordTopic((int) (counts[place][i] >>> Integer.SIZE));
            }
        }
        for (int total : totals) {
            sum += likelihood.ofTotal(total);
        }
        return sum / block.tokens();
    }

    /** How often each word has each topic: {@code [topic][word]}. */
    public int[][] topicWords() {
        int[][] result = new int[model.topics()][model.words()];
        for (int place = 0; place < block.words(); place++) {
            for (int i = 0; i < size[place]; i++) {
                result[(int) counts[place][i]][block.word(place)] = (int) (counts[place][i] >>> Integer.SIZE);
            }
        }
        return result;
    }

    TokenBlock block() {
        return block;
    }

    DocumentTopics documents() {
        return documents;
    }

    int total(int topic) {
        return totals[topic];
    }
}
