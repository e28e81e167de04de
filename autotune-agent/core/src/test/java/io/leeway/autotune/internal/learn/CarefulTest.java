package io.leeway.autotune.internal.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CarefulTest {

    private static final double LIMIT = 1.5;
    private static final int ROUNDS = 15;

    /**
     * A pool and threads on logarithmic ranges, 2 to 64 and 2 to 96: too few of either and requests queue without end.
     */
    private static double cost(double[] point) {
        double connections = Math.rint(2 * Math.pow(32, point[0]));
        double threads = Math.rint(2 * Math.pow(48, point[1]));
        return 28 * (1 + queue(1.9 / connections) + queue(2.3 / threads));
    }

    private static double queue(double load) {
        return load >= 0.98 ? 50 : Math.pow(load, 4) / (1 - load);
    }

    private record Run(double worst, double chosen) {}

    private static Run tune(boolean careful, double noise, int seed) {
        RandomGenerator random = Seeds.random("careful " + seed);
        var start = new Point(new double[] {Math.log(1.5) / Math.log(32), Math.log(6) / Math.log(48)}, new int[0]);
        var bandits =
                new HybridBandits(careful ? Bluefin.Steps.gentle() : Bluefin.Steps.quick(), start, new int[0], seed);
        var learner = new Careful(bandits, start, cost(start.numbers()), careful ? LIMIT : 1e9);
        double worst = 0;
        double chosen = cost(start.numbers());
        for (int i = 0; i < ROUNDS; i++) {
            double cost = cost(learner.propose().numbers());
            learner.paid(cost * Math.exp(noise * random.nextGaussian()));
            worst = Math.max(worst, cost);
            chosen = Math.min(chosen, cost);
        }
        return new Run(worst, chosen);
    }

    @Test
    void endsAtTheBestAndNoRoundOnTheWayIsBad() {
        int runs = Depth.of(50, 5_000);
        int bad = 0;
        int badOtherwise = 0;
        for (int seed = 0; seed < runs; seed++) {
            Run run = tune(true, 0.03, seed);
            assertThat(run.chosen()).isLessThan(1.05 * 28);
            bad += run.worst() > LIMIT * run.chosen() ? 1 : 0;
            Run bold = tune(false, 0.03, seed);
            badOtherwise += bold.worst() > LIMIT * bold.chosen() ? 1 : 0;
        }
        assertThat(bad).isLessThanOrEqualTo(runs / 50);
        assertThat(badOtherwise).isGreaterThan(runs / 3);
    }
}
