package io.leeway.approx.internal.window;

/**
 * What the sender saw of two values of all records of a group that have both, for the error of a ratio of their sums.
 *
 * @param records how many records had both
 * @param sumY the first values together
 * @param sumX the second values together
 * @param squaresY the first values' squares together
 * @param squaresX the second values' squares together
 * @param products the products of both together
 */
record Pairs(long records, double sumY, double sumX, double squaresY, double squaresX, double products) {

    static final Pairs NONE = new Pairs(0, 0, 0, 0, 0, 0);

    Pairs plus(double y, double x) {
        return new Pairs(records + 1, sumY + y, sumX + x, squaresY + y * y, squaresX + x * x, products + x * y);
    }

    /** The variance of what {@code y} is off from the ratio times {@code x}, as linearisation has it (Cochran, ch. 6). */
    double residualVariance() {
        double ratio = sumY / sumX;
        return Math.max(0, (squaresY - 2 * ratio * products + ratio * ratio * squaresX) / (records - 1));
    }
}
