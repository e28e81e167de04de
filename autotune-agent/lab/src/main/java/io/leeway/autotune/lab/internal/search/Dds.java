package io.leeway.autotune.lab.internal.search;

import java.util.SplittableRandom;

/**
 * Dynamically dimensioned search: the best point so far is perturbed in parameters that are drawn one by one with a
 * probability of 1 - ln(i)/ln(N), which falls from all to one over the budget; the perturbation is normal with 0.2 of
 * the range. Released code of the paper draws with the reverse probability; this follows the definition (Gagan
 * Somashekhar, "Performance Management of Large-Scale Microservices Applications", 2023, section 3.4.2, optimization
 * algorithms).
 */
final class Dds implements Optimizer {

    static final double RADIUS = 0.2;

    @Override
    public double[] next(History history) {
        int best = history.best(history.size());
        if (best < 0) {
            return history.initial(0);
        }
        SplittableRandom random = history.random(history.size(), "dds");
        double[] point = history.points().get(best).clone();
        double probability = probability(history.size(), history.budget());
        boolean isMoved = false;
        for (int i = 0; i < point.length; i++) {
            if (random.nextDouble() < probability) {
                move(history, point, i, random);
                isMoved = true;
            }
        }
        if (!isMoved) {
            move(history, point, random.nextInt(point.length), random);
        }
        return point;
    }

    /** Of a parameter to be changed in the trial of this index of so many. */
    static double probability(int index, int budget) {
        return index >= budget ? 0 : 1 - Math.log(Math.max(1, index)) / Math.log(Math.max(2, budget));
    }

    private static void move(History history, double[] point, int i, SplittableRandom random) {
        Steps.move(history.space().parameters().get(i), point, i, RADIUS * random.nextGaussian(), random);
    }
}
