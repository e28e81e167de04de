package io.leeway.lazytables.apps.mf;

/** Where factors begin, and how good they are. */
final class Factors {

    private Factors() {}

    /** The first value of a cell of a factor: small, at random, the same wherever it is asked for. */
    static float initial(long seed, long row, int column, int rank) {
        long mixed = mix(seed ^ mix(row * 0x9E3779B97F4A7C15L + column));
        double unit = (mixed >>> 11) * 0x1.0p-53 - 0.5;
        return (float) (unit / Math.sqrt(rank));
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    static void fill(float[] factors, long seed, int firstRow, int rank) {
        for (int i = 0; i < factors.length; i++) {
            factors[i] = initial(seed, firstRow + i / rank, i % rank, rank);
        }
    }

    /** Root of the mean squared error over cells. */
    static double rootMeanSquare(Ratings ratings, float[] left, float[] right, int rank) {
        double sum = 0;
        for (int i = 0; i < ratings.size(); i++) {
            double error = ratings.value()[i]
                    - SgdStep.dot(left, ratings.user()[i] * rank, right, ratings.item()[i] * rank, rank);
            sum += error * error;
        }
        return Math.sqrt(sum / ratings.size());
    }
}
