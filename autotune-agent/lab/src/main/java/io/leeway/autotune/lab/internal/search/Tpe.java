package io.leeway.autotune.lab.internal.search;

import io.leeway.autotune.lab.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Tree-structured Parzen estimator over all parameters jointly: the best tenth of the trials and the rest are each
 * modelled by a mixture of one kernel per trial and a flat prior; of 24 points drawn from the first, the one with the
 * highest ratio of the two densities is next. Numbers have normal kernels cut at the bounds, words a share of their
 * kernel's weight (Gagan Somashekhar, "Performance Management of Large-Scale Microservices Applications", 2023, section
 * 3.4.2, optimization algorithms).
 */
final class Tpe implements Optimizer {

    private static final int FIRST = 10;
    private static final int CANDIDATES = 24;
    private static final int MOST_GOOD = 25;
    private static final double WIDTH = 0.2;

    @Override
    public double[] next(History history) {
        int size = history.size();
        int first = Math.min(FIRST, Math.max(2, history.budget() / 4));
        if (size < first) {
            return history.initial(size);
        }
        int[] ranked = history.ranked();
        int split = Math.min((int) Math.ceil(0.1 * size), MOST_GOOD);
        var good = new Mixture(history, Arrays.copyOf(ranked, split));
        var rest = new Mixture(history, Arrays.copyOfRange(ranked, split, size));
        SplittableRandom random = history.random(size, "tpe");
        double[] best = good.sample(random);
        double highest = good.logDensity(best) - rest.logDensity(best);
        for (int i = 1; i < CANDIDATES; i++) {
            double[] candidate = good.sample(random);
            double ratio = good.logDensity(candidate) - rest.logDensity(candidate);
            if (ratio > highest) {
                highest = ratio;
                best = candidate;
            }
        }
        return best;
    }

    /** A kernel at every one of some trials, and the prior. */
    private static final class Mixture {

        private final List<Parameter> parameters;
        private final double[][] centres;
        private final double[] widths;
        /** The mass of a kernel inside of [0, 1], by kernel and coordinate. */
        private final double[][] logMass;

        Mixture(History history, int[] trials) {
            this.parameters = history.space().parameters();
            int n = parameters.size();
            this.centres = new double[trials.length + 1][];
            for (int k = 0; k < trials.length; k++) {
                centres[k] = history.points().get(trials[k]);
            }
            centres[trials.length] = new double[n];
            Arrays.fill(centres[trials.length], 0.5);
            double width = WIDTH * Math.pow(Math.max(1, trials.length), -1.0 / (n + 4));
            this.widths = new double[centres.length];
            Arrays.fill(widths, Math.max(width, 1.0 / Math.min(100, 1 + centres.length)));
            widths[trials.length] = 1;
            this.logMass = new double[centres.length][n];
            for (int k = 0; k < centres.length; k++) {
                for (int i = 0; i < n; i++) {
                    double mass = Normal.cdf((1 - centres[k][i]) / widths[k]) - Normal.cdf(-centres[k][i] / widths[k]);
                    logMass[k][i] = Math.log(mass * widths[k] * Math.sqrt(2 * Math.PI));
                }
            }
        }

        private boolean isWord(int i) {
            return parameters.get(i).kind() == Parameter.Kind.CATEGORICAL;
        }

        double[] sample(SplittableRandom random) {
            int k = random.nextInt(centres.length);
            double[] point = new double[parameters.size()];
            for (int i = 0; i < point.length; i++) {
                point[i] = isWord(i) ? word(k, i, random) : within(k, i, random);
            }
            return point;
        }

        private double word(int k, int i, SplittableRandom random) {
            int count = parameters.get(i).words().size();
            boolean isOwn = k < centres.length - 1 && random.nextDouble() < own(count) - 1.0 / (count * spread());
            return isOwn ? centres[k][i] : (random.nextInt(count) + 0.5) / count;
        }

        /** Kernels, by which the prior's weight is shared out. */
        private double spread() {
            return centres.length;
        }

        /** The probability of a kernel's own word. */
        private double own(int count) {
            double share = 1.0 / spread();
            return (1 + share) / (1 + count * share);
        }

        private double within(int k, int i, SplittableRandom random) {
            for (int tries = 0; tries < 100; tries++) {
                double x = centres[k][i] + widths[k] * random.nextGaussian();
                if (x >= 0 && x <= 1) {
                    return x;
                }
            }
            return centres[k][i];
        }

        double logDensity(double[] point) {
            double[] logs = new double[centres.length];
            double highest = Double.NEGATIVE_INFINITY;
            for (int k = 0; k < centres.length; k++) {
                for (int i = 0; i < point.length; i++) {
                    logs[k] += isWord(i) ? logWord(k, i, point[i]) : logNumber(k, i, point[i]);
                }
                highest = Math.max(highest, logs[k]);
            }
            double sum = 0;
            for (double log : logs) {
                sum += Math.exp(log - highest);
            }
            return highest + Math.log(sum / centres.length);
        }

        private double logNumber(int k, int i, double x) {
            double z = (x - centres[k][i]) / widths[k];
            return -z * z / 2 - logMass[k][i];
        }

        private double logWord(int k, int i, double x) {
            int count = parameters.get(i).words().size();
            if (k == centres.length - 1) {
                return -Math.log(count);
            }
            boolean isOwn = (int) (x * count) == (int) (centres[k][i] * count);
            double own = own(count);
            return Math.log(isOwn ? own : (1 - own) / Math.max(1, count - 1));
        }
    }
}
