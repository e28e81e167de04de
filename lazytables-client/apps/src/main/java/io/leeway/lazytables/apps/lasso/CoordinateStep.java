package io.leeway.lazytables.apps.lasso;

/*
 * Minimises 1/2 |y - X w|^2 + lambda |w|_1 one weight at a time. Alone, a weight goes to where the objective is least with all
 * others as they are (damping 1). Several workers that do so at once, each from a residual that lacks the others' steps, may
 * overshoot: Shotgun (Bradley et al., ICML 2011) diverges when more weights are changed at once than the features' correlation
 * allows. With damping g <= 1 / workers a worker reckons as if every other had taken the same steps as itself: the curvature is
 * divided by g, and so is what its own steps do to its copy of the residual. Then the sum of what all workers do within a clock
 * never raises the objective (Ma et al., "Adding vs. averaging", ICML 2015, with sigma' = 1 / g) - if nobody reads older
 * residuals than those of the clock before.
 */

/**
 * One step of coordinate descent: the inner loop of the sparse regression, over a residual that it is handed. Immutable.
 *
 * @param design features and samples
 * @param lambda weight of the sum of absolute weights
 * @param damping one for a single worker
 */
record CoordinateStep(Design design, double lambda, double damping) {

    /** The new value of a weight; the residual, which the caller owns, follows it, as if others did the same. */
    double apply(int feature, double weight, double[] residual) {
        double curvature = design.squares(feature);
        if (curvature == 0) {
            return 0;
        }
        double wanted =
                shrink(weight + damping * design.dot(feature, residual) / curvature, damping * lambda / curvature);
        if (wanted != weight) {
            design.add(feature, (weight - wanted) / damping, residual);
        }
        return wanted;
    }

    private static double shrink(double value, double by) {
        return value > by ? value - by : value < -by ? value + by : 0;
    }
}
