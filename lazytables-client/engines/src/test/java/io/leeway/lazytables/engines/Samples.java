package io.leeway.lazytables.engines;

import java.io.Serializable;
import java.util.SplittableRandom;

/**
 * Samples that known weights make, with noise. Each is drawn by its number alone, so every worker makes its own part.
 *
 * @param count how many there are
 * @param features numbers of each
 * @param seed of all that is random
 */
record Samples(int count, int features, long seed) implements Serializable {

    private static final double NOISE = 0.1;

    /** How many a worker has. */
    int of(int worker, int workers) {
        return first(worker + 1, workers) - first(worker, workers);
    }

    /** What a worker's samples add to the weights: minus the gradient of half the mean squared error, by the rate. */
    double[] step(int worker, int workers, double[] weights, double rate) {
        double[] step = new double[features];
        for (int sample = first(worker, workers); sample < first(worker + 1, workers); sample++) {
            var random = new SplittableRandom(seed + 0x9E3779B97F4A7C15L * sample);
            double[] x = new double[features];
            double error = NOISE * (random.nextDouble() - 0.5);
            for (int j = 0; j < features; j++) {
                x[j] = random.nextDouble() - 0.5;
                error += x[j] * (truth(j) - weights[j]);
            }
            for (int j = 0; j < features; j++) {
                step[j] += rate / count * error * x[j];
            }
        }
        return step;
    }

    /** The weight that makes the samples. */
    double truth(int feature) {
        return (feature % 2 == 0 ? 1 : -1) * (1 + feature / (double) features);
    }

    /** The same descent in one thread. */
    double[] alone(int steps, double rate) {
        double[] weights = new double[features];
        for (int i = 0; i < steps; i++) {
            double[] step = step(0, 1, weights, rate);
            for (int j = 0; j < features; j++) {
                weights[j] += step[j];
            }
        }
        return weights;
    }

    private int first(int worker, int workers) {
        return (int) ((long) count * worker / workers);
    }
}
