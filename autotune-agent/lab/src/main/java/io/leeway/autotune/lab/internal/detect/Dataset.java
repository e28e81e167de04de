package io.leeway.autotune.lab.internal.detect;

import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Traces with labels, of several applications, each with features against what is usual in it.
 *
 * @param samples in a random order
 */
public record Dataset(List<Sample> samples) {

    /**
     * A trace as models see it, with what is true of it.
     *
     * @param graph its features
     * @param labels 1 for spans of a culprit
     * @param anomaly what is wrong; null for a normal trace
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Sample(Graph graph, double[] labels, TraceSimulator.@org.jspecify.annotations.Nullable Anomaly anomaly) {

        boolean isAnomalous() {
            return anomaly != null;
        }
    }

    private static final int USUAL = 200;

    /** Copies. */
    public Dataset {
        samples = List.copyOf(samples);
    }

    /**
     * Of simulated applications.
     *
     * @param applications how many
     * @param traces of each
     * @param ratio of anomalous traces to normal ones
     * @param seed other seeds are other applications
     */
    public static Dataset simulated(int applications, int traces, double ratio, long seed) {
        var random = new SplittableRandom(seed);
        var samples = new ArrayList<Sample>();
        for (int a = 0; a < applications; a++) {
            samples.addAll(application(8 + random.nextInt(24), traces, ratio, random));
        }
        java.util.Collections.shuffle(samples, new java.util.Random(seed));
        return new Dataset(samples);
    }

    private static List<Sample> application(int services, int traces, double ratio, SplittableRandom random) {
        var simulator = new TraceSimulator(services, 3, random.nextLong());
        var before = new ArrayList<Trace>();
        for (int i = 0; i < USUAL; i++) {
            before.add(simulator.normal().trace());
        }
        Features features = Features.of(before);
        var samples = new ArrayList<Sample>();
        TraceSimulator.Anomaly[] kinds = TraceSimulator.Anomaly.values();
        for (int i = 0; i < traces; i++) {
            boolean isAnomalous = random.nextDouble() < ratio / (1 + ratio);
            TraceSimulator.Anomaly kind = isAnomalous ? kinds[random.nextInt(kinds.length)] : null;
            samples.add(sample(kind == null ? simulator.normal() : simulator.anomalous(kind), features, kind));
        }
        return samples;
    }

    private static Sample sample(
            TraceSimulator.Labelled labelled,
            Features features,
            TraceSimulator.@org.jspecify.annotations.Nullable Anomaly kind) {
        double[] labels = labelled.trace().nodes().stream()
                .mapToDouble(node -> labelled.culprits().contains(node.service()) ? 1 : 0)
                .toArray();
        return new Sample(Graph.of(labelled.trace(), features), labels, kind);
    }

    /** The first part of the samples and the rest. */
    public List<Dataset> split(double share) {
        int at = (int) (share * samples.size());
        return List.of(new Dataset(samples.subList(0, at)), new Dataset(samples.subList(at, samples.size())));
    }

    /** Both together. */
    public Dataset with(Dataset other) {
        var all = new ArrayList<>(samples);
        all.addAll(other.samples);
        return new Dataset(all);
    }
}
