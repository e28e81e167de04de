package io.leeway.lazytables.apps.lda;

import java.util.SplittableRandom;

/*
 * Model: a token of word w in document d gets topic k with probability in proportion to
 *     (n_dk + alpha) * q_k,    q_k = (n_wk + beta) / (n_k + V beta),
 * where all counts leave the token itself out. Two buckets: sum n_dk q_k runs over the few topics of the document, and
 * alpha * sum q_k is kept up to date by the topic that changed. The second bucket is rarely hit, so that a walk over all
 * topics there costs little (F+LDA has a tree in its place, which costs two updates per token instead).
 *
 * Words come one after the other: q differs from beta / (n_k + V beta) only where the present word has counts. So a change
 * of word costs as much as the two words have topics.
 *
 * Invariants: q and its sum belong to the present word, or to a word without counts between end and begin; the sum is added
 * up anew every RESUM words, so that rounding errors do not gather.
 *
 * Counts come from tables that may be stale: they may be short of what others have taken away or added, even negative.
 * A negative count is used as zero; it is kept as it is, so that the sum of all changes stays exact.
 */

/**
 * Samples the topics of the tokens of one word after the other: the inner loop of the topic model, over counts that it is
 * handed.
 *
 * <p>{@link #total} for every topic and {@link #totalsKnown}, then for each word {@link #count} for its topics,
 * {@link #sample}, {@link #finish}. Not for several threads.
 */
final class TopicSampler {

    private static final int RESUM = 64;

    private final int topics;
    private final double alpha;
    private final double beta;
    private final double betaSum;
    private final SplittableRandom random;

    private final int[] total;
    private final int[] totalBefore;
    private final double[] q;
    private double sum;
    private int sinceSummed;

    private final int[] count;
    private final int[] countBefore;
    private final int[] listed;
    private final boolean[] isListed;
    private int listedSize;

    /** What becomes of a count. */
    interface ChangeSink {

        /** A topic's count differs by so much, which is not zero. */
        void changed(int topic, int by);
    }

    TopicSampler(LdaModel model, SplittableRandom random) {
        this.topics = model.topics();
        this.alpha = model.alpha();
        this.beta = model.beta();
        this.betaSum = model.betaSum();
        this.random = random;
        total = new int[topics];
        totalBefore = new int[topics];
        q = new double[topics];
        count = new int[topics];
        countBefore = new int[topics];
        listed = new int[topics];
        isListed = new boolean[topics];
    }

    /** How many tokens of all words have a topic. */
    void total(int topic, int tokens) {
        total[topic] = tokens;
        totalBefore[topic] = tokens;
    }

    /** All totals were given. */
    void totalsKnown() {
        sum = 0;
        for (int k = 0; k < topics; k++) {
            q[k] = beta / denominator(total[k]);
            sum += q[k];
        }
        sinceSummed = 0;
    }

    /** What became of the totals since they were given. */
    void totalChanges(ChangeSink sink) {
        for (int k = 0; k < topics; k++) {
            if (total[k] != totalBefore[k]) {
                sink.changed(k, total[k] - totalBefore[k]);
                totalBefore[k] = total[k];
            }
        }
    }

    /** How many tokens of the next word have a topic; topics that are not named have none. */
    void count(int topic, int tokens) {
        if (tokens != 0) {
            list(topic);
            count[topic] = tokens;
            countBefore[topic] = tokens;
            double now = quality(topic);
            sum += now - q[topic];
            q[topic] = now;
        }
    }

    /** Draws new topics for all tokens at a place of the block. */
    void sample(TokenBlock block, int place, DocumentTopics documents) {
        int[] entries = documents.entries();
        int bits = documents.bits();
        int mask = documents.mask();
        for (int t = block.start(place); t < block.start(place + 1); t++) {
            int document = block.document(t);
            int old = block.topic(t);
            double oldQ = q[old];
            double without = (Math.max(count[old] - 1, 0) + beta) / denominator(total[old] - 1);
            q[old] = without;
            double rest = sum + (without - oldQ);
            int first = documents.start(document);
            int end = documents.end(document);
            double mine = -without;
            for (int i = first; i < end; i++) {
                mine += (entries[i] >>> bits) * q[entries[i] & mask];
            }
            mine = Math.max(mine, 0);
            double point = random.nextDouble() * (mine + alpha * rest);
            int chosen = point < mine
                    ? ofDocument(point, entries, first, end, bits, mask, old)
                    : ofAll((point - mine) / alpha);
            if (chosen == old) {
                q[old] = oldQ;
            } else {
                block.topic(t, chosen);
                documents.decrement(document, old);
                documents.increment(document, chosen);
                move(old, chosen, rest);
            }
        }
    }

    /** The topic of the document in which the point falls. */
    private int ofDocument(double point, int[] entries, int first, int end, int bits, int mask, int old) {
        double left = point;
        for (int i = first; i < end; i++) {
            int topic = entries[i] & mask;
            int own = entries[i] >>> bits;
            left -= (topic == old ? own - 1 : own) * q[topic];
            if (left < 0) {
                return topic;
            }
        }
        // Rounding let the point fall behind the last; the first is the most likely.
        return entries[first] & mask;
    }

    /** The topic of all in which the point falls. */
    private int ofAll(double point) {
        double left = point;
        for (int k = 0; k < topics; k++) {
            left -= q[k];
            if (left < 0) {
                return k;
            }
        }
        return topics - 1;
    }

    private void move(int old, int chosen, double sumWithoutToken) {
        list(old);
        count[old]--;
        total[old]--;
        list(chosen);
        count[chosen]++;
        total[chosen]++;
        double before = q[chosen];
        q[chosen] = quality(chosen);
        sum = sumWithoutToken + (q[chosen] - before);
    }

    /** The word is done: tells what became of its counts, and forgets them. */
    void finish(ChangeSink sink) {
        for (int i = 0; i < listedSize; i++) {
            int topic = listed[i];
            int by = count[topic] - countBefore[topic];
            forget(topic);
            if (by != 0) {
                sink.changed(topic, by);
            }
        }
        finished();
    }

    /** The word is done: writes its counts as {@code count << 32 | topic}, and forgets them; returns how many there are. */
    int finish(long[] row) {
        int size = 0;
        for (int i = 0; i < listedSize; i++) {
            int topic = listed[i];
            if (count[topic] != 0) {
                row[size++] = (long) count[topic] << Integer.SIZE | topic;
            }
            forget(topic);
        }
        finished();
        return size;
    }

    private void forget(int topic) {
        count[topic] = 0;
        countBefore[topic] = 0;
        isListed[topic] = false;
        double now = beta / denominator(total[topic]);
        sum += now - q[topic];
        q[topic] = now;
    }

    private void finished() {
        listedSize = 0;
        if (++sinceSummed == RESUM) {
            sinceSummed = 0;
            sum = 0;
            for (int k = 0; k < topics; k++) {
                sum += q[k];
            }
        }
    }

    private void list(int topic) {
        if (!isListed[topic]) {
            isListed[topic] = true;
            listed[listedSize++] = topic;
        }
    }

    private double quality(int topic) {
        return (Math.max(count[topic], 0) + beta) / denominator(total[topic]);
    }

    private double denominator(int tokens) {
        return Math.max(tokens, 0) + betaSum;
    }
}
