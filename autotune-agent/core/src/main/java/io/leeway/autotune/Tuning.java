package io.leeway.autotune;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.internal.learn.AutoScope;
import io.leeway.autotune.internal.learn.Bluefin;
import io.leeway.autotune.internal.learn.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A tuning instance of OPPerTune in process: {@link #predict} says what to deploy, {@link #setReward} what came of it. For
 * programs that deploy and measure by themselves; a controller offers the same over REST.
 *
 * <pre>{@code
 * Tuning tuning = Tuning.create(knobs, present, Tuning.Algorithm.HYBRID, List.of(), 1);
 * Tuning.Prediction next = tuning.predict(Map.of());
 * ... deploy next.setting(), measure ...
 * tuning.setReward(next.requestId(), -p95);
 * }</pre>
 *
 * <p>Rewards are maximised and may have any scale. Thread-safe: predictions made before a reward has come are for the
 * same round; the first reward of a round counts, later ones of it are dropped.
 *
 * @since 0.1
 */
public final class Tuning {

    /** How it learns. */
    public enum Algorithm {
        /** SelfTune's, two rewards an update; numbers only. */
        BLUEFIN,
        /** The same with one reward an update, for rewards that drift; numbers only. */
        BLUEFIN_ONE_POINT,
        /** Numbers and words. */
        HYBRID,
        /** A tree of contexts whose leaves are HYBRID. */
        AUTOSCOPE,
        /** The same with a random tree that stays as it is, to compare with. */
        AUTOSCOPE_FROZEN
    }

    /**
     * What to deploy.
     *
     * @param requestId given back with the reward
     * @param setting of all knobs
     */
    public record Prediction(String requestId, Setting setting) {}

    /**
     * A feature of the context.
     *
     * @param name as in the context
     * @param min that it has
     * @param max that it has
     */
    public record Feature(String name, double min, double max) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Pending(long round, int leaf, double[] context) {}

    /** Predictions that nobody rewards are forgotten after so many. */
    private static final int MOST_PENDING = 1_000;

    private final List<KnobSpec> knobs;
    private final Setting start;
    private final Algorithm algorithm;
    private final List<Feature> features;
    private final long seed;
    private final AutoScope scope;
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private final long[] rounds;
    private long requests;

    private Tuning(
            List<KnobSpec> knobs,
            Setting start,
            Algorithm algorithm,
            List<Feature> features,
            long seed,
            AutoScope scope) {
        this.knobs = List.copyOf(knobs);
        this.start = start;
        this.algorithm = algorithm;
        this.features = List.copyOf(features);
        this.seed = seed;
        this.scope = scope;
        this.rounds = new long[scope.leaves()];
    }

    /**
     * A new instance.
     *
     * @param knobs at least one
     * @param start the present values, of all knobs
     * @param features of the context; only AutoScope uses them
     * @param seed two instances with the same seed and rewards predict the same
     * @throws AutoTuneException if the algorithm cannot have these knobs
     */
    public static Tuning create(
            List<KnobSpec> knobs, Setting start, Algorithm algorithm, List<Feature> features, long seed) {
        if (knobs.isEmpty()) {
            throw AutoTuneError.BAD_REQUEST.because("no knobs");
        }
        for (KnobSpec knob : knobs) {
            KnobValue value = start.values().get(knob.name());
            if (value == null) {
                throw AutoTuneError.BAD_REQUEST.because("no present value of " + knob.name());
            }
            knob.checked(value);
            if (!knob.isNumeric() && (algorithm == Algorithm.BLUEFIN || algorithm == Algorithm.BLUEFIN_ONE_POINT)) {
                throw AutoTuneError.BAD_REQUEST.because(algorithm + " has numbers only, not " + knob.name());
            }
        }
        if (knobs.stream().map(KnobSpec::name).distinct().count() < knobs.size()) {
            throw AutoTuneError.BAD_REQUEST.because("two knobs of the same name");
        }
        var scope = new AutoScope(
                steps(algorithm),
                height(algorithm, features),
                algorithm != Algorithm.AUTOSCOPE,
                features.size(),
                point(knobs, start),
                sizes(knobs),
                seed);
        return new Tuning(knobs, start, algorithm, features, seed, scope);
    }

    private static Bluefin.Steps steps(Algorithm algorithm) {
        Bluefin.Steps quick = Bluefin.Steps.quick();
        return algorithm == Algorithm.BLUEFIN_ONE_POINT
                ? new Bluefin.Steps(1, quick.eta(), quick.delta(), quick.decay())
                : quick;
    }

    private static int height(Algorithm algorithm, List<Feature> features) {
        boolean scoped = algorithm == Algorithm.AUTOSCOPE || algorithm == Algorithm.AUTOSCOPE_FROZEN;
        return scoped && !features.isEmpty() ? AutoScope.DEFAULT_HEIGHT : 0;
    }

    private static Point point(List<KnobSpec> knobs, Setting setting) {
        return new Point(
                knobs.stream()
                        .filter(KnobSpec::isNumeric)
                        .mapToDouble(knob -> knob.toUnit(value(setting, knob)))
                        .toArray(),
                knobs.stream()
                        .filter(knob -> !knob.isNumeric())
                        .mapToInt(knob ->
                                knob.choices().indexOf(value(setting, knob).toString()))
                        .toArray());
    }

    private static KnobValue value(Setting setting, KnobSpec knob) {
        KnobValue value = setting.values().get(knob.name());
        return value == null ? knob.fromUnit(0) : value;
    }

    private static int[] sizes(List<KnobSpec> knobs) {
        return knobs.stream()
                .filter(knob -> !knob.isNumeric())
                .mapToInt(knob -> knob.choices().size())
                .toArray();
    }

    /**
     * What to deploy next.
     *
     * @param context a value of each feature; empty if there are none
     * @throws AutoTuneException if a feature is missing
     */
    public synchronized Prediction predict(Map<String, Double> context) {
        double[] scaled = scaled(context);
        int leaf = scope.leaf(scaled);
        String id = Long.toString(++requests);
        if (pending.size() >= MOST_PENDING) {
            pending.remove(pending.keySet().iterator().next());
        }
        pending.put(id, new Pending(rounds[leaf], leaf, scaled));
        return new Prediction(id, setting(scope.propose(scaled)));
    }

    private double[] scaled(Map<String, Double> context) {
        double[] scaled = new double[features.size()];
        for (int i = 0; i < scaled.length; i++) {
            Feature feature = features.get(i);
            Double value = context.get(feature.name());
            if (value == null || !Double.isFinite(value)) {
                throw AutoTuneError.BAD_REQUEST.because("no value of the feature " + feature.name());
            }
            double share = (value - feature.min()) / Math.max(1e-12, feature.max() - feature.min());
            scaled[i] = 2 * Math.min(1, Math.max(0, share)) - 1;
        }
        return scaled;
    }

    private Setting setting(Point point) {
        var values = new TreeMap<String, KnobValue>();
        int number = 0;
        int word = 0;
        for (KnobSpec knob : knobs) {
            values.put(
                    knob.name(),
                    knob.isNumeric()
                            ? knob.fromUnit(point.numbers()[number++])
                            : KnobValue.of(knob.choices().get(point.words()[word++])));
        }
        return new Setting(values);
    }

    /**
     * What came of a prediction.
     *
     * @param reward finite; more is better
     * @return whether it was learnt from; false if the round was rewarded already or the tree has moved the context elsewhere
     * @throws AutoTuneException with {@link AutoTuneError#STALE_REWARD} if no prediction waits for it
     */
    public synchronized boolean setReward(String requestId, double reward) {
        if (!Double.isFinite(reward)) {
            throw AutoTuneError.BAD_REQUEST.because("the reward is " + reward);
        }
        Pending waiting = pending.remove(requestId);
        if (waiting == null) {
            throw AutoTuneError.STALE_REWARD.because("request " + requestId);
        }
        if (waiting.round() != rounds[waiting.leaf()] || !scope.reward(waiting.context(), waiting.leaf(), reward)) {
            return false;
        }
        rounds[waiting.leaf()]++;
        return true;
    }

    /** What it holds for best in a context. */
    public synchronized Setting best(Map<String, Double> context) {
        return setting(scope.centre(scaled(context)));
    }

    /** How many rewards it has learnt from. */
    public synchronized long rounds() {
        long sum = 0;
        for (long round : rounds) {
            sum += round;
        }
        return sum;
    }

    /** The rules of the tree, for people; one leaf that takes all if there is no context. */
    public synchronized List<String> rules() {
        return scope.rules(features.stream().map(Feature::name).toList());
    }

    /** All that is needed to go on later, as JSON. */
    public synchronized String toJson() {
        var json = new JsonObject();
        json.add("knobs", Json.array(knobs.stream().map(Json::of).toList()));
        json.add("start", Json.of(start));
        json.addProperty("algorithm", algorithm.name());
        json.add("features", Json.array(features.stream().map(Json::tree).toList()));
        json.addProperty("seed", seed);
        json.addProperty("requests", requests);
        json.add("scope", Json.tree(scope.state()));
        var pendings = new JsonObject();
        pending.forEach((id, waiting) -> pendings.add(id, Json.tree(waiting)));
        json.add("pending", pendings);
        var done = new com.google.gson.JsonArray();
        for (long round : rounds) {
            done.add(round);
        }
        json.add("rounds", done);
        return json.toString();
    }

    /**
     * Goes on where {@link #toJson} ended.
     *
     * @throws AutoTuneException with {@link AutoTuneError#BAD_STATE} or {@link AutoTuneError#BAD_REQUEST} if it is not what that wrote
     */
    public static Tuning fromJson(String text) {
        JsonObject json = Json.object(text);
        var knobs = new ArrayList<KnobSpec>();
        Json.array(json, "knobs").forEach(knob -> knobs.add(Json.knob(knob.getAsJsonObject())));
        var features = new ArrayList<Feature>();
        Json.array(json, "features").forEach(feature -> features.add(Json.read(feature, Feature.class)));
        Algorithm algorithm = Algorithm.valueOf(Json.text(json, "algorithm"));
        long seed = json.get("seed").getAsLong();
        var scope = new AutoScope(
                steps(algorithm),
                height(algorithm, features),
                algorithm != Algorithm.AUTOSCOPE,
                Json.read(json.get("scope"), AutoScope.State.class),
                seed);
        Setting start = Json.setting(Json.object(json, "start"));
        var tuning = new Tuning(knobs, start, algorithm, features, seed, scope);
        List<JsonElement> done = Json.array(json, "rounds");
        for (int i = 0; i < tuning.rounds.length && i < done.size(); i++) {
            tuning.rounds[i] = done.get(i).getAsLong();
        }
        tuning.requests = json.get("requests").getAsLong();
        JsonObject pendings = Json.object(json, "pending");
        pendings.keySet().forEach(id -> tuning.pending.put(id, Json.read(pendings.get(id), Pending.class)));
        return tuning;
    }
}
