package io.leeway.lazytables.apps.lasso;

/**
 * Coordinate descent in one thread: what a run with tables is compared with.
 *
 * <p>A pass over all features is followed by passes over those with a weight, until these are at rest; few have one. Not for
 * several threads.
 */
public final class LassoReference {

    private static final int MOST_INNER_PASSES = 100;

    private final CoordinateStep step;
    private final double[] weight;
    private final double[] residual;

    /** With all weights zero. */
    public LassoReference(Design design, double lambda) {
        step = new CoordinateStep(design, lambda, 1);
        weight = new double[design.features()];
        residual = design.targets();
    }

    /** Runs until the duality gap is below a part of the objective, or for so many passes over all features. */
    public LassoObjective solve(double relativeGap, int mostPasses) {
        LassoObjective objective = objective();
        for (int i = 0; i < mostPasses && objective.gap() > relativeGap * objective.value(); i++) {
            pass();
            double tolerance = relativeGap;
            for (int inner = 0; inner < MOST_INNER_PASSES && passOverWeights() > tolerance; inner++) {
                // The loop's condition does the work.
            }
            objective = objective();
        }
        return objective;
    }

    /** One pass over all features. */
    public void pass() {
        for (int j = 0; j < weight.length; j++) {
            weight[j] = step.apply(j, weight[j], residual);
        }
    }

    /** Returns the largest change. */
    private double passOverWeights() {
        double largest = 0;
        for (int j = 0; j < weight.length; j++) {
            if (weight[j] != 0) {
                double now = step.apply(j, weight[j], residual);
                largest = Math.max(largest, Math.abs(now - weight[j]));
                weight[j] = now;
            }
        }
        return largest;
    }

    /** How good the weights are. */
    public LassoObjective objective() {
        return LassoObjective.of(step.design(), step.lambda(), weight, residual);
    }

    /** A copy of the weights. */
    public double[] weights() {
        return weight.clone();
    }
}
