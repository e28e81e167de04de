package io.leeway.approx.internal.window;

import io.leeway.approx.TopicRule;
import io.leeway.approx.internal.wire.Sums;
import java.util.HashMap;
import java.util.Map;

/**
 * The sampling rate of each group of a topic, from window to window (NetApprox, "error bounds", in formulas of sampling
 * theory): how many records of an endless window an answer needs, corrected for the finite one, over the window's size.
 *
 * <ul>
 *   <li>A mean or sum: {@code (z s / (E mean))^2}. A ratio: {@code (z d / (E x))^2} over the ratio's square, with the deviation
 *       {@code d} of what the first values are off from the ratio times the second, whose mean is {@code x}. Both follow the
 *       data: the rate goes up at once and down by at most a quarter a window, since errors are worse than bytes; it is 1 where
 *       fewer than thirty values are known.
 *   <li>A count, rank or quantile: {@code (z / (2 E))^2}, which is enough for whatever share; as for a quota the rate follows
 *       from the sizes of windows only.
 * </ul>
 */
final class MsrLoop {

    private static final int LEAST_VALUES = 30;
    private static final double DOWN = 1.25;

    private final TopicRule rule;
    private final Map<String, Double> rates = new HashMap<>();
    private final Map<String, Double> sizes = new HashMap<>();
    /** How many messages the last window of a group had. */
    private final Map<String, Long> lastSizes = new HashMap<>();

    MsrLoop(TopicRule rule) {
        this.rule = rule;
    }

    /**
     * The rate of a group's next window.
     *
     * @param before how many records an earlier window of the group that has not ended has so far; 0 if there is none
     */
    double msr(String group, long before) {
        Double own = rule.groupMsr().get(group);
        if (own != null) {
            return own;
        }
        if (rule.msr().isPresent()) {
            return rule.msr().getAsDouble();
        }
        if (rule.quota() > 0) {
            return ofNumber(group, before, (double) rule.quota());
        }
        if (!rule.answer().ofValues()) {
            double z = z();
            double error = rule.errorMax().orElse(1);
            return ofNumber(group, before, z * z / (4 * error * error));
        }
        double start = Math.max(rule.floor(), Math.min(1, 1 - rule.errorMax().orElse(0)));
        return rates.getOrDefault(group, start);
    }

    /**
     * The rate by which a group has its quota, or as many records as an error needs: of as many records as its last window had, or as they have lately, whichever
     * is less, since too many are better than too few. While no window of the group has ended, of as many as one has so
     * far. A group that is new is sent whole.
     */
    private double ofNumber(String group, long before, double number) {
        double size = rule.windowRecords() > 0
                ? rule.windowRecords()
                : Math.min(lastSizes.getOrDefault(group, before), sizes.getOrDefault(group, (double) before));
        if (rule.quota() > 0) {
            return size <= number ? 1 : number / size;
        }
        return size <= LEAST_VALUES ? 1 : rate(number, size);
    }

    /** Of as many records as an endless window needs, where the window has so many. */
    private double rate(double infinite, double size) {
        double needed = Math.max(LEAST_VALUES, infinite / (1 + infinite / size));
        return Math.max(rule.floor(), Math.min(1, needed / size));
    }

    private double z() {
        return Normal.quantile(0.5 + rule.confidence() / 2);
    }

    /** How many messages the next window of the group will have, by those before; 0 if there were none. */
    long expected(String group) {
        return Math.round(sizes.getOrDefault(group, 0.0));
    }

    /** A window of a group is over. */
    void learn(String group, long messages, Sums sums, Pairs pairs) {
        sizes.merge(group, (double) messages, (old, now) -> old + (now - old) / 4);
        lastSizes.put(group, messages);
        if (rule.errorMax().isPresent() && rule.answer().ofValues()) {
            double wanted = rule.answer() == TopicRule.Answer.RATIO ? ofRatio(pairs) : ofMean(sums);
            double last = rates.getOrDefault(group, wanted);
            rates.put(group, Math.max(wanted, last / DOWN));
        }
    }

    private double ofMean(Sums sums) {
        double n = sums.values();
        if (n < LEAST_VALUES) {
            return 1;
        }
        double mean = sums.sum() / n;
        double variance = Math.max(0, (sums.squares() - n * mean * mean) / (n - 1));
        return ofValues(n, variance, mean);
    }

    private double ofRatio(Pairs pairs) {
        double n = pairs.records();
        return n < LEAST_VALUES || pairs.sumX() == 0 ? 1 : ofValues(n, pairs.residualVariance(), pairs.sumY() / n);
    }

    /** The rate by which the mean of n values of this variance is within the error, relative to what it is an error of. */
    private double ofValues(double n, double variance, double of) {
        double error = rule.errorMax().orElse(1) * Math.abs(of);
        if (error == 0) {
            return 1;
        }
        double z = z();
        return rate(z * z * variance / (error * error), n);
    }
}
