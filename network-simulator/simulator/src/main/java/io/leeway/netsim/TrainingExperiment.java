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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Mechanisms of distributed training beside each other, over models, workers, servers, rates and processors. */
record TrainingExperiment(
        Head head,
        List<Model> models,
        List<Mechanism> mechanisms,
        List<Integer> workers,
        List<Integer> servers,
        List<Double> rates,
        List<Double> speeds,
        List<Boolean> barriers,
        double skew,
        Cluster cluster,
        List<Check> checks)
        implements Experiment {

    private static final Pattern SKEW = Pattern.compile("skew (0?\\.\\d{1,4}|1)");
    private static final List<String> KEYS =
            List.of("model", "mechanism", "workers", "servers", "Gbps", "speed", "barrier");
    private static final List<String> COLUMNS = List.of(
            "model",
            "mechanism",
            "workers",
            "servers",
            "Gbps",
            "speed",
            "barrier",
            "seconds",
            "speedup",
            "staggering s",
            "switch memory Mb",
            "sent Gb");

    static TrainingExperiment read(ExperimentFile file, Head head, Path directory) {
        List<Mechanism> mechanisms = file.swept(ExperimentKey.MECHANISMS, Mechanism::of);
        List<Integer> workers = file.swept(ExperimentKey.WORKERS, whole(2, 512));
        if (mechanisms.contains(Mechanism.BUTTERFLY)
                && workers.stream().anyMatch(count -> Integer.bitCount(count) != 1)) {
            file.problem(
                    NetsimError.NS06,
                    file.lineOf(ExperimentKey.WORKERS),
                    "butterfly needs a power of two of workers; write 4, 8, 16, 32 or leave it out of the mechanisms");
        }
        List<Integer> servers = file.swept(ExperimentKey.SERVERS, whole(1, 64));
        List<String> places = file.all(ExperimentKey.PLACEMENT, Optional::of);
        boolean split = places.contains("even-split");
        double skew = 0;
        List<Integer> placement = List.of();
        Matcher skewed = SKEW.matcher(places.isEmpty() ? "" : places.get(0));
        if (skewed.matches()) {
            skew = Double.parseDouble(skewed.group(1));
            refuseImpossible(file, skew, servers);
        } else if (!split && !places.contains("round-robin")) {
            int fewest = servers.stream().mapToInt(Integer::intValue).min().orElse(1);
            placement = file.all(ExperimentKey.PLACEMENT, whole(0, fewest - 1));
        }
        Cluster cluster = new Cluster(
                2,
                64,
                1e9,
                1e-6,
                8L * file.one(ExperimentKey.SEGMENT, 131_072, whole(1_000, 100_000_000)),
                file.one(ExperimentKey.MESSAGING, true, TrainingExperiment::bool),
                split,
                placement,
                true,
                file.one(ExperimentKey.UNIT, Cluster.Unit.PARAMETER, TrainingExperiment::unit),
                file.one(ExperimentKey.JITTER, 0.0, between(0, 1)),
                head.seed());
        return new TrainingExperiment(
                head,
                file.all(ExperimentKey.MODELS, name -> model(file, name, directory)),
                mechanisms,
                workers,
                servers,
                file.swept(ExperimentKey.RATES, Experiment::rate),
                file.swept(ExperimentKey.SPEEDS, between(0.01, 1_000)),
                file.swept(ExperimentKey.BARRIER, TrainingExperiment::bool),
                skew,
                cluster,
                JobKeys.checks(file, COLUMNS));
    }

    /** The fullest of several servers has at least its even share. */
    private static void refuseImpossible(ExperimentFile file, double skew, List<Integer> servers) {
        for (int count : servers) {
            if (count > 1 && skew * count < 1) {
                file.problem(
                        NetsimError.NS06,
                        file.lineOf(ExperimentKey.PLACEMENT),
                        "the fullest of " + count + " servers has at least a share of " + Report.number(1.0 / count)
                                + ", not " + Report.number(skew) + "; write a larger one, or round-robin");
            }
        }
    }

    private static Optional<Boolean> bool(String text) {
        return text.matches("true|false") ? Optional.of(Boolean.parseBoolean(text)) : Optional.empty();
    }

    private static Optional<Cluster.Unit> unit(String text) {
        return Optional.of(Cluster.Unit.valueOf(text.toUpperCase(Locale.ROOT)));
    }

    private static Optional<Model> model(ExperimentFile file, String name, Path directory) {
        if (Models.has(name)) {
            return Optional.of(Models.of(name));
        }
        Path trace = directory.resolve(name);
        if (!Files.isDirectory(trace)) {
            return Optional.empty();
        }
        try {
            // As the file calls it: what a report says must not depend on where the files are.
            return Optional.of(new Model(name, Traces.read(trace).tensors()));
        } catch (NoSuchFileException e) {
            Path missing = Path.of(e.getFile()).getFileName();
            return faulty(file, name + " has no " + missing + "; a trace is distribution.csv and aggregation.csv");
        } catch (IOException e) {
            return faulty(file, name + " cannot be read: " + e.getMessage() + "; check the rights of its files");
        } catch (IllegalArgumentException e) {
            return faulty(file, name + ": " + e.getMessage());
        }
    }

    /** Tells a fault, and gives any model: the file is refused, and is no name that cannot be. */
    private static Optional<Model> faulty(ExperimentFile file, String what) {
        file.problem(NetsimError.NS05, file.lineOf(ExperimentKey.MODELS), what);
        return Optional.of(Models.of(Models.names().get(0)));
    }

    private record Case(Model model, int workers, int servers, double rate, double speed, boolean barrier) {}

    private List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Model model : models) {
            for (int count : workers) {
                for (int server : servers) {
                    for (double rate : rates) {
                        for (double speed : speeds) {
                            barriers.forEach(
                                    barrier -> cases.add(new Case(model, count, server, rate, speed, barrier)));
                        }
                    }
                }
            }
        }
        return cases;
    }

    @Override
    public Report run(Progress progress) {
        List<Case> cases = cases();
        AtomicInteger done = new AtomicInteger();
        AtomicLong events = new AtomicLong();
        List<List<String>> rows = cases.parallelStream()
                .map(one -> {
                    List<List<String>> of = rows(one, events);
                    synchronized (done) {
                        progress.done((double) done.incrementAndGet() / cases.size());
                    }
                    return of;
                })
                .flatMap(List::stream)
                .toList();
        List<Report.Verdict> verdicts =
                checks.stream().map(check -> check.judge(COLUMNS, KEYS, rows)).toList();
        return new Report(head.title(), head.about(), COLUMNS, rows, plots(), verdicts, events.get(), 0);
    }

    /** All mechanisms of a case; speed-ups are over parameter servers with the barrier, which are run if need be. */
    private List<List<String>> rows(Case one, AtomicLong events) {
        Model faster = one.model().faster(one.speed());
        Cluster here = cluster.of(one.workers(), one.rate(), one.barrier());
        if (cluster.evenSplit()) {
            here = here.servers(one.servers(), true);
        } else if (!cluster.placement().isEmpty()) {
            here = here.placement(one.servers(), cluster.placement());
        } else if (skew > 0) {
            here = here.placement(one.servers(), Cluster.skewed(faster, one.servers(), skew));
        } else {
            here = here.servers(one.servers(), false);
        }
        double baseline =
                Iteration.run(faster, here.barrier(true), Mechanism.BASELINE).seconds();
        List<List<String>> rows = new ArrayList<>();
        for (Mechanism mechanism : mechanisms) {
            Iteration.Result result = Iteration.run(faster, here, mechanism);
            events.addAndGet(result.events());
            rows.add(List.of(
                    one.model().name(),
                    mechanism.key(),
                    Report.number(one.workers()),
                    Report.number(one.servers()),
                    Report.number(one.rate() / 1e9),
                    Report.number(one.speed()),
                    String.valueOf(one.barrier()),
                    Report.number(result.seconds()),
                    Report.number(baseline / result.seconds()),
                    Report.number(result.staggering()),
                    Report.number(result.switchBits() / 1e6),
                    Report.number(result.bitsUp() / 1e9)));
        }
        return rows;
    }

    private List<Report.Plot> plots() {
        List<String> swept = new ArrayList<>();
        addIfSwept(swept, "workers", workers);
        addIfSwept(swept, "Gbps", rates);
        addIfSwept(swept, "speed", speeds);
        addIfSwept(swept, "servers", servers);
        addIfSwept(swept, "model", models);
        addIfSwept(swept, "barrier", barriers);
        String x = swept.isEmpty() ? "model" : swept.remove(0);
        List<String> series = new ArrayList<>(List.of("mechanism"));
        series.addAll(swept);
        return List.of(
                new Report.Plot("Time of an iteration", x, List.of("seconds"), series),
                new Report.Plot("Speed-up over parameter servers", x, List.of("speedup"), series));
    }

    private static void addIfSwept(List<String> swept, String column, List<?> values) {
        if (values.size() > 1) {
            swept.add(column);
        }
    }
}
