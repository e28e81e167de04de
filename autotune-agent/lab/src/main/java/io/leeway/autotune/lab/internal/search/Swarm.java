package io.leeway.autotune.lab.internal.search;

import java.util.SplittableRandom;

/**
 * Particle swarm optimisation with the usual constants (inertia 0.721, attraction 1.193): trial i belongs to particle i
 * modulo the swarm's size; a particle's velocity is its last move, so that a bound stops it (Gagan Somashekhar,
 * "Performance Management of Large-Scale Microservices Applications", 2023, section 3.4.2, optimization algorithms).
 */
final class Swarm implements Optimizer {

    static final double INERTIA = 1 / (2 * Math.log(2));
    static final double ATTRACTION = 0.5 + Math.log(2);

    @Override
    public double[] next(History history) {
        int swarm = size(history.budget());
        int index = history.size();
        if (index < swarm) {
            return history.initial(index);
        }
        double[] now = history.points().get(index - swarm);
        double[] before = index >= 2 * swarm ? history.points().get(index - 2 * swarm) : now;
        double[] own = history.points().get(ownBest(history, index, swarm));
        double[] all = history.points().get(history.best(index));
        SplittableRandom random = history.random(index, "swarm");
        double[] point = new double[now.length];
        for (int i = 0; i < point.length; i++) {
            double velocity = INERTIA * (now[i] - before[i])
                    + ATTRACTION * random.nextDouble() * (own[i] - now[i])
                    + ATTRACTION * random.nextDouble() * (all[i] - now[i]);
            point[i] = Math.min(1, Math.max(0, now[i] + velocity));
        }
        return point;
    }

    /** Particles: enough to look around, few enough for several rounds within the budget. */
    static int size(int budget) {
        return Math.max(3, Math.min(10, budget / 5));
    }

    private static int ownBest(History history, int index, int swarm) {
        int best = index - swarm;
        for (int i = index - swarm; i >= 0; i -= swarm) {
            best = history.scores()[i] < history.scores()[best] ? i : best;
        }
        return best;
    }
}
