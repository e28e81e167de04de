package io.leeway.approx.internal.window;

import io.leeway.approx.TopicRule;
import io.leeway.approx.internal.wire.Sums;
import java.util.HashMap;
import java.util.Map;

/**
 * The sampling rate of each group of a topic, from window to window (NetApprox §"error bounds", in formulas of sampling
 * theory): {@code n0 = (z s / (E mean))^2}, corrected for the finite window, over the window's size. It goes up at once
 * and down by at most a quarter a window, since errors are worse than bytes; it is 1 where fewer than thirty values are known.
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
            return ofQuota(group, before);
        }
        double start = Math.max(rule.floor(), Math.min(1, 1 - rule.errorMax().orElse(0)));
        return rates.getOrDefault(group, start);
    }

    /**
     * The rate by which a group has its quota: of as many records as its last window had, or as they have lately, whichever
     * is less, since too many are better than too few. While no window of the group has ended, of as many as one has so
     * far. A group that is new is sent whole.
     */
    private double ofQuota(String group, long before) {
        double size = rule.windowRecords() > 0
                ? rule.windowRecords()
                : Math.min(lastSizes.getOrDefault(group, before), sizes.getOrDefault(group, (double) before));
        return size <= rule.quota() ? 1 : rule.quota() / size;
    }

    /** How many messages the next window of the group will have, by those before; 0 if there were none. */
    long expected(String group) {
        return Math.round(sizes.getOrDefault(group, 0.0));
    }

    /** A window of a group is over. */
    void learn(String group, long messages, Sums sums) {
        sizes.merge(group, (double) messages, (old, now) -> old + (now - old) / 4);
        lastSizes.put(group, messages);
        if (rule.errorMax().isPresent()) {
            double wanted = wanted(messages, sums);
            double last = rates.getOrDefault(group, wanted);
            rates.put(group, Math.max(wanted, last / DOWN));
        }
    }

    private double wanted(long messages, Sums sums) {
        double n = sums.values();
        if (n < LEAST_VALUES || messages == 0) {
            return 1;
        }
        double mean = sums.sum() / n;
        double variance = Math.max(0, (sums.squares() - n * mean * mean) / (n - 1));
        double error = rule.errorMax().orElse(1) * Math.abs(mean);
        if (error == 0) {
            return 1;
        }
        double z = Normal.quantile(0.5 + rule.confidence() / 2);
        double infinite = z * z * variance / (error * error);
        double needed = Math.max(LEAST_VALUES, infinite / (1 + infinite / n));
        return Math.max(rule.floor(), Math.min(1, needed / n));
    }
}
