package io.leeway.autotune.lab.internal.detect;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The two stages: a trace classifier, whose threshold decides how many traces go on, and a classifier of spans for
 * those that it holds for anomalous. Learnt on traces of any applications; used on others (Gagan Somashekhar,
 * "Performance Management of Large-Scale Microservices Applications", 2023, section 5.1).
 */
public final class GraphDetector implements Detector {

    private static final int BATCH = 16;
    private static final double RATE = 0.004;

    /** Of the training traces, for where the networks are cut. */
    private static final double KEPT_BACK = 0.15;

    /**
     * How much the first stage's log odds count beside the second's. A gate, as the paper has it, is worse at every
     * recall: what the first stage lets through by a hair may still be named by a second stage that is sure.
     */
    private static final double FIRST_STAGE = 0.5;

    /** Normal traces beside each anomalous one. */
    private static final int NORMALS = 10;

    private final TraceNetwork first;
    private final NodeNetwork second;
    private final String data;

    private GraphDetector(TraceNetwork first, NodeNetwork second, String data) {
        this.first = first;
        this.second = second;
        this.data = data;
    }

    /**
     * Learns. Where anomalies are few, each is seen beside at most {@value #NORMALS} normal traces, and what the
     * networks say is shifted afterwards, by traces that were kept back and have the shares that there really are, to
     * where most bottlenecks are found (see {@link Calibration}).
     *
     * @param training traces with labels
     * @param epochs how often each is seen
     * @param seed of the weights and of the order
     * @param data a description of the training data, kept with the model
     * @param progress told after each epoch
     */
    public static GraphDetector train(Dataset training, int epochs, long seed, String data, Consumer<String> progress) {
        var random = new SplittableRandom(seed);
        int features = Features.NAMES.size();
        var detector = new GraphDetector(
                new TraceNetwork(features, random.split()), new NodeNetwork(features, random.split()), data);
        List<Dataset> parts = training.split(1 - KEPT_BACK);
        List<Dataset.Sample> samples = parts.get(0).thinned(NORMALS).samples();
        long anomalous = samples.stream().filter(Dataset.Sample::isAnomalous).count();
        // Both classes count for as much.
        double weight = Math.max(1, (double) (samples.size() - anomalous) / Math.max(1, anomalous));
        var order = new ArrayList<>(samples);
        int time = 0;
        for (int epoch = 0; epoch < epochs; epoch++) {
            java.util.Collections.shuffle(order, new java.util.Random(seed + epoch));
            double rate = RATE * (1 - 0.9 * epoch / epochs);
            for (int from = 0; from < order.size(); from += BATCH) {
                detector.learn(order.subList(from, Math.min(order.size(), from + BATCH)), weight, rate, ++time);
            }
            progress.accept("epoch " + (epoch + 1) + " of " + epochs);
        }
        detector.calibrate(parts.get(1), progress);
        return detector;
    }

    private void learn(List<Dataset.Sample> batch, double weight, double rate, int time) {
        boolean anyAnomalous = false;
        for (Dataset.Sample sample : batch) {
            first.learn(sample.graph(), sample.isAnomalous(), (sample.isAnomalous() ? weight : 1) / batch.size());
            if (sample.isAnomalous()) {
                second.learn(sample.graph(), sample.labels(), 4);
                anyAnomalous = true;
            }
        }
        first.weights().forEach(tensor -> tensor.step(rate, time));
        if (anyAnomalous) {
            second.weights().forEach(tensor -> tensor.step(rate, time));
        }
    }

    /** The probability that a trace is anomalous at all. */
    public double anomaly(GraphView view) {
        return first.probability(view.graph());
    }

    @Override
    public double[] probabilities(GraphView view) {
        double first = FIRST_STAGE * logOdds(anomaly(view));
        double[] probabilities = second.probabilities(view.graph());
        for (int i = 0; i < probabilities.length; i++) {
            probabilities[i] = 1 / (1 + StrictMath.exp(-first - logOdds(probabilities[i])));
        }
        return probabilities;
    }

