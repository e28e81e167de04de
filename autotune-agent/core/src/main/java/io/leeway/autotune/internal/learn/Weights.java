package io.leeway.autotune.internal.learn;

import java.util.Arrays;

/**
 * Exponential weights over K alternatives of which only the chosen one's reward is seen (the categorical half of
 * HybridBandits).
 *
 * <p>Weights are kept as logarithms whose largest is 0, and a step is capped, so that no reward overflows. The rate is
 * {@code sqrt(ln K / (K (t+1)))} and the exploration {@code min(1, sqrt(K / (t+1)))} of the published schedule, the
 * exploration with a ceiling, since a service that is in use is not a place for K rounds at random.
 */
final class Weights {

    private static final double MOST = 5;

    private final double[] logs;
    private final double ceiling;
    private long rounds;

    Weights(double[] logs, long rounds, double ceiling) {
        this.logs = logs.clone();
        this.rounds = rounds;
        this.ceiling = ceiling;
    }

    double[] logs() {
        return logs.clone();
    }

    long rounds() {
        return rounds;
    }

    /** The probability with which each alternative is chosen in this round. */
    double[] probabilities() {
        int k = logs.length;
        double explore = Math.min(ceiling, Math.sqrt(k / (rounds + 1.0)));
        double sum = Arrays.stream(logs).map(Math::exp).sum();
        double[] p = new double[k];
        for (int i = 0; i < k; i++) {
            p[i] = (1 - explore) * Math.exp(logs[i]) / sum + explore / k;
        }
        return p;
    }

    /** The alternative at a point of [0, 1) of the distribution. */
    int at(double point) {
        double[] p = probabilities();
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            sum += p[i];
            if (point < sum) {
                return i;
            }
        }
        return p.length - 1;
    }

    /** The alternative with the most weight. */
    int best() {
        int best = 0;
        for (int i = 1; i < logs.length; i++) {
            if (logs[i] > logs[best]) {
                best = i;
            }
        }
        return best;
    }

    /** Learns from a reward between -1 and 1 of the alternative that was chosen. */
    void reward(int chosen, double reward) {
        int k = logs.length;
        double eta = Math.sqrt(Math.log(Math.max(2, k)) / (k * (rounds + 1.0)));
        double estimate = eta * reward / probabilities()[chosen];
        logs[chosen] += Math.min(MOST, Math.max(-MOST, estimate));
        double highest = Arrays.stream(logs).max().orElse(0);
        for (int i = 0; i < k; i++) {
            logs[i] -= highest;
        }
        rounds++;
    }
}
