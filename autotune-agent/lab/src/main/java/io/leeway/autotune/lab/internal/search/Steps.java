package io.leeway.autotune.lab.internal.search;

import io.leeway.autotune.lab.Parameter;
import java.util.SplittableRandom;

/** Small changes of points that respect what parameters are. */
final class Steps {

    private Steps() {}

    /** Moves a coordinate by so much of its range; words without an order change to any other one. */
    static void move(Parameter parameter, double[] point, int i, double amount, SplittableRandom random) {
        if (parameter.kind() == Parameter.Kind.CATEGORICAL) {
            other(parameter, point, i, random);
            return;
        }
        double before = point[i];
        double after = Optimizer.reflected(before + amount);
        point[i] = rounded(parameter, after, random);
        if (parameter.size() > 1
                && parameter.value(point[i]).equals(parameter.value(before))
                && parameter.size() < 1_000) {
            // Less than a step of the grid is no move: a whole one, in the same direction where there is room.
            double step = 1.0 / (parameter.isNumber() ? parameter.size() - 1.0 : parameter.size());
            double direction = amount < 0 ? -1 : 1;
            double moved = before + direction * step;
            point[i] = moved < 0 || moved > 1 ? before - direction * step : moved;
        }
    }

    /** Between two values of a grid, up or down at random, in proportion to the nearness. */
    private static double rounded(Parameter parameter, double u, SplittableRandom random) {
        if (!parameter.isNumber() || parameter.logarithmic() || parameter.size() >= 1_000 || parameter.size() < 2) {
            return u;
        }
        double cells = parameter.size() - 1.0;
        double place = u * cells;
        double floor = Math.floor(place);
        return Math.min(1, (floor + (random.nextDouble() < place - floor ? 1 : 0)) / cells);
    }

    private static void other(Parameter parameter, double[] point, int i, SplittableRandom random) {
        int count = parameter.words().size();
        if (count > 1) {
            int now = (int) Math.min(count - 1.0, point[i] * count);
            point[i] = ((now + 1 + random.nextInt(count - 1)) % count + 0.5) / count;
        }
    }
}
