package io.leeway.benchmarks.autotune;

import io.leeway.autotune.lab.internal.detect.Dataset;
import io.leeway.autotune.lab.internal.detect.Detector;
import io.leeway.autotune.lab.internal.detect.Diagnosis;
import io.leeway.autotune.lab.internal.detect.GraphDetector;
import io.leeway.autotune.lab.internal.detect.Recording;
import io.leeway.autotune.lab.internal.detect.Scoring;
import io.leeway.autotune.lab.internal.detect.VectorMachine;
import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Detection on faults that are injected into real applications of 7 to 11 services: a model that learnt in simulation
 * only, one that also learnt from recordings of five applications, and the baseline that learnt from the same; tested on
 * recordings of two applications of other graphs, and of two whose graphs were drawn when all was chosen.
 */
final class FaultFigures {

    private static final int EPOCHS = 8;

    private final Recorder recorder;

    FaultFigures(Recorder recorder) {
        this.recorder = recorder;
    }

    void measure() throws IOException {
        Path directory = Recordings.unpacked();
        try {
            measure(directory);
        } finally {
            Recordings.remove(directory);
        }
    }

    private void measure(Path directory) throws IOException {
        List<Recording> learnt = Recording.below(directory.resolve(Recordings.LEARNT));
        System.out.println("learnt: " + Recording.told(learnt));
        Dataset simulated = Dataset.simulated(16, 500, 0.3, 1);
        Dataset both = simulated.with(Recording.dataset(learnt, 1), 1);
        GraphDetector simulation = GraphDetector.train(simulated, EPOCHS, 1, "simulation", text -> {});
        GraphDetector network = GraphDetector.train(both, EPOCHS, 1, "both", System.out::println);
        VectorMachine machine = VectorMachine.train(both, 1);
        for (String group : List.of(Recordings.UNSEEN, Recordings.DRAWN)) {
            List<Recording> others = Recording.below(directory.resolve(group));
            System.out.println(group + ": " + Recording.told(others));
            Dataset test = Recording.dataset(others, 1);
            String where =
                    "real faults, " + (group.equals(Recordings.DRAWN) ? "drawn applications" : "held-out applications");
            score(where, "network, simulation only", simulation, test);
            score(where, "network, simulation and real faults", network, test);
            score(where, "SVM, simulation and real faults", machine, test);
            diagnose(where, network, others);
        }
    }

    private void score(String place, String who, Detector detector, Dataset test) throws IOException {
        Scoring scoring = Scoring.of(detector, test);
        System.out.println(place + ", " + who + ": " + scoring);
        boolean isOurs = who.startsWith("network, simulation and");
        String where = place + ", " + who;
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
    private void diagnose(String where, GraphDetector network, List<Recording> recordings) throws IOException {
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
            record("first suspect is a culprit, " + where + ", " + kind.getKey(), share(kind.getValue()), null);
        }
        record("nobody is named, " + where + ", without a fault", share(quiet), null);
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
