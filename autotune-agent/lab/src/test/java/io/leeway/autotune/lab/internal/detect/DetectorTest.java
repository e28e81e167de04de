package io.leeway.autotune.lab.internal.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leeway.autotune.lab.internal.trace.Trace;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DetectorTest {

    private static Dataset.Sample sample(TraceSimulator.Anomaly kind) {
        return Dataset.simulated(1, 60, 2, 5).samples().stream()
                .filter(sample -> sample.anomaly() == kind)
                .findFirst()
                .orElseThrow();
    }

    /** The gradient of a loss by one weight, as it is learnt and as a small step of the weight says. */
    private static void isTheGradient(Tensor tensor, int at, java.util.function.DoubleSupplier loss, Runnable learn) {
        learn.run();
        double learnt = tensor.gradient[at];
        double step = 1e-5;
        tensor.values[at] += step;
        double above = loss.getAsDouble();
        tensor.values[at] -= 2 * step;
        double below = loss.getAsDouble();
        tensor.values[at] += step;

        assertThat(learnt).isCloseTo((above - below) / (2 * step), within(1e-5));
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theNodeNetworkFollowsTheGradientOfItsLoss() {
        Dataset.Sample sample = sample(TraceSimulator.Anomaly.CASCADING);
        for (int k = 0; k < 14; k++) {
            var network = new NodeNetwork(Features.NAMES.size(), new SplittableRandom(3));
            Tensor tensor = network.weights().get(k);
            isTheGradient(
                    tensor,
                    tensor.values.length / 2,
                    () -> {
                        double[] p = network.probabilities(sample.graph());
                        double loss = 0;
                        for (int i = 0; i < p.length; i++) {
                            loss -= sample.labels()[i] > 0 ? 3 * Math.log(p[i]) : Math.log(1 - p[i]);
                        }
                        return loss / p.length;
                    },
                    () -> network.learn(sample.graph(), sample.labels(), 3));
        }
    }

    @Test
    void theTraceNetworkFollowsTheGradientOfItsLoss() {
        Dataset.Sample sample = sample(TraceSimulator.Anomaly.SINGLE);
        var counted = new TraceNetwork(Features.NAMES.size(), new SplittableRandom(4))
                .weights()
                .size();
        for (int k = 0; k < counted; k++) {
            var network = new TraceNetwork(Features.NAMES.size(), new SplittableRandom(4));
            Tensor tensor = network.weights().get(k);
            isTheGradient(
                    tensor,
                    tensor.values.length / 2,
                    () -> -Math.log(network.probability(sample.graph())),
                    () -> network.learn(sample.graph(), true, 1));
        }
    }

    @Test
    void aModelIsTheSameAfterItWasWrittenAndRead() {
        Dataset data = Dataset.simulated(2, 60, 0.5, 1);
        GraphDetector detector = GraphDetector.train(data, 1, 1, "two applications", progress -> {});
        GraphDetector read = GraphDetector.fromJson(detector.toJson());
        var view = Detector.GraphView.of(data.samples().get(0).graph());

        assertThat(read.anomaly(view)).isCloseTo(detector.anomaly(view), within(1e-4));
        assertThat(read.data()).isEqualTo("two applications");
    }

    /** On every processor and JDK: whoever changes how models learn makes the one that comes along anew. */
    @Test
    void theSameDataMakesTheSameModelToTheLastBit() {
        Dataset data = Dataset.simulated(2, 60, 0.5, 1);
        GraphDetector detector = GraphDetector.train(data, 2, 1, "two applications", progress -> {});

        assertThat(sha256(detector.toJson()))
                .isEqualTo("6609ad98e0aa7cd61fb1d83f94c73c30895140726b1a573d3d95a307f1479b54");
    }

    @Test
    void refusesAModelOfOtherFeaturesAndWhatIsNone() {
        assertThatThrownBy(() -> GraphDetector.fromJson("{\"features\":[\"weather\"],\"weights\":[]}"))
                .hasMessageContaining("AUTOTUNE-5004")
                .hasMessageContaining("weather");
        assertThatThrownBy(() -> GraphDetector.fromJson("no model")).hasMessageContaining("AUTOTUNE-5004");
    }

    @Test
    void theModelThatComesAlongNamesTheCulpritOfAnApplicationItNeverSaw() {
        var simulator = new TraceSimulator(15, 2, 4_711);
        var usual = new ArrayList<Trace>();
        for (int i = 0; i < 150; i++) {
            usual.add(simulator.normal().trace());
        }
        Features features = Features.of(usual);
        GraphDetector detector = Models.standard();
        int right = 0;
        int anomalies = 0;
        for (int i = 0; i < 60; i++) {
            TraceSimulator.Labelled labelled = simulator.anomalous(TraceSimulator.Anomaly.CASCADING);
            Diagnosis diagnosis = Diagnosis.of(List.of(labelled.trace()), features, detector);
            anomalies += diagnosis.anomalous();
            right += !diagnosis.suspects().isEmpty()
                            && labelled.culprits()
                                    .contains(diagnosis.suspects().get(0).instance())
                    ? 1
                    : 0;
        }

        assertThat(anomalies).isGreaterThan(36);
        assertThat(right).isGreaterThan(30);
    }
}
