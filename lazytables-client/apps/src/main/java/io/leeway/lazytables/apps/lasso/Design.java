package io.leeway.lazytables.apps.lasso;

/**
 * The columns of a matrix of samples and features, only cells that are not zero; and the value to explain for every sample.
 * Immutable but for its arrays, which nobody changes.
 */
public final class Design {

    private final int samples;
    private final int[] start;
    private final int[] row;
    private final float[] value;
    private final double[] squares;
    private final double[] target;

    /** With the cells of feature j at {@code start[j]} up to {@code start[j + 1]}. */
    Design(int[] start, int[] row, float[] value, double[] target) {
        this.samples = target.length;
        this.start = start;
        this.row = row;
        this.value = value;
        this.target = target;
        squares = new double[start.length - 1];
        for (int j = 0; j < squares.length; j++) {
            for (int i = start[j]; i < start[j + 1]; i++) {
                squares[j] += (double) value[i] * value[i];
            }
        }
    }

    /** Number of rows. */
    public int samples() {
        return samples;
    }

    /** Number of columns. */
    public int features() {
        return squares.length;
    }

    /** The value to explain. */
    double target(int sample) {
        return target[sample];
    }

    /** A copy of the values to explain. */
    double[] targets() {
        return target.clone();
    }

    /** The squared length of a column. */
    double squares(int feature) {
        return squares[feature];
    }

    /** The product of a column and a vector over the samples. */
    double dot(int feature, double[] vector) {
        double sum = 0;
        for (int i = start[feature]; i < start[feature + 1]; i++) {
            sum += value[i] * vector[row[i]];
        }
        return sum;
    }

    /** Adds a multiple of a column to a vector over the samples. */
    void add(int feature, double factor, double[] vector) {
        for (int i = start[feature]; i < start[feature + 1]; i++) {
            vector[row[i]] += factor * value[i];
        }
    }
}
