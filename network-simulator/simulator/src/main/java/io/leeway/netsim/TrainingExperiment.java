package io.leeway.netsim;

import static io.leeway.netsim.ExperimentFile.between;
import static io.leeway.netsim.ExperimentFile.whole;

import io.leeway.netsim.internal.training.Cluster;
import io.leeway.netsim.internal.training.Iteration;
import io.leeway.netsim.internal.training.Mechanism;
import io.leeway.netsim.internal.training.Model;
import io.leeway.netsim.internal.training.Models;
import io.leeway.netsim.internal.training.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Mechanisms of distributed training beside each other, over models, workers, rates and processors. */
record TrainingExperiment(
        String title,
        List<Model> models,
        List<Mechanism> mechanisms,
        List<Integer> workers,
        List<Double> rates,
        List<Double> speeds,
        Cluster cluster)
        implements Experiment {

    static TrainingExperiment read(ExperimentFile file, String title, int seed, Path directory) {
        List<Mechanism> mechanisms = file.all(ExperimentKey.MECHANISMS, Mechanism::of);
        List<Integer> workers = file.all(ExperimentKey.WORKERS, whole(2, 512));
        if (mechanisms.contains(Mechanism.BUTTERFLY)
                && workers.stream().anyMatch(count -> Integer.bitCount(count) != 1)) {
            file.problem(
                    NetsimError.NS06,
                    file.lineOf(ExperimentKey.WORKERS),
                    "butterfly needs a power of two of workers; write 4, 8, 16, 32 or leave it out of the mechanisms");
        }
        int servers = file.one(ExperimentKey.SERVERS, 1, whole(1, 64));
        List<String> places = file.all(ExperimentKey.PLACEMENT, Optional::of);
        boolean split = places.contains("even-split");
        List<Integer> placement = split || places.contains("round-robin")
                ? List.of()
                : file.all(ExperimentKey.PLACEMENT, whole(0, servers - 1));
        Cluster cluster = new Cluster(
                2,
                servers,
                1e9,
                1e-6,
                8L * file.one(ExperimentKey.SEGMENT, 131_072, whole(1_000, 100_000_000)),
                file.one(ExperimentKey.MESSAGING, true, TrainingExperiment::bool),
                split,
                placement,
                file.one(ExperimentKey.UNIT, Cluster.Unit.PARAMETER, TrainingExperiment::unit),
                file.one(ExperimentKey.JITTER, 0.0, between(0, 1)),
                seed);
        return new TrainingExperiment(
                title,
                file.all(ExperimentKey.MODELS, name -> model(file, name, directory)),
                mechanisms,
                workers,
                file.all(ExperimentKey.RATES, Experiment::rate),
                file.all(ExperimentKey.SPEEDS, between(0.01, 1_000)),
                cluster);
    }

    private static Optional<Boolean> bool(String text) {
        return text.matches("true|false") ? Optional.of(Boolean.parseBoolean(text)) : Optional.empty();
    }

    private static Optional<Cluster.Unit> unit(String text) {
        return switch (text) {
            case "parameter" -> Optional.of(Cluster.Unit.PARAMETER);
            case "segment" -> Optional.of(Cluster.Unit.SEGMENT);
            default -> Optional.empty();
        };
    }

    private static Optional<Model> model(ExperimentFile file, String name, Path directory) {
        if (Models.names().contains(name)) {
            return Optional.of(Models.of(name));
        }
        Path trace = directory.resolve(name);
        if (!Files.isDirectory(trace)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Traces.read(trace));
        } catch (IOException | IllegalArgumentException e) {
            file.problem(NetsimError.NS05, file.lineOf(ExperimentKey.MODELS), name + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private static final List<String> COLUMNS = List.of(
            "model",
            "mechanism",
            "workers",
            "Gbps",
            "speed",
            "seconds",
            "speedup",
            "staggering s",
            "switch memory Mb",
            "sent Gb");

    @Override
    public Report run(Progress progress) {
        List<List<String>> rows = new ArrayList<>();
        int all = models.size() * workers.size() * rates.size() * speeds.size() * mechanisms.size();
        long events = 0;
        for (Model model : models) {
            for (int count : workers) {
                for (double rate : rates) {
                    for (double speed : speeds) {
                        Cluster here = new Cluster(
                                count,
                                cluster.servers(),
                                rate,
                                cluster.latency(),
                                cluster.segment(),
                                cluster.messaging(),
                                cluster.evenSplit(),
                                cluster.placement(),
                                cluster.unit(),
                                cluster.jitter(),
                                cluster.seed());
                        Model faster = model.faster(speed);
                        double baseline = Double.NaN;
                        for (Mechanism mechanism : mechanisms) {
                            Iteration.Result result = Iteration.run(faster, here, mechanism);
                            baseline = mechanism == Mechanism.BASELINE ? result.seconds() : baseline;
                            events += result.events();
                            rows.add(List.of(
                                    model.name(),
                                    mechanism.key(),
                                    Report.number(count),
                                    Report.number(rate / 1e9),
                                    Report.number(speed),
                                    Report.number(result.seconds()),
                                    Report.number(baseline / result.seconds()),
                                    Report.number(result.staggering()),
                                    Report.number(result.switchBits() / 1e6),
                                    Report.number(result.bitsUp() / 1e9)));
                            progress.done((double) rows.size() / all);
                        }
                    }
                }
            }
        }
        return new Report(title, COLUMNS, rows, plots(), events, 0);
    }

    private List<Report.Plot> plots() {
        String x = workers.size() > 1 ? "workers" : rates.size() > 1 ? "Gbps" : speeds.size() > 1 ? "speed" : "model";
        if (models.size() > 1 && !x.equals("model")) {
            return List.of();
        }
        return List.of(
                new Report.Plot("Iteration time", x, "seconds", "mechanism"),
                new Report.Plot("Speed-up over parameter servers", x, "speedup", "mechanism"));
    }
}
