package io.leeway.autotune.lab.internal.search;

import io.leeway.autotune.lab.Parameter;
import io.leeway.autotune.lab.Space;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Bayesian optimisation: after a few points that fill the space, a model of the scores is fitted, and the point where
 * the expected improvement over the best of the model's own means is highest is next. It is looked for at random, near
 * the best trials, and from the best of these in ever smaller steps. Scores enter by their ranks as normal quantiles
 * mixed with their size, so that a few disasters do not flatten the rest (Gagan Somashekhar, "Performance Management of
 * Large-Scale Microservices Applications", 2023, section 3.4.2, optimization algorithms).
 */
final class ModelSearch implements Optimizer {

    private static final int ANYWHERE = 120;
    private static final int NEAR = 80;
    private static final int REFINED = 60;

    private final Surrogate.Fit fit;

    ModelSearch(Surrogate.Fit fit) {
        this.fit = fit;
    }

    @Override
    public double[] next(History history) {
        int size = history.size();
        if (size < first(history)) {
            return history.initial(size);
        }
        Space space = history.space();
        SplittableRandom random = history.random(size, "model");
        double[][] features =
                history.points().stream().map(point -> features(space, point)).toArray(double[][]::new);
        double[] scores = Scores.warped(history.scores());
        Surrogate model = fit.of(features, scores, random);
        var search = new Search(history, model, incumbent(model, features), random);
        return search.best();
    }

    /** Points before the first model: as many as there are parameters and one, but at most a third of the budget. */
    private static int first(History history) {
        return Math.max(3, Math.min(Math.min(10, history.dimensions() + 2), history.budget() / 4));
    }

    /** What is known to be reached: under noise the lowest score itself is too lucky to be beaten. */
    private static double incumbent(Surrogate model, double[][] features) {
        double[] into = new double[2];
        double lowest = Double.POSITIVE_INFINITY;
        for (double[] point : features) {
            model.predict(point, into);
            lowest = Math.min(lowest, into[0]);
        }
        return lowest;
    }

    /** Numbers and ordered words as they are; of other words one feature each. */
    static double[] features(Space space, double[] point) {
        List<Parameter> parameters = space.parameters();
        int size = 0;
        for (Parameter parameter : parameters) {
            size += parameter.kind() == Parameter.Kind.CATEGORICAL
                    ? parameter.words().size()
                    : 1;
        }
        double[] features = new double[size];
        int at = 0;
        for (int i = 0; i < point.length; i++) {
            if (parameters.get(i).kind() == Parameter.Kind.CATEGORICAL) {
                int count = parameters.get(i).words().size();
                features[at + (int) Math.min(count - 1.0, point[i] * count)] = 1;
                at += count;
            } else {
                features[at++] = point[i];
            }
        }
        return features;
    }

    /** The search for the highest acquisition. */
    private static final class Search {

        private final History history;
        private final Space space;
        private final Surrogate model;
        private final double incumbent;
        private final SplittableRandom random;
        private final double[] into = new double[2];
        private final boolean isPlain;
        private double[] best;
        private double highest = Double.NEGATIVE_INFINITY;

        Search(History history, Surrogate model, double incumbent, SplittableRandom random) {
            this.history = history;
            this.space = history.space();
            this.model = model;
            this.incumbent = incumbent;
            this.random = random;
            // Only what is all real and unconditional needs no snapping of every candidate.
            this.isPlain = space.parameters().stream()
                    .allMatch(parameter -> parameter.kind() == Parameter.Kind.REAL
                            && parameter.step() == 0
                            && parameter.when() == null);
            this.best = history.points().get(history.best(history.size()));
        }

        double[] best() {
            for (int i = 0; i < ANYWHERE; i++) {
                consider(random.doubles(space.size()).toArray());
            }
            int[] ranked = history.ranked();
            for (int i = 0; i < NEAR; i++) {
                double[] centre = history.points().get(ranked[random.nextInt(Math.min(4, ranked.length))]);
                consider(moved(centre, 0.1));
            }
            double radius = 0.1;
            for (int i = 0; i < REFINED; i++) {
                radius *= consider(moved(best, radius)) ? 1.2 : 0.93;
            }
            return best;
        }

        private boolean consider(double[] candidate) {
            double[] snapped = isPlain ? candidate : space.snap(candidate);
            model.predict(features(space, snapped), into);
            double gain = Normal.expectedImprovement(incumbent, into[0], into[1]);
            if (gain > highest && (space.constraints().isEmpty() || space.allows(space.setting(snapped)))) {
                highest = gain;
                best = snapped;
                return true;
            }
            return false;
        }

        private double[] moved(double[] centre, double radius) {
            double[] point = centre.clone();
            int must = random.nextInt(point.length);
            double share = Math.max(0.3, 2.0 / point.length);
            for (int i = 0; i < point.length; i++) {
                Parameter parameter = space.parameters().get(i);
                boolean isWord = parameter.kind() == Parameter.Kind.CATEGORICAL;
                if (i == must || random.nextDouble() < (isWord ? share / 2 : share)) {
                    Steps.move(parameter, point, i, radius * random.nextGaussian(), random);
                }
            }
            return point;
        }
    }

    /** Scores as models want them. */
    static final class Scores {

        private Scores() {}

        /** Mean 0, variance about 1, and no tail on the side of the bad. */
        static double[] warped(double[] scores) {
            int n = scores.length;
            double[] sorted = scores.clone();
            Arrays.sort(sorted);
            double median = sorted[n / 2];
            double low = sorted[0];
            double scale = Math.max(1e-12, Math.min(Double.MAX_VALUE, median - low));
            double[] warped = new double[n];
            // Above the median, only the logarithm counts.
            Arrays.setAll(warped, i -> {
                double u = Math.min(Double.MAX_VALUE, scores[i] - low) / scale;
                return u <= 1 ? u : 1 + Math.log(u);
            });
            double mean = Arrays.stream(warped).average().orElse(0);
            double deviation = Math.sqrt(Arrays.stream(warped)
                    .map(w -> (w - mean) * (w - mean))
                    .average()
                    .orElse(0));
            return Arrays.stream(warped)
                    .map(w -> (w - mean) / Math.max(1e-9, deviation))
                    .toArray();
        }
    }
}
