package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.apps.BadInputException;

/**
 * Sizes and priors of a topic model.
 *
 * @param topics number of topics
 * @param words number of different words
 * @param alpha prior of every topic in a document
 * @param beta prior of every word in a topic
 */
public record LdaModel(int topics, int words, double alpha, double beta) {

    /** Topic numbers are packed with counts; this leaves room for documents of 32,767 words. */
    static final int MOST_TOPICS = 1 << 16;

    /** Checked. */
    public LdaModel {
        if (topics < 1 || topics > MOST_TOPICS) {
            throw new BadInputException("topics is " + topics + ", not within 1 to " + MOST_TOPICS);
        }
        if (words < 1) {
            throw new BadInputException("there are no words");
        }
        if (!(alpha > 0) || !(beta > 0) || Double.isInfinite(alpha) || Double.isInfinite(beta)) {
            throw new BadInputException("alpha is " + alpha + " and beta " + beta + "; both must be above zero");
        }
    }

    /** The prior of all words together in one topic. */
    double betaSum() {
        return beta * words;
    }
}
