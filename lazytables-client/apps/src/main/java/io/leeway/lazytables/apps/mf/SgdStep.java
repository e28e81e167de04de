package io.leeway.lazytables.apps.mf;

/**
 * One step of stochastic gradient descent on one known cell: the inner loop of the factorisation, over rows that it is handed.
 *
 * <p>Minimises the sum over known cells of {@code (x - l.r)^2 + lambda (|l|^2 + |r|^2)}. Immutable.
 *
 * @param rank length of both rows
 * @param rate how far a step goes
 * @param lambda weight of the rows' own size
 */
record SgdStep(int rank, float rate, float lambda) {

    /** Moves both rows, and returns the error before. */
    float apply(float[] left, int leftAt, float[] right, int rightAt, float value) {
        float error = value - dot(left, leftAt, right, rightAt, rank);
        float push = rate * error;
        float shrink = 1 - rate * lambda;
        for (int k = 0; k < rank; k++) {
            float l = left[leftAt + k];
            float r = right[rightAt + k];
            left[leftAt + k] = shrink * l + push * r;
            right[rightAt + k] = shrink * r + push * l;
        }
        return error;
    }

    static float dot(float[] left, int leftAt, float[] right, int rightAt, int rank) {
        // Four sums: one would make every addition wait for the one before.
        float a = 0;
        float b = 0;
        float c = 0;
        float d = 0;
        int k = 0;
        for (; k + 3 < rank; k += 4) {
            a += left[leftAt + k] * right[rightAt + k];
            b += left[leftAt + k + 1] * right[rightAt + k + 1];
            c += left[leftAt + k + 2] * right[rightAt + k + 2];
            d += left[leftAt + k + 3] * right[rightAt + k + 3];
        }
        for (; k < rank; k++) {
            a += left[leftAt + k] * right[rightAt + k];
        }
        return a + b + (c + d);
    }
}
