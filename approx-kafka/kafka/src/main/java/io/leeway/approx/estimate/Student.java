package io.leeway.approx.estimate;

import io.leeway.approx.internal.window.Normal;

/** Student's t distribution. */
final class Student {

    private Student() {}

    /**
     * The quantile: exact for one and two degrees of freedom, else by Hill's expansion from the normal one, which is within
     * 0.2 % from three degrees on.
     */
    static double quantile(double p, int degrees) {
        if (degrees == 1) {
            return Math.tan(Math.PI * (p - 0.5));
        }
        if (degrees == 2) {
            double alpha = 4 * p * (1 - p);
            return 2 * (p - 0.5) * Math.sqrt(2 / alpha);
        }
        double z = Normal.quantile(p);
        double n = degrees;
        double g1 = (Math.pow(z, 3) + z) / 4;
        double g2 = (5 * Math.pow(z, 5) + 16 * Math.pow(z, 3) + 3 * z) / 96;
        double g3 = (3 * Math.pow(z, 7) + 19 * Math.pow(z, 5) + 17 * Math.pow(z, 3) - 15 * z) / 384;
        double g4 =
                (79 * Math.pow(z, 9) + 776 * Math.pow(z, 7) + 1482 * Math.pow(z, 5) - 1920 * Math.pow(z, 3) - 945 * z)
                        / 92160;
        return z + g1 / n + g2 / (n * n) + g3 / Math.pow(n, 3) + g4 / Math.pow(n, 4);
    }
}
