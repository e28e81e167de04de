package io.leeway.autotune.lab.internal.search;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Simulated annealing: a neighbour of the present point is tried, and becomes the present point if it is better, or
 * with probability exp(-rise/temperature). Temperature starts at the spread of the first scores and falls to a
 * hundredth of it; neighbourhoods shrink with its square root. Which points were accepted follows from the history
 * (Gagan Somashekhar, "Performance Management of Large-Scale Microservices Applications", 2023, section 3.4.2,
 * optimization algorithms).
 */
final class Annealing implements Optimizer {

    private static final int FIRST = 4;
    private static final double WIDEST = 0.35;

    @Override
    public double[] next(History history) {
        int size = history.size();
        if (size < FIRST) {
            return history.initial(size);
        }
        double[] point = history.points().get(present(history)).clone();
        SplittableRandom random = history.random(size, "neighbour");
        double radius = WIDEST * Math.sqrt(cooling(history, size));
        int must = random.nextInt(point.length);
        for (int i = 0; i < point.length; i++) {
            if (i == must || random.nextDouble() < 0.3) {
                Steps.move(history.space().parameters().get(i), point, i, radius * random.nextGaussian(), random);
            }
        }
        return point;
    }

    /** From 1 to a hundredth. */
    private static double cooling(History history, int index) {
        double share = (double) (index - FIRST) / Math.max(1, history.budget() - FIRST);
        return Math.max(0.01, Math.pow(0.01, share));
    }

    /** The index of the present point: the best of the first ones, then by the rule of acceptance. */
    static int present(History history) {
        double[] scores = history.scores();
        int first = Math.min(FIRST, scores.length);
        int present = history.best(first);
        double spread =
                spread(IntStream.range(0, first).mapToDouble(i -> scores[i]).toArray());
        for (int i = first; i < scores.length; i++) {
            double rise = scores[i] - scores[present];
            double temperature = spread * cooling(history, i);
            if (rise <= 0 || history.random(i, "accept").nextDouble() < Math.exp(-rise / temperature)) {
                present = i;
            }
        }
        return present;
    }

    private static double spread(double[] values) {
        double mean = IntStream.range(0, values.length)
                .mapToDouble(i -> values[i])
                .average()
                .orElse(0);
        double variance = IntStream.range(0, values.length)
                .mapToDouble(i -> (values[i] - mean) * (values[i] - mean))
                .average()
                .orElse(0);
        return Math.max(1e-12, Math.sqrt(variance));
    }
}
