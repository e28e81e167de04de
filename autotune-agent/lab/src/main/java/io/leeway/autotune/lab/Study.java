package io.leeway.autotune.lab;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.lab.internal.forest.Importance;
import io.leeway.autotune.lab.internal.search.History;
import io.leeway.autotune.lab.internal.search.Optimizer;
import io.leeway.autotune.lab.internal.search.Optimizers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A search by asking and telling: {@link #ask} gives a configuration, whoever asks measures it, {@link #tell} says what
 * came of it; lower is better. The first configuration is the one without tuning. Several trials may run at once, and be
 * told in any order.
 *
 * <pre>{@code
 * var study = Study.of(Space.of(Parameter.integer("threads", 1, 64, 8)), StudyOptions.defaults());
 * for (int i = 0; i < 15; i++) {
 *     Trial trial = study.ask();
 *     study.tell(trial.number(), measure(trial.setting()));
 * }
 * Setting best = study.bestTrial().orElseThrow().setting();
 * }</pre>
 *
 * <p>What is asked next follows from the trials and the seed alone, so that a study read from {@link #toJson} goes on
 * exactly as the one that wrote it. Thread-safe.
 *
 * @since 0.1
 */
public final class Study {

    private final Space space;
    private final StudyOptions options;
    private final Optimizer optimizer;
    private final List<Trial> trials = new ArrayList<>();
    private final List<Setting> waiting = new ArrayList<>();

    private Study(Space space, StudyOptions options) {
        this.space = space;
        this.options = options;
        this.optimizer = Optimizers.of(options.method());
    }

    /** A new study. */
    public static Study of(Space space, StudyOptions options) {
        return new Study(space, options);
    }

    /** What is searched. */
    public Space space() {
        return space;
    }

    /** How. */
    public StudyOptions options() {
        return options;
    }

    /**
     * The next configuration to measure.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_RANGE} if no configuration was found
     *     that keeps the constraints
     */
    public synchronized Trial ask() {
        Setting setting;
        if (!waiting.isEmpty()) {
            setting = waiting.remove(0);
        } else if (trials.isEmpty() && space.allows(space.standard())) {
            setting = space.standard();
        } else {
            double[] point = Optimizers.next(optimizer, history());
            if (point == null) {
                throw AutoTuneError.BAD_RANGE.because("no configuration was found that keeps " + space.constraints());
            }
            setting = space.setting(point);
        }
        var trial = new Trial(trials.size(), setting, new Trial.Running());
        trials.add(trial);
        return trial;
    }

    /** Has a configuration of one's own tried next; several wait in their order. */
    public synchronized void enqueue(Setting setting) {
        waiting.add(space.checked(setting));
    }

    /** What came of a trial; see {@link #tell(int, Trial.Outcome)}. */
    public void tell(int number, double value) {
        tell(number, new Trial.Complete(value, Map.of(), List.of()));
    }

    /** A trial could not be measured. */
    public void fail(int number, String reason) {
        tell(number, new Trial.Failed(reason));
    }

    /**
     * What came of a trial.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#STALE_REWARD} if the trial was told
     *     already or never asked for, with {@link AutoTuneError#BAD_VALUE} if the value is not finite
     */
    public synchronized void tell(int number, Trial.Outcome outcome) {
        if (outcome instanceof Trial.Complete complete && !Double.isFinite(complete.value())) {
            throw AutoTuneError.BAD_VALUE.because(
                    "a measured value is finite, not " + complete.value() + "; a trial without one has failed");
        }
        if (number < 0 || number >= trials.size() || !(trials.get(number).outcome() instanceof Trial.Running)) {
            throw AutoTuneError.STALE_REWARD.because("trial " + number + " does not run");
        }
        trials.set(number, trials.get(number).with(outcome));
    }

    /** All trials so far. */
    public synchronized List<Trial> trials() {
        return List.copyOf(trials);
    }

    /** The best trial that keeps all limits. */
    public synchronized Optional<Trial> bestTrial() {
        return trials.stream().filter(Trial::mayBeBest).min(Comparator.comparingDouble(Trial::value));
    }

    /**
     * How much of the variance each parameter explains by itself, in [0, 1], highest first: functional analysis of
     * variance of a forest. All 0 with fewer than four measured trials.
     */
    public synchronized Map<String, Double> importances() {
        List<Trial> measured = trials.stream()
                .filter(trial -> trial.outcome() instanceof Trial.Complete)
                .toList();
        double[][] points =
                measured.stream().map(trial -> space.point(trial.setting())).toArray(double[][]::new);
        // Shares are the same at any scale; squares of very large numbers would be none.
        double largest = measured.stream()
                .mapToDouble(trial -> Math.abs(trial.value()))
                .max()
                .orElse(0);
        double scale = largest > 1e100 ? largest : 1;
        double[] values =
                measured.stream().mapToDouble(trial -> trial.value() / scale).toArray();
        double[] shares = points.length == 0 ? new double[space.size()] : Importance.of(points, values, options.seed());
        var byName = new LinkedHashMap<String, Double>();
        Integer[] order = new Integer[space.size()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> -shares[i]));
        for (int i : order) {
            byName.put(space.parameters().get(i).name(), shares[i]);
        }
        return byName;
    }

    private History history() {
        double[] values = trials.stream()
                .filter(Trial::mayBeBest)
                .mapToDouble(Trial::value)
                .toArray();
        double best = Arrays.stream(values).min().orElse(0);
        double worst = Arrays.stream(values).max().orElse(0);
        // Some tell the largest number that there is for a disaster: what is worse than that is as bad.
        double bad = Double.isNaN(options.failedScore())
                ? Math.min(Double.MAX_VALUE, worst + Math.max(0.5 * (worst - best), 1e-3 * Math.abs(worst)))
                : options.failedScore();
        double[] scores = new double[trials.size()];
        boolean[] good = new boolean[trials.size()];
        var points = new ArrayList<double[]>();
        for (int i = 0; i < scores.length; i++) {
            Trial trial = trials.get(i);
            points.add(space.point(trial.setting()));
            good[i] = trial.mayBeBest();
            scores[i] = good[i] ? trial.value() : score(trial, bad, worst);
        }
        return new History(space, options.budget(), options.seed(), points, scores, good);
    }

    /** One that runs counts like the worst, so that the next is not asked for beside it. */
    private static double score(Trial trial, double bad, double worst) {
        return trial.outcome() instanceof Trial.Running ? worst : bad;
    }

    /** All of it, to go on later. */
    public synchronized String toJson() {
        JsonObject json = SpaceJson.of(space);
        json.addProperty("method", options.method().name());
        json.addProperty("budget", options.budget());
        json.addProperty("seed", Long.toString(options.seed()));
        if (!Double.isNaN(options.failedScore())) {
            json.addProperty("failedScore", options.failedScore());
        }
        var told = new JsonArray();
        trials.forEach(trial -> told.add(SpaceJson.of(trial)));
        json.add("trials", told);
        var asked = new JsonArray();
        waiting.forEach(setting -> asked.add(Json.of(setting)));
        json.add("waiting", asked);
        return json.toString();
    }

    /**
     * A study from such a text; without trials, a new one.
     *
     * @throws io.leeway.autotune.AutoTuneException if it is none
     */
    public static Study fromJson(String text) {
        JsonObject json = Json.object(text);
        var options = new StudyOptions(
                Method.of(Json.text(
                        json, "method", StudyOptions.defaults().method().name())),
                (int) Json.number(json, "budget", StudyOptions.BUDGET),
                seed(Json.text(json, "seed", "1")),
                Json.number(json, "failedScore", Double.NaN));
        var study = new Study(SpaceJson.space(json), options);
        Json.array(json, "trials").forEach(trial -> study.trials.add(SpaceJson.trial(trial.getAsJsonObject())));
        study.trials.forEach(trial -> study.space.point(trial.setting()));
        Json.array(json, "waiting").forEach(setting -> study.enqueue(Json.setting(setting.getAsJsonObject())));
        return study;
    }

    private static long seed(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw AutoTuneError.BAD_REQUEST.because("a seed is a whole number, not " + text, e);
        }
    }
}
