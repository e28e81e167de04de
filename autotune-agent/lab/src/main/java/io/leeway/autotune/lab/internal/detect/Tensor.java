package io.leeway.autotune.lab.internal.detect;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A matrix of weights with its gradient and Adam's moments. What the network needs beyond libraries is small: no library
 * on the class path of JDK 17 has graph convolutions without native code that is fetched at run time (DJL, Deeplearning4j),
 * and Tribuo has no network of its own.
 */
final class Tensor {

    private static final double BETA1 = 0.9;
    private static final double BETA2 = 0.999;

    final int rows;
    final int columns;
    final double[] values;
    final double[] gradient;
    private final double[] first;
    private final double[] second;

    Tensor(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        this.values = new double[rows * columns];
        this.gradient = new double[values.length];
        this.first = new double[values.length];
        this.second = new double[values.length];
    }

    /** Glorot's uniform start. */
    static Tensor random(int rows, int columns, SplittableRandom random) {
        var tensor = new Tensor(rows, columns);
        double bound = Math.sqrt(6.0 / (rows + columns));
        Arrays.setAll(tensor.values, i -> random.nextDouble(-bound, bound));
        return tensor;
    }

    /** One step of Adam, after which the gradient is 0. */
    void step(double rate, int time) {
        double correction1 = 1 - StrictMath.pow(BETA1, time);
        double correction2 = 1 - StrictMath.pow(BETA2, time);
        for (int i = 0; i < values.length; i++) {
            double g = gradient[i];
            first[i] = BETA1 * first[i] + (1 - BETA1) * g;
            second[i] = BETA2 * second[i] + (1 - BETA2) * g * g;
            values[i] -= rate * (first[i] / correction1) / (Math.sqrt(second[i] / correction2) + 1e-8);
            gradient[i] = 0;
        }
    }

    /** x (n × rows) times this, added to {@code into} (n × columns). */
    void times(double[][] x, double[][] into) {
        for (int r = 0; r < x.length; r++) {
            double[] row = x[r];
            double[] out = into[r];
            for (int i = 0; i < rows; i++) {
                double v = row[i];
                if (v != 0) {
                    int at = i * columns;
                    for (int j = 0; j < columns; j++) {
                        out[j] += v * values[at + j];
                    }
                }
            }
        }
    }

    /** From the gradient of the product: adds to this one's gradient, and to that of x. */
    void back(double[][] x, double[][] gradientOut, double[][] gradientIn) {
        for (int r = 0; r < x.length; r++) {
            double[] row = x[r];
            double[] out = gradientOut[r];
            double[] in = gradientIn[r];
            for (int i = 0; i < rows; i++) {
                int at = i * columns;
                double v = row[i];
                double sum = 0;
                for (int j = 0; j < columns; j++) {
                    gradient[at + j] += v * out[j];
                    sum += values[at + j] * out[j];
                }
                in[i] += sum;
            }
        }
    }
}
