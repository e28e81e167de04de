package io.leeway.netsim;

import static io.leeway.netsim.ExperimentFile.between;
import static io.leeway.netsim.ExperimentFile.whole;

import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.net.Topology;
import io.leeway.netsim.internal.sim.Samples;
import io.leeway.netsim.internal.transport.Transport;
import io.leeway.netsim.internal.workload.JobStudy;
import io.leeway.netsim.internal.workload.Sizes;
import io.leeway.netsim.internal.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Transports beside each other, over shares of messages that are enough (NetApprox §7.1). */
record JobExperiment(
        String title,
        int seed,
        int replications,
        Topology topology,
        FabricConfig network,
        Workload workload,
        List<Double> shares,
        List<Transport> transports,
        double seconds)
        implements Experiment {

    static JobExperiment read(ExperimentFile file, String title, int seed) {
        Topology topology = file.one(ExperimentKey.TOPOLOGY, Topology.star(16), JobExperiment::topology);
        double rate = file.one(ExperimentKey.RATE, 40e9, Experiment::rate);
        long delay = file.one(ExperimentKey.DELAY, 1_000_000L, Experiment::delay);
        Workload workload = new Workload(
                file.one(ExperimentKey.PATTERN, Workload.Pattern.ALL_TO_ALL, JobExperiment::pattern),
                file.one(ExperimentKey.SIZES, new Sizes.Fixed(1), Sizes::of),
                file.one(ExperimentKey.MESSAGES, 1, whole(1, 1_000_000)),
                file.one(ExperimentKey.JOBS, 1, whole(1, 1_000_000)),
                1,
                file.one(ExperimentKey.LOAD, 0.5, between(0, 2)),
                file.one(ExperimentKey.EXACT_SHARE, 0.0, Experiment::share));
        if ((long) workload.messages() * workload.jobs() > 20_000_000) {
            file.problem(
                    NetsimError.NS06,
                    file.lineOf(ExperimentKey.MESSAGES),
                    "messages times jobs is above 20 million, which is too much memory; lower one of them");
        }
        return new JobExperiment(
                title,
                seed,
                file.one(ExperimentKey.REPLICATIONS, 1, whole(1, 1_000)),
                topology,
                FabricConfig.netApprox(rate, delay),
                workload,
                file.all(ExperimentKey.MSR, between(0.001, 1)),
                file.all(ExperimentKey.TRANSPORTS, Transport::of),
                file.one(ExperimentKey.SECONDS, 1.0, between(1e-6, 1_000)));
    }

    private static Optional<Workload.Pattern> pattern(String text) {
        return Optional.of(
                Workload.Pattern.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_')));
    }

    private static Optional<Topology> topology(String text) {
        String[] words = text.split(" ");
        int[] numbers = IntStream.range(1, words.length)
                .map(i -> Integer.parseInt(words[i]))
                .toArray();
        boolean sane = IntStream.of(numbers).allMatch(number -> number >= 1 && number <= 2_000);
        if (!sane) {
            return Optional.empty();
        }
        Optional<Topology> topology = Optional.empty();
        if (words[0].equals("star") && numbers.length == 1) {
            topology = Optional.of(Topology.star(numbers[0]));
        } else if (words[0].equals("leaf-spine") && numbers.length == 3 && (long) numbers[0] * numbers[2] <= 20_000) {
            topology = Optional.of(Topology.leafSpine(numbers[0], numbers[1], numbers[2]));
        } else if (words[0].equals("fat-tree") && numbers.length == 1 && numbers[0] <= 32) {
            topology = Optional.of(Topology.fatTree(numbers[0]));
        } else if (words[0].equals("three-tier-192") && numbers.length == 0) {
            topology = Optional.of(Topology.threeTier192());
        }
        return topology.filter(made -> made.hosts() >= 2);
    }

    private record Case(Transport transport, double share) {}

    @Override
    public Report run(Progress progress) {
        List<Case> cases = new ArrayList<>();
        for (double share : shares) {
            transports.forEach(transport -> cases.add(new Case(transport, share)));
        }
        int runs = cases.size() * replications;
        AtomicInteger done = new AtomicInteger();
        // The only threads of the simulator: whole runs beside each other, each with a seed of its own.
        List<JobStudy.Result> results = IntStream.range(0, runs)
                .parallel()
                .mapToObj(i -> {
                    JobStudy.Result result = run(cases.get(i / replications), i % replications);
                    synchronized (done) {
                        progress.done((double) done.incrementAndGet() / runs);
                    }
                    return result;
                })
                .toList();
        List<List<String>> rows = new ArrayList<>();
        long events = 0;
        long packets = 0;
        for (int i = 0; i < cases.size(); i++) {
            List<JobStudy.Result> of = results.subList(i * replications, (i + 1) * replications);
            rows.add(row(cases.get(i), of));
            for (JobStudy.Result result : of) {
                events += result.events();
                packets += result.network().arrived();
            }
        }
        return new Report(title, COLUMNS, rows, plots(), events, packets);
    }

    private static final List<String> COLUMNS = List.of(
            "transport",
            "msr",
            "time ms",
            "p50 ms",
            "p99 ms",
            "exact ms",
            "exact p99 ms",
            "loss",
            "delivered",
            "size ratio",
            "queue packets",
            "busiest queue packets",
            "unfinished");

    private List<Report.Plot> plots() {
        List<Report.Plot> plots = new ArrayList<>();
        plots.add(new Report.Plot("Completion time", "msr", "time ms", "transport"));
        plots.add(new Report.Plot(
                "Mean length of what arrived, against all (1: honest sample)", "msr", "size ratio", "transport"));
        plots.add(new Report.Plot("Mean queue at a switch port", "msr", "queue packets", "transport"));
        if (workload.exactShare() > 0) {
            plots.add(new Report.Plot("Completion time of the exact traffic beside", "msr", "exact ms", "transport"));
        }
        return plots;
    }

    private JobStudy.Result run(Case one, int replication) {
        Workload asked = new Workload(
                workload.pattern(),
                workload.sizes(),
                workload.messages(),
                workload.jobs(),
                one.share(),
                workload.load(),
                workload.exactShare());
        return new JobStudy(topology, network, one.transport(), asked, seed * 1_000L + replication).run(seconds);
    }

    private static List<String> row(Case one, List<JobStudy.Result> results) {
        Samples times = new Samples();
        Samples exact = new Samples();
        Samples loss = new Samples();
        Samples delivered = new Samples();
        Samples sizes = new Samples();
        Samples queue = new Samples();
        Samples busiest = new Samples();
        int unfinished = 0;
        for (JobStudy.Result result : results) {
            times.addAll(result.approximate());
            exact.addAll(result.exact());
            loss.add(result.loss());
            delivered.add(result.delivered());
            sizes.add(result.sizeRatio());
            queue.add(result.network().meanQueue() / FabricConfig.MTU);
            busiest.add(result.network().busiestQueue() / FabricConfig.MTU);
            unfinished += result.unfinished();
        }
        return List.of(
                one.transport().key(),
                Report.number(one.share()),
                Report.number(times.mean() * 1e3),
                Report.number(times.quantile(0.5) * 1e3),
                Report.number(times.quantile(0.99) * 1e3),
                Report.number(exact.mean() * 1e3),
                Report.number(exact.quantile(0.99) * 1e3),
                Report.number(loss.mean()),
                Report.number(delivered.mean()),
                Report.number(sizes.mean()),
                Report.number(queue.mean()),
                Report.number(busiest.mean()),
                Report.number(unfinished));
    }
}
