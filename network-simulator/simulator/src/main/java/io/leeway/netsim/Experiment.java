package io.leeway.netsim;

import static io.leeway.netsim.ExperimentFile.between;
import static io.leeway.netsim.ExperimentFile.whole;

import java.nio.file.Path;
import java.util.Optional;

/**
 * An experiment as a file describes it: checked as a whole before anything runs.
 *
 * <pre>{@code
 * Report report = Experiment.parse(Files.readString(file), file.getParent()).run(done -> {});
 * report.writeTo(Path.of("report"));
 * }</pre>
 */
public sealed interface Experiment permits JobExperiment, TimelineExperiment, TrainingExperiment {

    /**
     * Reads one.
     *
     * @param yaml the text of the file
     * @param directory what paths in it are relative to
     * @throws ExperimentFileException all that is wrong with it
     */
    static Experiment parse(String yaml, Path directory) throws ExperimentFileException {
        ExperimentFile file = new ExperimentFile(yaml);
        if (!file.has(ExperimentKey.STUDY)) {
            file.throwProblems();
            file.problem(
                    NetsimError.NS04,
                    1,
                    "study is missing; begin with `study: jobs`, `study: timeline` or `study: training`");
            file.throwProblems();
        }
        String study = file.one(
                ExperimentKey.STUDY,
                "jobs",
                text -> Optional.of(text).filter(word -> word.matches("jobs|timeline|training")));
        Head head = new Head(
                file.one(ExperimentKey.TITLE, "", Optional::of),
                file.one(ExperimentKey.ABOUT, "", Optional::of),
                file.one(ExperimentKey.SEED, 1, whole(0, Integer.MAX_VALUE)));
        Experiment experiment = switch (study) {
            case "jobs" -> JobExperiment.read(file, head, directory);
            case "timeline" -> TimelineExperiment.read(file, head);
            default -> TrainingExperiment.read(file, head, directory);
        };
        file.check(study);
        return experiment;
    }

    /** Runs all its cases. Deterministic: the same file has the same report, on any number of cores. */
    Report run(Progress progress);

    /** Told how far a run is. */
    interface Progress {

        /** A case is done; called by one thread at a time. */
        void done(double share);
    }

    /** Rates: a number and {@code Gbps} or {@code Mbps}. */
    static Optional<Double> rate(String text) {
        if (!text.matches("\\d{1,6}(\\.\\d{1,3})?[GM]bps")) {
            return Optional.empty();
        }
        double number = Double.parseDouble(text.substring(0, text.length() - 4));
        double rate = number * (text.contains("G") ? 1e9 : 1e6);
        return Optional.of(rate).filter(value -> value >= 1e6 && value <= 1e13);
    }

    /** Delays in picoseconds. */
    static Optional<Long> delay(String text) {
        if (!text.matches("\\d{1,9}(\\.\\d{1,3})?(us|ns)")) {
            return Optional.empty();
        }
        double number = Double.parseDouble(text.substring(0, text.length() - 2));
        return Optional.of(Math.round(number * (text.endsWith("us") ? 1e6 : 1e3)));
    }

    /** For numbers between. */
    static Optional<Double> share(String text) {
        return between(0, 1).apply(text);
    }
}
