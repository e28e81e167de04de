package io.leeway.autotune.lab.internal.search;

import io.leeway.autotune.lab.Parameter;
import java.util.SplittableRandom;

/**
 * A steady-state genetic algorithm: parents are the winners of tournaments among the best of all trials so far; their
 * child takes numbers from between and a little beyond them, words from either, and mutates in one parameter in the
 * mean. The released code of the paper has a (1+1) evolution strategy under this name; this is what the name says
 * (Gagan Somashekhar, "Performance Management of Large-Scale Microservices Applications", 2023, section 3.4.2,
 * optimization algorithms).
 */
final class Genetic implements Optimizer {

    private static final double BEYOND = 0.25;
    private static final double MUTATION = 0.15;

    @Override
    public double[] next(History history) {
        int index = history.size();
        int population = Math.max(4, Math.min(20, history.budget() / 5));
        if (index < population) {
            return history.initial(index);
        }
        SplittableRandom random = history.random(index, "genes");
        int[] ranked = history.ranked();
        int mother = tournament(population, random);
        int father = tournament(population, random);
        double[] child = crossed(
                history, history.points().get(ranked[mother]), history.points().get(ranked[father]), random);
        for (int i = 0; i < child.length; i++) {
            if (mother == father || random.nextDouble() < 1.0 / child.length) {
                Steps.move(history.space().parameters().get(i), child, i, MUTATION * random.nextGaussian(), random);
            }
        }
        return child;
    }

    /** The better of two ranks. */
    private static int tournament(int population, SplittableRandom random) {
        return Math.min(random.nextInt(population), random.nextInt(population));
    }

    private static double[] crossed(History history, double[] mother, double[] father, SplittableRandom random) {
        double[] child = new double[mother.length];
        for (int i = 0; i < child.length; i++) {
            if (history.space().parameters().get(i).kind() == Parameter.Kind.CATEGORICAL) {
                child[i] = random.nextBoolean() ? mother[i] : father[i];
            } else {
                double share = random.nextDouble(-BEYOND, 1 + BEYOND);
                child[i] = Optimizer.reflected(mother[i] + share * (father[i] - mother[i]));
            }
        }
        return child;
    }
}
