package io.leeway.autotune.lab.internal.search;

import java.util.Arrays;

/**
 * A Gaussian process with a Matérn 5/2 kernel, a length for each feature, and noise. Lengths and noise are where the
 * likelihood times a prior is highest, found by a few steps that follow the sign of its gradient; the signal's variance
 * follows from the others. Costs n³ a step, for n of at most some hundreds; the triangular solving is written out since
 * it takes all the time, and matrix objects of libraries cost several times as much at this size.
 */
final class GaussianProcess implements Surrogate {

    private static final int STEPS = 14;
    private static final double SQRT5 = Math.sqrt(5);
    private static final double PRIOR_SIGMA = 1.0;
    private static final double NOISE_PRIOR = Math.log(0.01);
    private static final double NOISE_SIGMA = 2;

    private final double[][] x;
    private final double[] inverseLengths;
    private final double[] alpha;
    private final double[][] lower;
    private final double signal;

    private GaussianProcess(double[][] x, double[] inverseLengths, double[] alpha, double[][] lower, double signal) {
        this.x = x;
        this.inverseLengths = inverseLengths;
        this.alpha = alpha;
        this.lower = lower;
        this.signal = signal;
    }

    /** Fits standardised scores. */
    static GaussianProcess fit(double[][] x, double[] y) {
        int d = x[0].length;
        double prior = Math.log(0.3 * Math.sqrt(d));
        double[] theta = new double[d + 1];
        Arrays.fill(theta, prior);
        theta[d] = NOISE_PRIOR;
        double[] best = theta.clone();
        double highest = Double.NEGATIVE_INFINITY;
        double[] rates = new double[d + 1];
        Arrays.fill(rates, 0.4);
        double[] before = new double[d + 1];
        for (int step = 0; step < STEPS; step++) {
            double[] gradient = new double[d + 1];
            double likelihood = likelihood(x, y, theta, prior, gradient);
            if (likelihood > highest) {
                highest = likelihood;
                best = theta.clone();
            }
            for (int i = 0; i <= d; i++) {
                double agreement = gradient[i] * before[i];
                rates[i] = agreement > 0 ? Math.min(1, rates[i] * 1.3) : agreement < 0 ? rates[i] * 0.5 : rates[i];
                theta[i] += Math.signum(gradient[i]) * rates[i];
                before[i] = gradient[i];
            }
        }
        return of(x, y, best);
    }

    private static GaussianProcess of(double[][] x, double[] y, double[] theta) {
        int d = theta.length - 1;
        double[] inverse = new double[d];
        Arrays.setAll(inverse, i -> Math.exp(-theta[i]));
        double[][] lower = cholesky(kernel(x, inverse, Math.exp(theta[d])));
        double[] alpha = solve(lower, y);
        double signal = Math.max(1e-6, dot(y, alpha) / y.length);
        return new GaussianProcess(x, inverse, alpha, lower, signal);
    }

