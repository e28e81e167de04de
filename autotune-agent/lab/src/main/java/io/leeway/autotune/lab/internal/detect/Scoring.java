package io.leeway.autotune.lab.internal.detect;

import java.util.EnumMap;
import java.util.Map;

/**
 * How good a detector is, as the paper counts it: every span is a case; recall and precision of both classes apart,
 * since with few bottlenecks accuracy says nothing (Gagan Somashekhar, "Performance Management of Large-Scale
 * Microservices Applications", 2023, section 5.1).
 *
 * @param truePositive spans of bottlenecks that were found
 * @param falsePositive others that were named
 * @param trueNegative others that were not
 * @param falseNegative spans of bottlenecks that were missed
 * @param exact anomalous traces in which the span with the highest probability is one of a bottleneck, by kind
 * @param traces anomalous traces, by kind
 */
public record Scoring(
        long truePositive,
        long falsePositive,
        long trueNegative,
        long falseNegative,
        Map<TraceSimulator.Anomaly, Double> exact,
        Map<TraceSimulator.Anomaly, Long> traces,
        Map<TraceSimulator.Anomaly, Double> falseAlarms) {

    /** Counts over a test set. */
    public static Scoring of(Detector detector, Dataset test) {
        long[] counts = new long[4];
        var first = new EnumMap<TraceSimulator.Anomaly, Long>(TraceSimulator.Anomaly.class);
        var traces = new EnumMap<TraceSimulator.Anomaly, Long>(TraceSimulator.Anomaly.class);
        var wrong = new EnumMap<TraceSimulator.Anomaly, Long>(TraceSimulator.Anomaly.class);
        for (Dataset.Sample sample : test.samples()) {
            double[] probabilities = detector.probabilities(Detector.GraphView.of(sample.graph()));
            int best = 0;
            long alarms = 0;
            for (int i = 0; i < probabilities.length; i++) {
                boolean isNamed = probabilities[i] >= 0.5;
                boolean isCulprit = sample.labels()[i] > 0;
                counts[(isCulprit ? 0 : 2) + (isNamed == isCulprit ? 0 : 1)]++;
                best = probabilities[i] > probabilities[best] ? i : best;
                alarms += isNamed && !isCulprit ? 1 : 0;
            }
            TraceSimulator.Anomaly anomaly = sample.anomaly();
            if (anomaly != null) {
                traces.merge(anomaly, 1L, Long::sum);
                first.merge(anomaly, sample.labels()[best] > 0 ? 1L : 0L, Long::sum);
                wrong.merge(anomaly, alarms, Long::sum);
            }
        }
        var exact = new EnumMap<TraceSimulator.Anomaly, Double>(TraceSimulator.Anomaly.class);
        var alarms = new EnumMap<TraceSimulator.Anomaly, Double>(TraceSimulator.Anomaly.class);
        traces.forEach((kind, all) -> {
            exact.put(kind, (double) first.getOrDefault(kind, 0L) / all);
            alarms.put(kind, (double) wrong.getOrDefault(kind, 0L) / all);
        });
        return new Scoring(counts[0], counts[3], counts[2], counts[1], exact, traces, alarms);
    }

    /** Found of the bottlenecks. */
    public double recall() {
        return (double) truePositive / Math.max(1, truePositive + falseNegative);
    }

    /** True of what was named. */
    public double precision() {
        return (double) truePositive / Math.max(1, truePositive + falsePositive);
    }

    /**
     * The precision where there are so many spans of bottlenecks for each other one. Precision depends on it, and the
     * paper counts its ratios by service, while here they are of traces, of which each has but one or two spans of a
     * bottleneck.
     */
    public double precisionAt(double ratio) {
        double wrong = 1 - normalRecall();
        return ratio * recall() / Math.max(1e-12, ratio * recall() + wrong);
    }

    /** The same of what was left alone. */
    public double normalPrecisionAt(double ratio) {
        double missed = 1 - recall();
        return normalRecall() / Math.max(1e-12, normalRecall() + ratio * missed);
    }

    /** Left alone of what is normal. */
    public double normalRecall() {
        return (double) trueNegative / Math.max(1, trueNegative + falsePositive);
    }

    /** Normal of what was left alone. */
    public double normalPrecision() {
        return (double) trueNegative / Math.max(1, trueNegative + falseNegative);
    }

    /** Right of all. */
    public double accuracy() {
        return (double) (truePositive + trueNegative)
                / Math.max(1, truePositive + trueNegative + falsePositive + falseNegative);
    }

    @Override
    public String toString() {
        return String.format(
                java.util.Locale.ROOT,
                "accuracy %.3f, bottleneck recall %.3f precision %.3f, normal recall %.3f precision %.3f, first %s, false alarms %s",
                accuracy(),
                recall(),
                precision(),
                normalRecall(),
                normalPrecision(),
                exact,
                falseAlarms);
    }
}
