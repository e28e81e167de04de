package io.leeway.autotune.lab.internal.search;

import org.hipparchus.special.Erf;

/** The normal distribution. */
final class Normal {

    private Normal() {}

    static double pdf(double z) {
        return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    }

    static double cdf(double z) {
        return 0.5 * Erf.erfc(-z / Math.sqrt(2));
    }

    /** How much below a best value one is expected to come, of a normal variable. */
    static double expectedImprovement(double best, double mean, double deviation) {
        if (deviation < 1e-12) {
            return Math.max(0, best - mean);
        }
        double z = (best - mean) / deviation;
        // Far tails need no erf, and there are many of them.
        return z < -6 ? 0 : deviation * (z * (z > 6 ? 1 : fastCdf(z)) + pdf(z));
    }

    /** Zelen and Severo's approximation, within 1e-7: acquisition asks for it thousands of times. */
    static double fastCdf(double z) {
        double t = 1 / (1 + 0.2316419 * Math.abs(z));
        double tail = pdf(z)
                * t
                * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return z >= 0 ? 1 - tail : tail;
    }
}