    /** The logarithm of likelihood and prior, and its gradient by lengths and noise. */
    private static double likelihood(double[][] x, double[] y, double[] theta, double prior, double[] gradient) {
        int n = y.length;
        int d = theta.length - 1;
        double[] inverse = new double[d];
        Arrays.setAll(inverse, i -> Math.exp(-theta[i]));
        double noise = Math.exp(theta[d]);
        double[][] kernel = kernel(x, inverse, noise);
        double[][] lower = cholesky(kernel);
        double[] alpha = solve(lower, y);
        double signal = Math.max(1e-9, dot(y, alpha) / n);
        double value = -0.5 * n * Math.log(signal);
        for (int i = 0; i < n; i++) {
            value -= Math.log(lower[i][i]);
        }
        double[][] precision = inverse(lower);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                double weight = alpha[i] * alpha[j] / signal - precision[i][j];
                double r = distance(x[i], x[j], inverse);
                // The derivative by the logarithm of a length: 5/3 (1 + √5 r) exp(-√5 r) times its part of r².
                double common = weight * 5.0 / 3.0 * (1 + SQRT5 * r) * Math.exp(-SQRT5 * r);
                for (int k = 0; k < d; k++) {
                    double part = (x[i][k] - x[j][k]) * inverse[k];
                    gradient[k] += common * part * part;
                }
            }
            gradient[d] += 0.5 * noise * (alpha[i] * alpha[i] / signal - precision[i][i]);
        }
        for (int k = 0; k < d; k++) {
            double off = (theta[k] - prior) / PRIOR_SIGMA;
            value -= off * off / 2;
            gradient[k] -= off / PRIOR_SIGMA;
        }
        double off = (theta[d] - NOISE_PRIOR) / NOISE_SIGMA;
        gradient[d] -= off / NOISE_SIGMA;
        return value - off * off / 2;
    }

    private static double distance(double[] a, double[] b, double[] inverse) {
        double sum = 0;
        for (int k = 0; k < inverse.length; k++) {
            double part = (a[k] - b[k]) * inverse[k];
            sum += part * part;
        }
        return Math.sqrt(sum);
    }

    private static double matern(double r) {
        return (1 + SQRT5 * r + 5.0 / 3.0 * r * r) * Math.exp(-SQRT5 * r);
    }

    private static double[][] kernel(double[][] x, double[] inverse, double noise) {
        double[][] kernel = new double[x.length][x.length];
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < i; j++) {
                kernel[i][j] = matern(distance(x[i], x[j], inverse));
            }
            kernel[i][i] = 1 + noise + 1e-8;
        }
        return kernel;
    }

    /** Of a symmetric matrix of which the lower half is given, in place. */
    private static double[][] cholesky(double[][] a) {
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = a[i][j];
                double[] ri = a[i];
                double[] rj = a[j];
                for (int k = 0; k < j; k++) {
                    sum -= ri[k] * rj[k];
                }
                a[i][j] = i == j ? Math.sqrt(Math.max(1e-10, sum)) : sum / a[j][j];
            }
        }
        return a;
    }

    private static void forward(double[][] lower, double[] b) {
        for (int i = 0; i < b.length; i++) {
            double sum = b[i];
            double[] row = lower[i];
            for (int k = 0; k < i; k++) {
                sum -= row[k] * b[k];
            }
            b[i] = sum / row[i];
        }
    }

    private static double[] solve(double[][] lower, double[] y) {
        double[] b = y.clone();
        forward(lower, b);
        for (int i = b.length - 1; i >= 0; i--) {
            b[i] /= lower[i][i];
            for (int k = 0; k < i; k++) {
                b[k] -= lower[i][k] * b[i];
            }
        }
        return b;
    }

    /** The lower half of the inverse of the matrix. */
    private static double[][] inverse(double[][] lower) {
        int n = lower.length;
        double[][] columns = new double[n][n];
        for (int j = 0; j < n; j++) {
            double[] column = columns[j];
            column[j] = 1 / lower[j][j];
            for (int i = j + 1; i < n; i++) {
                double sum = 0;
                double[] row = lower[i];
                for (int k = j; k < i; k++) {
                    sum -= row[k] * column[k];
                }
                column[i] = sum / row[i];
            }
        }
        double[][] inverse = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = i; k < n; k++) {
                    sum += columns[i][k] * columns[j][k];
                }
                inverse[i][j] = sum;
            }
        }
        return inverse;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    @Override
    public void predict(double[] features, double[] into) {
        double[] k = new double[x.length];
        double mean = 0;
        for (int i = 0; i < k.length; i++) {
            k[i] = matern(distance(features, x[i], inverseLengths));
            mean += k[i] * alpha[i];
        }
        forward(lower, k);
        into[0] = mean;
        into[1] = Math.sqrt(signal * Math.max(1e-9, 1 - dot(k, k)));
    }
}
