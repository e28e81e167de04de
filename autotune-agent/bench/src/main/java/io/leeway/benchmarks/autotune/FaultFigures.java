package io.leeway.benchmarks.autotune;

import io.leeway.autotune.lab.internal.detect.Dataset;
import io.leeway.autotune.lab.internal.detect.Detector;
import io.leeway.autotune.lab.internal.detect.Diagnosis;
import io.leeway.autotune.lab.internal.detect.GraphDetector;
import io.leeway.autotune.lab.internal.detect.Recording;
import io.leeway.autotune.lab.internal.detect.Scoring;
import io.leeway.autotune.lab.internal.detect.VectorMachine;
import io.leeway.autotune.services.Mesh;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Detection on faults that are injected into real applications of 7 to 11 services: a model that learnt in simulation
 * only, one that also learnt from recordings of five applications, and the baseline that learnt from the same; tested on
 * recordings of two applications of other graphs. Recordings are kept in {@code LAB_RECORDINGS}, if it is set.
 */
final class FaultFigures {

    private static final int LEARNT = 5;
    private static final int UNSEEN = 2;
    private static final int EPOCHS = 8;

    private final Recorder recorder;

    FaultFigures(Recorder recorder) {
        this.recorder = recorder;
    }

    /** Where recordings are. */
    static Path directory() throws IOException {
        String given = System.getenv("LAB_RECORDINGS");
        return given == null ? Files.createTempDirectory("autotune-recordings-") : Path.of(given);
    }

    /** Makes the recordings that are not there yet. */
    static void record(Path directory) throws IOException, InterruptedException {
        for (int i = 0; i < LEARNT + UNSEEN; i++) {
            String name = i < LEARNT ? "learnt/application-" + i : "unseen/application-" + i;
            FaultRecorder.record(directory.resolve(name), Mesh.random(7 + i % 5, 100 + i), i);
        }
    }

    void measure() throws IOException, InterruptedException {
        Path directory = directory();
        record(directory);
        List<Recording> learnt = Recording.below(directory.resolve("learnt"));
        List<Recording> unseen = Recording.below(directory.resolve("unseen"));
        System.out.println("learnt: " + Recording.told(learnt));
        System.out.println("unseen: " + Recording.told(unseen));
        Dataset simulated = Dataset.simulated(16, 500, 0.3, 1);
        Dataset both = simulated.with(Recording.dataset(learnt, 1), 1);
        Dataset test = Recording.dataset(unseen, 1);
        score("network, simulation only", GraphDetector.train(simulated, EPOCHS, 1, "simulation", text -> {}), test);
        GraphDetector network = GraphDetector.train(both, EPOCHS, 1, "both", System.out::println);
        score("network, simulation and real faults", network, test);
        score("SVM, simulation and real faults", VectorMachine.train(both, 1), test);
        diagnose(network, unseen);
    }

    private void score(String who, Detector detector, Dataset test) throws IOException {
        Scoring scoring = Scoring.of(detector, test);
        System.out.println(who + ": " + scoring);
        boolean isOurs = who.startsWith("network, simulation and");
        String where = "real faults, held-out applications, " + who;
        record("recall of bottlenecks, " + where, scoring.recall(), isOurs ? 0.78 : null);
        record("recall of others, " + where, scoring.normalRecall(), isOurs ? 0.81 : null);
        record("precision of bottlenecks, " + where, scoring.precision(), null);
        record("precision of others, " + where, scoring.normalPrecision(), null);
        record("accuracy, " + where, scoring.accuracy(), null);
        scoring.exact().forEach((anomaly, share) -> {
            String kind = anomaly.name().toLowerCase(java.util.Locale.ROOT);
            put("most suspect span is the cause, " + kind + ", " + where, share, null);
        });
    }

    /** As a user sees it: of each time with a fault, whether the first of the suspects is one of the culprits. */
    private void diagnose(GraphDetector network, List<Recording> recordings) throws IOException {
        var right = new TreeMap<String, List<Boolean>>();
        var quiet = new ArrayList<Boolean>();
        for (Recording recording : recordings) {
            for (Recording.Case one : recording.cases()) {
                Diagnosis diagnosis = Diagnosis.of(one.traces(), recording.usual(), network);
                if (one.culprits().isEmpty()) {
                    quiet.add(diagnosis.suspects().isEmpty());
                    continue;
                }
                boolean isRight = !diagnosis.suspects().isEmpty()
                        && one.culprits().contains(diagnosis.suspects().get(0).instance());
                String kind = one.culprits().size() > 1 ? "several" : one.fault();
                right.computeIfAbsent(kind, name -> new ArrayList<>()).add(isRight);
                right.computeIfAbsent("all", name -> new ArrayList<>()).add(isRight);
                System.out.println(recording.application() + " " + one.fault() + " " + one.anomaly() + " "
                        + one.culprits() + ": " + diagnosis.anomalous() + " of " + diagnosis.traces() + ", "
                        + diagnosis.suspects().stream()
                                .map(suspect -> suspect.instance() + " " + Math.round(100 * suspect.score()))
                                .toList());
            }
        }
        for (Map.Entry<String, List<Boolean>> kind : right.entrySet()) {
            record("first suspect is a culprit, real faults, " + kind.getKey(), share(kind.getValue()), null);
        }
        record("nobody is named, real application without a fault", share(quiet), null);
    }

    private static double share(List<Boolean> answers) {
        return answers.stream().filter(answer -> answer).count() / Math.max(1.0, answers.size());
    }

    private void put(String name, double share, @org.jspecify.annotations.Nullable Double goal) {
        try {
            record(name, share, goal);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void record(String name, double share, @org.jspecify.annotations.Nullable Double goal) throws IOException {
        recorder.record(name, share, "share", goal, Better.HIGHER, "");
    }
}
