package io.leeway.autotune.lab.internal.detect;

import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/**
 * Where both stages are cut, chosen on traces that were not learnt from. A network that learnt on few anomalies, or on
 * a larger share of them than there is, puts a half anywhere; a cut by the number of errors alone would miss most of
 * what is rare. Low recall means slowness that nobody mends (Gagan Somashekhar, "Performance Management of Large-Scale
 * Microservices Applications", 2023, section 5.1), so it comes first, as far as false names stay few.
 */
final class Calibration {

    /** Of the bottlenecks' spans, found; a little more than asked for, since others are seen later. */
    private static final double FOUND = 0.82;

    /** Of other spans, left alone. */
    private static final double LEFT_ALONE = 0.95;

    /** Of anomalous traces, seen. */
    private static final double SEEN = 0.9;

    /** Of normal traces, left alone. */
    private static final double QUIET = 0.95;

    private static final int LEAST_ANOMALOUS = 10;

    private Calibration() {}

    /** Whether there are traces enough to say it. */
    static boolean isEnough(Dataset held) {
        return held.samples().stream().filter(Dataset.Sample::isAnomalous).count() >= LEAST_ANOMALOUS;
    }

    /** The log odds of the first stage at which anomalous traces are seen. */
    static double ofTraces(GraphDetector detector, Dataset held) {
        return Math.max(
                quantile(1 - SEEN, traces(detector, held, Dataset.Sample::isAnomalous)),
                quantile(QUIET, traces(detector, held, sample -> !sample.isAnomalous())));
    }

    private static DoubleStream traces(GraphDetector detector, Dataset held, Predicate<Dataset.Sample> which) {
        return held.samples().stream()
                .filter(which)
                .mapToDouble(sample -> GraphDetector.logOdds(detector.anomaly(Detector.GraphView.of(sample.graph()))));
    }

    /** The log odds of both stages together at which bottlenecks are found. */
    static double ofSpans(GraphDetector detector, Dataset held) {
        return Math.max(
                quantile(1 - FOUND, spans(detector, held, true)), quantile(LEFT_ALONE, spans(detector, held, false)));
    }

    private static DoubleStream spans(GraphDetector detector, Dataset held, boolean isCulprit) {
        return held.samples().stream().flatMapToDouble(sample -> {
            double[] probabilities = detector.probabilities(Detector.GraphView.of(sample.graph()));
            return java.util.stream.IntStream.range(0, probabilities.length)
                    .filter(i -> sample.labels()[i] > 0 == isCulprit)
                    .mapToDouble(i -> GraphDetector.logOdds(probabilities[i]));
        });
    }

    private static double quantile(double share, DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted.length == 0
                ? Double.NEGATIVE_INFINITY
                : sorted[(int) Math.min(sorted.length - 1.0, Math.floor(share * sorted.length))];
    }
}