    /** Infinities would not add up. */
    static double logOdds(double probability) {
        double within = Math.max(1e-9, Math.min(1 - 1e-9, probability));
        return StrictMath.log(within / (1 - within));
    }

    /** What had these log odds is at a half from now on, in both stages apart, unless too few traces say where. */
    private void calibrate(Dataset held, Consumer<String> progress) {
        if (!Calibration.isEnough(held)) {
            return;
        }
        first.shift(Calibration.ofTraces(this, held));
        second.shift(Calibration.ofSpans(this, held));
        Scoring scoring = Scoring.of(this, held);
        progress.accept(String.format(
                Locale.ROOT,
                "on traces kept back: recall of bottlenecks %.3f, of others %.3f",
                scoring.recall(),
                scoring.normalRecall()));
    }

    /** What it was trained on, for people. */
    public String data() {
        return data;
    }

    private List<Tensor> weights() {
        var weights = new ArrayList<>(first.weights());
        weights.addAll(second.weights());
        return weights;
    }

    /** As a file has it. */
    public String toJson() {
        var json = new JsonObject();
        json.addProperty("kind", "graph");
        json.addProperty("data", data);
        var names = new JsonArray();
        Features.NAMES.forEach(names::add);
        json.add("features", names);
        var tensors = new JsonArray();
        for (Tensor tensor : weights()) {
            var values = new JsonArray();
            for (double value : tensor.values) {
                // Six digits are more than the training is certain of, and a third of the size.
                values.add((double) (float) (Math.rint(value * 1e6) / 1e6));
            }
            tensors.add(values);
        }
        json.add("weights", tensors);
        return json.toString();
    }

    /**
     * From such a file.
     *
     * @throws AutoTuneException with {@link AutoTuneError#BAD_MODEL} if it is none or has other features
     */
    public static GraphDetector fromJson(String text) {
        try {
            JsonObject json = Json.object(text);
            List<String> features = Json.array(json, "features").stream()
                    .map(name -> name.getAsString())
                    .toList();
            if (!features.equals(Features.NAMES)) {
                throw AutoTuneError.BAD_MODEL.because(
                        "it sees " + features + ", and traces are described by " + Features.NAMES);
            }
            var random = new SplittableRandom(0);
            var detector = new GraphDetector(
                    new TraceNetwork(features.size(), random),
                    new NodeNetwork(features.size(), random),
                    Json.text(json, "data", ""));
            detector.read(json);
            return detector;
        } catch (AutoTuneException e) {
            throw e.error() == AutoTuneError.BAD_MODEL
                    ? e
                    : AutoTuneError.BAD_MODEL.because("not a model of this kind: " + e.getMessage(), e);
        } catch (IllegalStateException | IllegalArgumentException | UnsupportedOperationException e) {
            // What JSON says of an element that is something else than a number, a text or an array.
            throw AutoTuneError.BAD_MODEL.because(
                    "not a model of this kind: names and weights are not where they are", e);
        }
    }

    private void read(JsonObject json) {
        var arrays = Json.array(json, "weights");
        List<Tensor> weights = weights();
        if (arrays.size() != weights.size()) {
            throw AutoTuneError.BAD_MODEL.because(
                    "it has " + arrays.size() + " layers' weights, not " + weights.size());
        }
        for (int i = 0; i < weights.size(); i++) {
            JsonArray values = arrays.get(i).getAsJsonArray();
            double[] into = weights.get(i).values;
            if (values.size() != into.length) {
                throw AutoTuneError.BAD_MODEL.because("a layer has " + values.size() + " weights, not " + into.length);
            }
            for (int k = 0; k < into.length; k++) {
                into[k] = values.get(k).getAsDouble();
                if (!Double.isFinite(into[k])) {
                    throw AutoTuneError.BAD_MODEL.because("a weight is " + into[k]);
                }
            }
        }
    }
}
