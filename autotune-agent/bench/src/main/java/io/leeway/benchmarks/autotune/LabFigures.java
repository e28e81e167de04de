package io.leeway.benchmarks.autotune;

import com.google.gson.JsonObject;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.lab.Bottlenecks;
import io.leeway.autotune.lab.Method;
import io.leeway.autotune.lab.Study;
import io.leeway.autotune.lab.StudyOptions;
import io.leeway.autotune.lab.Trial;
import io.leeway.autotune.lab.internal.detect.Dataset;
import io.leeway.autotune.lab.internal.detect.Detector;
import io.leeway.autotune.lab.internal.detect.GraphDetector;
import io.leeway.autotune.lab.internal.detect.Scoring;
import io.leeway.autotune.lab.internal.detect.TraceSimulator;
import io.leeway.autotune.lab.internal.detect.VectorMachine;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes the figures of the lab: {@code search}, {@code short}, {@code detect}, {@code faults}, {@code reduce}, or all of
 * them; {@code record FILE} makes the recordings anew, {@code train FILE} the model that comes along. A Python with Optuna in
 * {@code LAB_PYTHON} is run beside; without one its figures are left as they are.
 */
public final class LabFigures {

    private static final List<String> PARTS = List.of("search", "short", "detect", "faults", "reduce");
    private static final int SEEDS = 20;
    private static final int TRIALS = 60;
    private static final int SHORT = 15;
    private static final int EPOCHS = 10;
    private static final Recorder RECORDER =
            Recorder.of("autotune-lab", "build/bench io.leeway.benchmarks.autotune.LabFigures");

    private LabFigures() {}

    /** Measures what is named. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 2 && arguments[0].equals("train")) {
            train(Path.of(arguments[1]));
            return;
        }
        if (arguments.length == 2 && arguments[0].equals("record")) {
            Recordings.record(Path.of(arguments[1]));
            return;
        }
        List<String> chosen = arguments.length == 0 ? PARTS : List.of(arguments);
        if (!PARTS.containsAll(chosen)) {
            throw new IllegalArgumentException("of " + chosen + " not all are among " + PARTS);
        }
        if (chosen.contains("search")) {
            search(TRIALS, Arrays.asList(Method.values()));
        }
        if (chosen.contains("short")) {
            search(SHORT, Arrays.asList(Method.values()));
        }
        if (chosen.contains("detect")) {
            detect();
        }
        if (chosen.contains("faults")) {
            new FaultFigures(RECORDER).measure();
        }
        if (chosen.contains("reduce")) {
            new ReductionFigures(RECORDER).measure();
        }
    }

    /** The model that comes along: simulation, and the recordings that are kept. The same ones, the same model. */
    private static void train(Path model) throws IOException {
        Path recordings = Recordings.unpacked();
        try {
            Bottlenecks.train(
                    model,
                    new Bottlenecks.Simulated(24, 800, 0.3),
                    List.of(recordings.resolve(Recordings.LEARNT)),
                    10,
                    1,
                    System.out::println);
        } finally {
            Recordings.remove(recordings);
        }
    }

    /** What a method reached on a function, and what it cost. */
    private record Reached(double median, double lower, double upper, double cpuSeconds) {}

    private static void search(int trials, List<Method> methods) throws IOException, InterruptedException {
        JsonObject optuna = optuna(trials);
        for (Functions function : Functions.values()) {
            Double peer = null;
            if (optuna != null) {
                JsonObject theirs = Json.object(optuna, function.title());
                double[] finals = Json.array(theirs, "finals").stream()
                        .mapToDouble(value -> value.getAsDouble())
                        .sorted()
                        .toArray();
                peer = finals[3 * finals.length / 4];
                String version = "Optuna " + Json.text(optuna, "version");
                RECORDER.record(
                                name(function, trials, "Optuna's TPE"),
                                Json.number(theirs, "median"),
                                "regret",
                                null,
                                Better.LOWER,
                                version)
                        .record(
                                "CPU time of " + trials + " suggestions, " + function.title() + ", Optuna's TPE",
                                Json.number(theirs, "cpu"),
                                "s",
                                null,
                                Better.LOWER,
                                version);
            }
            for (Method method : methods) {
                record(function, method, trials, peer);
            }
        }
    }

    private static String name(Functions function, int trials, String method) {
        return function.title() + ", " + trials + " trials, " + method;
    }

    /** The goal is the upper quartile of Optuna's runs: a median at or below it is within their noise. */
    private static void record(Functions function, Method method, int trials, @Nullable Double peer)
            throws IOException {
        Reached reached = reached(function, method, trials);
        System.out.printf(
                Locale.ROOT,
                "%-14s %-10s %d: %.3f [%.3f %.3f] %.3f s%n",
                function.title(),
                method,
                trials,
                reached.median(),
                reached.lower(),
                reached.upper(),
                reached.cpuSeconds());
        // Only methods that a user is told to take have a goal; the others are there to be compared.
        boolean isRecommended = method == Method.GP || method == Method.HYBRID || method == Method.TPE;
        String peers = peer == null ? "" : "upper quartile of Optuna's TPE";
        String shown = method.name().toLowerCase(Locale.ROOT);
        RECORDER.record(
                name(function, trials, shown),
                reached.median(),
                "regret",
                isRecommended ? peer : null,
                Better.LOWER,
                isRecommended ? peers : "");
        if (trials == TRIALS) {
            RECORDER.record(
                    "CPU time of " + trials + " suggestions, " + function.title() + ", " + shown,
                    reached.cpuSeconds(),
                    "s",
                    0.3,
                    Better.LOWER,
                    "");
        }
    }

