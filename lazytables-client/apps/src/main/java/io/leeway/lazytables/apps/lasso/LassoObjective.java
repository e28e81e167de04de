package io.leeway.lazytables.apps.lasso;

/**
 * How good weights are. Immutable.
 *
 * @param value what is minimised: half the squared residual and lambda times the sum of absolute weights
 * @param gap how far above the least value it is at most, by a dual point made of the residual
 * @param violation by how much the worst weight breaks the conditions of the optimum, in terms of lambda
 * @param weights how many are not zero
 */
public record LassoObjective(double value, double gap, double violation, int weights) {

    /** Of weights and the residual that belongs to them. */
    static LassoObjective of(Design design, double lambda, double[] weight, double[] residual) {
        double sum = 0;
        double largest = 0;
        double violation = 0;
        int nonZero = 0;
        for (int j = 0; j < weight.length; j++) {
            double slope = design.dot(j, residual);
            largest = Math.max(largest, Math.abs(slope));
            sum += Math.abs(weight[j]);
            if (weight[j] != 0) {
                nonZero++;
                violation = Math.max(violation, Math.abs(slope - lambda * Math.signum(weight[j])));
            } else {
                violation = Math.max(violation, Math.abs(slope) - lambda);
            }
        }
        double value = squares(residual) / 2 + lambda * sum;
        // The residual, made so small that no feature is steeper than lambda, is a point of the dual problem.
        double scale = largest > lambda ? lambda / largest : 1;
        double dual = 0;
        for (int i = 0; i < residual.length; i++) {
            double y = design.target(i);
            double away = y - scale * residual[i];
            dual += y * y - away * away;
        }
        return new LassoObjective(value, value - dual / 2, violation / lambda, nonZero);
    }

    /** The residual that belongs to weights. */
    static double[] residual(Design design, double[] weight) {
        double[] residual = design.targets();
        for (int j = 0; j < weight.length; j++) {
            if (weight[j] != 0) {
                design.add(j, -weight[j], residual);
            }
        }
        return residual;
    }

    /** The least lambda for which all weights are zero. */
    public static double largestLambda(Design design) {
        double[] target = design.targets();
        double largest = 0;
        for (int j = 0; j < design.features(); j++) {
            largest = Math.max(largest, Math.abs(design.dot(j, target)));
        }
        return largest;
    }

    static double squares(double[] vector) {
        double sum = 0;
        for (double each : vector) {
            sum += each * each;
        }
        return sum;
    }
}
