package io.leeway.eppi;

import org.apache.commons.numbers.gamma.RegularizedBeta;

/** The arithmetic behind the policies. */
final class Policies {

    private Policies() {}

    static double basic(int frequency, int providers, double epsilon) {
        if (frequency == 0 || epsilon == 0) {
            return 0;
        }
        if (epsilon >= 1 || frequency >= providers) {
            return Double.POSITIVE_INFINITY;
        }
        return frequency * epsilon / (1 - epsilon) / (providers - frequency);
    }

    static double exact(int frequency, int providers, double epsilon, double success) {
        int need = Policy.need(frequency, epsilon);
        int others = providers - frequency;
        if (need == 0) {
            return 0;
        }
        if (need > others) {
            return Double.POSITIVE_INFINITY;
        }
        double low = 0;
        double high = 1;
        // Ends within half a millionth of the result, on the side that satisfies the ratio.
        while (high - low > high * 5e-7) {
            double middle = (low + high) / 2;
            if (tail(others, need, middle) >= success) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return Math.min(high, Math.nextDown(1.0));
    }

    /** Pr(X >= need) for X ~ Bin(trials, p). */
    static double tail(int trials, int need, double p) {
        if (need <= 0) {
            return 1;
        }
        if (need > trials || p <= 0) {
            return 0;
        }
        return p >= 1 ? 1 : RegularizedBeta.value(p, need, trials - need + 1.0);
    }

    static void requireSuccess(double success) {
        require(success > 0.5 && success < 1, "the success ratio must be above 0.5 and below 1, not " + success);
    }

    static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    static double parse(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a number: " + text, e);
        }
    }

    static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
