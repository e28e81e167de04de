package io.leeway.autotune.lab.internal.detect;

import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

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
    record Sample(Graph graph, double[] labels, TraceSimulator.@Nullable Anomaly anomaly) {

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
        Collections.shuffle(samples, new Random(seed));
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
            TraceSimulator.Labelled labelled = kind == null ? simulator.normal() : simulator.anomalous(kind);
            samples.add(sample(labelled.trace(), labelled.culprits(), features, kind));
        }
        return samples;
    }

    static Sample sample(
            Trace trace, Set<String> culprits, Features features, TraceSimulator.@Nullable Anomaly anomaly) {
        double[] labels = trace.nodes().stream()
                .mapToDouble(node -> culprits.contains(node.service()) ? 1 : 0)
                .toArray();
        return new Sample(Graph.of(trace, features), labels, anomaly);
    }

    /** The first part of the samples and the rest. */
    public List<Dataset> split(double share) {
        int at = (int) (share * samples.size());
        return List.of(new Dataset(samples.subList(0, at)), new Dataset(samples.subList(at, samples.size())));
    }

    /** All anomalous traces, and of the normal ones the first so many for each of them. */
    Dataset thinned(int normals) {
        long most = normals
                * Math.max(1, samples.stream().filter(Sample::isAnomalous).count());
        var kept = new ArrayList<Sample>();
        long seen = 0;
        for (Sample sample : samples) {
            if (sample.isAnomalous() || seen++ < most) {
                kept.add(sample);
            }
        }
        return new Dataset(kept);
    }

    /** Both together, in another random order. */
    public Dataset with(Dataset other, long seed) {
        var all = new ArrayList<>(samples);
        all.addAll(other.samples);
        Collections.shuffle(all, new Random(seed));
        return new Dataset(all);
    }
}