    private static Reached reached(Functions function, Method method, int trials) {
        var clock = ManagementFactory.getThreadMXBean();
        double[] finals = new double[SEEDS];
        double[] cpu = new double[SEEDS];
        for (int seed = 1; seed <= SEEDS; seed++) {
            Study study = Study.of(
                    function.space(),
                    StudyOptions.defaults().with(method).budget(trials).seed(seed));
            var random = new Random(seed);
            long spent = 0;
            for (int i = 0; i < trials; i++) {
                long begun = clock.getCurrentThreadCpuTime();
                Trial trial = study.ask();
                spent += clock.getCurrentThreadCpuTime() - begun;
                study.tell(trial.number(), function.measured(trial.setting(), seed, random));
            }
            finals[seed - 1] = function.regret(seed)
                    .applyAsDouble(study.bestTrial().orElseThrow().setting());
            cpu[seed - 1] = spent / 1e9;
        }
        Arrays.sort(finals);
        Arrays.sort(cpu);
        return new Reached(finals[SEEDS / 2], finals[SEEDS / 4], finals[3 * SEEDS / 4], cpu[SEEDS / 2]);
    }

    private static @Nullable JsonObject optuna(int trials) throws IOException, InterruptedException {
        String python = System.getenv("LAB_PYTHON");
        if (python == null) {
            System.out.println("no LAB_PYTHON: Optuna is left out");
            return null;
        }
        Path script = Files.createTempFile("autotune-functions-", ".py");
        Path output = Files.createTempFile("autotune-functions-", ".json");
        try (InputStream in = LabFigures.class.getResourceAsStream("functions.py")) {
            Files.copy(java.util.Objects.requireNonNull(in), script, StandardCopyOption.REPLACE_EXISTING);
            Process process = new ProcessBuilder(
                            python, script.toString(), Integer.toString(SEEDS), Integer.toString(trials))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(15, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("Optuna did not end well");
            }
            return Json.object(Files.readString(output));
        } finally {
            Files.delete(script);
            Files.delete(output);
        }
    }

    /**
     * Baseline and network on held-out traces and on held-out applications, at three ratios. What models see was chosen while
     * the first held-out applications were looked at; the others were drawn afterwards.
     */
    private static void detect() throws IOException {
        for (double ratio : new double[] {0.3, 0.1, 0.01}) {
            // Of what is rare, more traces are needed to have any.
            int traces = ratio > 0.2 ? 800 : ratio > 0.05 ? 2_000 : 8_000;
            List<Dataset> parts = Dataset.simulated(24, traces, ratio, 1).split(0.8);
            var tests = new LinkedHashMap<String, Dataset>();
            tests.put("held-out traces", parts.get(1));
            tests.put("held-out applications", Dataset.simulated(8, traces, ratio, 99));
            tests.put("drawn applications", Dataset.simulated(8, traces, ratio, Recordings.DRAWN_SEED));
            var machine = VectorMachine.train(parts.get(0), 1);
            GraphDetector network = GraphDetector.train(parts.get(0), EPOCHS, 1, "figures", System.out::println);
            for (var test : tests.entrySet()) {
                String where = test.getKey() + ", ratio " + ratio;
                Scoring baseline = record(where, "SVM", machine, test.getValue(), null);
                record(where, "network", network, test.getValue(), baseline);
            }
        }
    }

    private static Scoring record(String where, String who, Detector detector, Dataset test, @Nullable Scoring baseline)
            throws IOException {
        Scoring scoring = Scoring.of(detector, test);
        System.out.println(where + ", " + who + ": " + scoring);
        boolean isNetwork = baseline != null;
        boolean isRare = where.endsWith("0.01");
        // What is left of the paper's tables: dataset B (0.1) and C (0.01) of the social network.
        share("recall of bottlenecks, " + where + ", " + who, scoring.recall(), goal(isNetwork, isRare ? 0.67 : 0.78));
        share("recall of others, " + where + ", " + who, scoring.normalRecall(), goal(isNetwork && !isRare, 0.81));
        share("precision of bottlenecks, " + where + ", " + who, scoring.precision(), null);
        share("precision of others, " + where + ", " + who, scoring.normalPrecision(), null);
        double ratio = Double.parseDouble(where.substring(where.lastIndexOf(' ') + 1));
        share(
                "precision of both classes at as many spans, " + where + ", " + who,
                (scoring.precisionAt(ratio) + scoring.normalPrecisionAt(ratio)) / 2,
                goal(isNetwork && !isRare, 0.74));
        share(
                "recall of both classes, " + where + ", " + who,
                (scoring.recall() + scoring.normalRecall()) / 2,
                goal(isNetwork && !isRare, 0.8));
        share("accuracy, " + where + ", " + who, scoring.accuracy(), goal(isNetwork && isRare, 0.71));
        for (TraceSimulator.Anomaly anomaly : TraceSimulator.Anomaly.values()) {
            String kind = anomaly.name().toLowerCase(Locale.ROOT);
            Double least = baseline == null || anomaly != TraceSimulator.Anomaly.CASCADING
                    ? null
                    : baseline.exact().get(anomaly);
            RECORDER.record(
                            "most suspect span is the cause, " + kind + ", " + where + ", " + who,
                            scoring.exact().getOrDefault(anomaly, 0.0),
                            "share",
                            least,
                            Better.HIGHER,
                            least == null ? "" : "the SVM")
                    .record(
                            "innocent spans named in a trace, " + kind + ", " + where + ", " + who,
                            scoring.falseAlarms().getOrDefault(anomaly, 0.0),
                            "spans",
                            null,
                            Better.LOWER,
                            "");
        }
        return scoring;
    }

    private static @Nullable Double goal(boolean isOne, double goal) {
        return isOne ? goal : null;
    }

    private static void share(String name, double value, @Nullable Double goal) throws IOException {
        RECORDER.record(name, value, "share", goal, Better.HIGHER, "");
    }
}
