package io.leeway.eppi.internal.construct;

import io.leeway.eppi.Policy;
import java.util.HashMap;
import java.util.Map;

/**
 * What a construction made known about every person, and all nodes know.
 *
 * @param frequency how many providers hold records (rounded up if frequencies are coarse), {@link #EVERYWHERE} or
 *     {@link #EXACT}
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record Outcome(int[] frequency) {

    /** Published by all providers: common, mixed with the common, or with the wish 1. */
    public static final int EVERYWHERE = -1;

    /** The wish 0: published without noise, and not counted. */
    public static final int EXACT = -2;

    /**
     * The probability with which a provider without records publishes each person.
     *
     * <p>A person whom nobody holds is published like one whom one provider holds: an empty list would say that there is
     * nothing to find.
     */
    public double[] probabilities(ConstructionPlan plan) {
        double[] probabilities = new double[frequency.length];
        Map<Double, double[]> known = new HashMap<>();
        for (int person = 0; person < probabilities.length; person++) {
            probabilities[person] = switch (frequency[person]) {
                case EVERYWHERE -> 1;
                case EXACT -> 0;
                default -> {
                    double epsilon = plan.persons().epsilon(person);
                    double[] table = known.computeIfAbsent(epsilon, each -> emptyTable(plan.providers()));
                    yield probability(plan, Math.max(1, frequency[person]), epsilon, table);
                }
            };
        }
        return probabilities;
    }

    private static double[] emptyTable(int providers) {
        double[] table = new double[providers + 1];
        java.util.Arrays.fill(table, Double.NaN);
        return table;
    }

    private static double probability(ConstructionPlan plan, int holders, double epsilon, double[] table) {
        if (Double.isNaN(table[holders])) {
            Policy policy = plan.policy();
            table[holders] = Math.min(1, policy.probability(holders, plan.providers(), epsilon));
        }
        return table[holders];
    }
}
