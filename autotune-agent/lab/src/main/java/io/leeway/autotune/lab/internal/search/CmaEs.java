package io.leeway.autotune.lab.internal.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;

/**
 * Evolution strategy with covariance matrix adaptation. Mean, step and covariance are computed again from the
 * generations in the history; what a bound or a grid moved counts where it was tried. Hipparchus has the algorithm only
 * with a callback; a test compares the two.
 */
final class CmaEs implements Optimizer {

    private static final double STEP = 0.3;

    @Override
    public double[] next(History history) {
        int n = history.dimensions();
        int generation = generation(n, history.budget());
        var state = new State(n, generation, start(history));
        int first = history.size() > 0 ? 1 : 0;
        for (int i = first; i + generation <= history.size(); i += generation) {
            int from = i;
            int[] order = IntStream.range(from, from + generation)
                    .boxed()
                    .sorted(Comparator.comparingDouble(k -> history.scores()[k]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            state.update(Arrays.stream(order).mapToObj(history.points()::get).toArray(double[][]::new));
        }
        return state.sample(history.random(history.size(), "cma"));
    }

    private static double[] start(History history) {
        return history.size() > 0 ? history.points().get(0) : history.space().standardPoint();
    }

    /** Trials in a generation. */
    static int generation(int dimensions, int budget) {
        int usual = 4 + (int) (3 * Math.log(dimensions));
        return Math.max(4, Math.min(usual, budget / 5));
    }

    /** The strategy's parameters, as in Hansen's tutorial. */
    private static final class State {

        private final int n;
        private final double[] weights;
        private final double effective;
        private final double cSigma;
        private final double damping;
        private final double cC;
        private final double c1;
        private final double cMu;
        private final double length;
        private double[] mean;
        private double sigma = STEP;
        private final double[] pathSigma;
        private final double[] pathC;
        private RealMatrix covariance;
        private RealMatrix root;
        private RealMatrix inverseRoot;
        private int generations;

        State(int n, int lambda, double[] start) {
            this.n = n;
            int mu = lambda / 2;
            double[] raw = IntStream.range(0, mu)
                    .mapToDouble(i -> Math.log((lambda + 1) / 2.0) - Math.log(i + 1.0))
                    .toArray();
            double sum = Arrays.stream(raw).sum();
            this.weights = Arrays.stream(raw).map(w -> w / sum).toArray();
            this.effective = 1 / Arrays.stream(weights).map(w -> w * w).sum();
            this.cSigma = (effective + 2) / (n + effective + 5);
            this.damping = 1 + 2 * Math.max(0, Math.sqrt((effective - 1) / (n + 1)) - 1) + cSigma;
            this.cC = (4 + effective / n) / (n + 4 + 2 * effective / n);
            this.c1 = 2 / ((n + 1.3) * (n + 1.3) + effective);
            this.cMu = Math.min(1 - c1, 2 * (effective - 2 + 1 / effective) / ((n + 2.0) * (n + 2) + effective));
            this.length = Math.sqrt(n) * (1 - 1 / (4.0 * n) + 1 / (21.0 * n * n));
            this.mean = start.clone();
            this.pathSigma = new double[n];
            this.pathC = new double[n];
            this.covariance = MatrixUtils.createRealIdentityMatrix(n);
            this.root = covariance;
            this.inverseRoot = covariance;
        }

        double[] sample(SplittableRandom random) {
            double[] z = new double[n];
            Arrays.setAll(z, i -> random.nextGaussian());
            double[] y = root.operate(z);
            double[] point = new double[n];
            Arrays.setAll(point, i -> Optimizer.reflected(mean[i] + sigma * y[i]));
            return point;
        }

        void update(double[][] best) {
            double[] before = mean;
            double[] step = new double[n];
            for (int k = 0; k < weights.length; k++) {
                for (int i = 0; i < n; i++) {
                    step[i] += weights[k] * (best[k][i] - before[i]) / sigma;
                }
            }
            mean = new double[n];
            Arrays.setAll(mean, i -> before[i] + sigma * step[i]);
            generations++;
            double[] white = inverseRoot.operate(step);
            double gain = Math.sqrt(cSigma * (2 - cSigma) * effective);
            Arrays.setAll(pathSigma, i -> (1 - cSigma) * pathSigma[i] + gain * white[i]);
            double norm = Math.sqrt(Arrays.stream(pathSigma).map(x -> x * x).sum());
            boolean isShort =
                    norm / Math.sqrt(1 - Math.pow(1 - cSigma, 2 * generations)) / length < 1.4 + 2 / (n + 1.0);
            double gainC = isShort ? Math.sqrt(cC * (2 - cC) * effective) : 0;
            Arrays.setAll(pathC, i -> (1 - cC) * pathC[i] + gainC * step[i]);
            adapt(best, before, isShort);
            sigma *= Math.exp(Math.min(1, cSigma / damping * (norm / length - 1)));
            sigma = Math.min(1, Math.max(1e-6, sigma));
        }

        private void adapt(double[][] best, double[] before, boolean isShort) {
            double stall = isShort ? 0 : c1 * cC * (2 - cC);
            RealMatrix next = covariance.scalarMultiply(1 - c1 - cMu + stall);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    double rank = 0;
                    for (int k = 0; k < weights.length; k++) {
                        rank += weights[k] * (best[k][i] - before[i]) * (best[k][j] - before[j]) / (sigma * sigma);
                    }
                    next.addToEntry(i, j, c1 * pathC[i] * pathC[j] + cMu * rank);
                }
            }
            covariance = next;
            var parts = new EigenDecompositionSymmetric(next);
            double[] lengths = Arrays.stream(parts.getEigenvalues())
                    .map(x -> Math.sqrt(Math.max(1e-12, x)))
                    .toArray();
            double[] inverses = Arrays.stream(lengths).map(x -> 1 / x).toArray();
            RealMatrix axes = parts.getV();
            root = axes.multiply(MatrixUtils.createRealDiagonalMatrix(lengths)).multiplyTransposed(axes);
            inverseRoot = axes.multiply(MatrixUtils.createRealDiagonalMatrix(inverses))
                    .multiplyTransposed(axes);
        }
    }
}
