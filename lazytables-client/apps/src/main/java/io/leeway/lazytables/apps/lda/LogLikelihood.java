package io.leeway.lazytables.apps.lda;

import java.util.Arrays;

/*
 * The logarithm of the probability of all words and topics together, P(w, z | alpha, beta), with the distributions
 * integrated out; as Griffiths and Steyvers (2004) have it, and MALLET prints it. In parts, each of which needs only what
 * one worker or one row has:
 *     of a document:  lnG(K a) - lnG(K a + n_d) + sum over its topics of lnG(a + n_dk) - lnG(a)
 *     of a word:      sum over its topics of lnG(b + n_wk) - lnG(b)
 *     of a topic:     lnG(V b) - lnG(V b + n_k)
 */

/** The objective of the topic model, in parts that add up. Immutable. */
final class LogLikelihood {

    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    /** Counts below this are looked up: nearly all are. */
    private static final int KNOWN = 1024;

    /** From here on the series is exact to the last digits. */
    private static final double SERIES_FROM = 10;

    private final LdaModel model;
    private final double[] ofDocumentTopic;
    private final double[] ofWordTopic;

    LogLikelihood(LdaModel model) {
        this.model = model;
        ofDocumentTopic = known(model.alpha());
        ofWordTopic = known(model.beta());
    }

    private static double[] known(double prior) {
        double[] known = new double[KNOWN];
        Arrays.setAll(known, count -> rise(prior, count));
        return known;
    }

    private static double rise(double prior, int count) {
        return logGamma(prior + count) - logGamma(prior);
    }

    double ofDocuments(DocumentTopics documents) {
        double sum = 0;
        for (int d = 0; d < documents.documents(); d++) {
            sum += ofDocument(documents, d);
        }
        return sum;
    }

    private double ofDocument(DocumentTopics documents, int document) {
        double alphaSum = model.alpha() * model.topics();
        double sum = 0;
        long tokens = 0;
        for (int i = documents.start(document); i < documents.end(document); i++) {
            int count = documents.entries()[i] >>> documents.bits();
            tokens += count;
            sum += count < KNOWN ? ofDocumentTopic[count] : rise(model.alpha(), count);
        }
        return sum + logGamma(alphaSum) - logGamma(alphaSum + tokens);
    }

    /** Of one topic of one word; a count that staleness made negative counts as none. */
    double ofWordTopic(int count) {
        if (count <= 0) {
            return 0;
        }
        return count < KNOWN ? ofWordTopic[count] : rise(model.beta(), count);
    }

    double ofTotal(int tokens) {
        return logGamma(model.betaSum()) - logGamma(model.betaSum() + Math.max(tokens, 0));
    }

    /** The logarithm of the gamma function above zero: Stirling's series, from arguments below it by recursion. */
    static double logGamma(double x) {
        double product = 1;
        double at = x;
        while (at < SERIES_FROM) {
            product *= at;
            at++;
        }
        double inverse = 1 / at;
        double square = inverse * inverse;
        double series = inverse
                * (1 / 12.0 - square * (1 / 360.0 - square * (1 / 1260.0 - square * (1 / 1680.0 - square / 1188.0))));
        return (at - 0.5) * Math.log(at) - at + HALF_LOG_TWO_PI + series - Math.log(product);
    }
}
