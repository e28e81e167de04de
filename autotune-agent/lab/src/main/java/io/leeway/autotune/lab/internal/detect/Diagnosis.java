package io.leeway.autotune.lab.internal.detect;

import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which instances are the bottleneck in some traces, against what is usual.
 *
 * @param suspects the most suspect first; none if too few traces are anomalous
 * @param anomalous traces that the first stage holds for anomalous
 * @param traces all
 * @param example the anomalous trace with the highest probability, of those without gaps if there are some; null if there
 *     is none
 */
public record Diagnosis(
        List<Suspect> suspects,
        int anomalous,
        int traces,
        @Nullable Trace example) {

    private static final double THRESHOLD = 0.5;

    /** Named in a smaller part of its anomalous traces, an instance is not told. */
    private static final double LEAST_SHARE = 0.25;

    /**
     * Named in a smaller part of all its traces, an instance is not told either: single requests have hiccups, and the
     * networks are cut so that they miss few bottlenecks, at the price of some false names.
     */
    private static final double LEAST_NAMED = 0.1;

    /** Below this part of all traces, anomalies are what always happens. */
    private static final double LEAST_ANOMALOUS = 0.05;

    /** What is seen of one instance. */
    private static final class Evidence {
        private final List<Double> probabilities = new ArrayList<>();
        private final List<double[]> times = new ArrayList<>();
        private int named;
    }

    /** Looks at traces with a model. */
    public static Diagnosis of(List<Trace> traces, Features features, GraphDetector detector) {
        var evidence = new TreeMap<String, Evidence>();
        int anomalous = 0;
        double highest = 0;
        Trace example = null;
        boolean isExampleWhole = false;
        var reached = new TreeMap<String, Integer>();
        for (Trace trace : traces) {
            trace.nodes().stream()
                    .map(Trace.Node::service)
                    .distinct()
                    .forEach(name -> reached.merge(name, 1, Integer::sum));
            var view = Detector.GraphView.of(trace, features);
            double probability = detector.anomaly(view);
            if (probability < THRESHOLD) {
                continue;
            }
            anomalous++;
            // To look at, a request whose spans all came: what is missing may be on its way still.
            boolean isWhole = trace.mended().isEmpty();
            boolean isBetter = isWhole == isExampleWhole ? probability > highest : isWhole;
            if (example == null || isBetter) {
                highest = probability;
                example = trace;
                isExampleWhole = isWhole;
            }
            gather(trace, features, detector.probabilities(view), evidence);
        }
        boolean isEnough = anomalous >= Math.max(1, LEAST_ANOMALOUS * traces.size());
        return new Diagnosis(isEnough ? suspects(evidence, reached) : List.of(), anomalous, traces.size(), example);
    }

    private static void gather(Trace trace, Features features, double[] probabilities, Map<String, Evidence> evidence) {
        var highest = new TreeMap<String, Integer>();
        for (int i = 0; i < probabilities.length; i++) {
            int now = i;
            highest.merge(
                    trace.nodes().get(i).service(), i, (a, b) -> probabilities[a] >= probabilities[now] ? a : now);
        }
        highest.forEach((instance, i) -> {
            Evidence known = evidence.computeIfAbsent(instance, name -> new Evidence());
            known.probabilities.add(probabilities[i]);
            if (probabilities[i] >= THRESHOLD) {
                known.named++;
                known.times.add(times(trace.nodes().get(i), features));
            }
        });
    }

    private static double[] times(Trace.Node node, Features features) {
        Trace.@Nullable Node longest = node.children().stream()
                .max(Comparator.comparingLong(Trace.Node::micros))
                .orElse(null);
        return new double[] {
            node.selfMicros(),
            features.usual(node).self(),
            longest == null ? 0 : longest.micros(),
            longest == null ? 0 : features.usual(longest).whole()
        };
    }

    private static List<Suspect> suspects(Map<String, Evidence> evidence, Map<String, Integer> reached) {
        var suspects = new ArrayList<Suspect>();
        evidence.forEach((instance, known) -> {
            double share = (double) known.named / known.probabilities.size();
            double ofAll = (double) known.named / reached.getOrDefault(instance, 1);
            if (known.named > 0 && share >= LEAST_SHARE && ofAll >= LEAST_NAMED) {
                double[] medians = IntStream.range(0, 4)
                        .mapToDouble(k -> median(known.times, k))
                        .toArray();
                double mean = known.probabilities.stream()
                        .mapToDouble(p -> p)
                        .average()
                        .orElse(0);
                suspects.add(new Suspect(
                        instance,
                        mean * share,
                        known.named,
                        known.probabilities.size(),
                        medians[0] / 1e3,
                        medians[1] / 1e3,
                        medians[2] / 1e3,
                        medians[3] / 1e3));
            }
        });
        suspects.sort(Comparator.comparingDouble(Suspect::score).reversed());
        return suspects;
    }

    private static double median(List<double[]> rows, int column) {
        double[] sorted = rows.stream().mapToDouble(row -> row[column]).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
