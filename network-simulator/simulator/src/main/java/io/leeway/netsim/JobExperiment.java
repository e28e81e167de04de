package io.leeway.netsim;

import static io.leeway.netsim.ExperimentFile.between;
import static io.leeway.netsim.ExperimentFile.whole;

import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.net.Topology;
import io.leeway.netsim.internal.sim.Samples;
import io.leeway.netsim.internal.transport.Transport;
import io.leeway.netsim.internal.workload.JobStudy;
import io.leeway.netsim.internal.workload.Speeds;
import io.leeway.netsim.internal.workload.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Transports beside each other, over shares of messages that are enough, loads and what is beside them (NetApprox §7.1). */
record JobExperiment(
        Head head,
        int replications,
        Topology topology,
        FabricConfig network,
        Workload workload,
        List<Transport> transports,
        List<Double> shares,
        List<Double> loads,
        List<Double> exactShares,
        List<Double> besideScales,
        List<Check> checks,
        double seconds)
        implements Experiment {

    private static final List<String> KEYS = List.of("transport", "msr", "load", "exact share", "beside", "group");
    private static final List<String> COLUMNS = List.of(
            "transport",
            "msr",
            "load",
            "exact share",
            "beside",
            "group",
            "time ms",
            "p50 ms",
            "p99 ms",
            "exact ms",
            "exact p99 ms",
            "slowdown",
            "goodput Gbps",
            "goodput p10 Gbps",
            "goodput p50 Gbps",
            "goodput p90 Gbps",
            "fairness",
            "loss",
            "delivered",
            "size ratio",
            "size distance",
            "queue packets",
            "busiest queue packets",
            "unfinished");

    static JobExperiment read(ExperimentFile file, Head head, Path directory) {
        Topology topology = JobKeys.topology(file);
        return new JobExperiment(
                head,
                file.one(ExperimentKey.REPLICATIONS, 1, whole(1, 1_000)),
                topology,
                JobKeys.network(file),
                JobKeys.workload(file, directory, topology),
                file.swept(ExperimentKey.TRANSPORTS, Transport::of),
                JobKeys.shares(file),
                file.swept(ExperimentKey.LOAD, between(0, 2)),
                file.swept(ExperimentKey.EXACT_SHARE, Experiment::share),
                file.swept(ExperimentKey.BESIDE_SCALE, between(0, 10)),
                JobKeys.checks(file, COLUMNS),
                file.one(ExperimentKey.SECONDS, 1.0, between(1e-6, 1_000)));
    }

    private record Case(Transport transport, double share, double load, double exact, double beside) {}

    private List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (double beside : besideScales) {
            for (double exact : exactShares) {
                for (double load : loads) {
                    for (double share : shares) {
                        transports.forEach(transport -> cases.add(new Case(transport, share, load, exact, beside)));
                    }
                }
            }
        }
        return cases;
    }

    @Override
    public Report run(Progress progress) {
        List<Case> cases = cases();
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
            rows.addAll(groups(cases.get(i), of));
            for (JobStudy.Result result : of) {
                events += result.events();
                packets += result.network().arrived();
            }
        }
        List<Report.Verdict> verdicts =
                checks.stream().map(check -> check.judge(COLUMNS, KEYS, rows)).toList();
        return new Report(head.title(), head.about(), COLUMNS, rows, plots(rows), verdicts, events, packets);
    }

    private JobStudy.Result run(Case one, int replication) {
        Workload asked = workload.at(one.share(), one.load(), one.exact(), one.beside());
        return new JobStudy(topology, network, one.transport(), asked, head.seed() * 1_000L + replication).run(seconds);
    }

    private List<Report.Plot> plots(List<List<String>> rows) {
        List<String> swept = new ArrayList<>();
        addIfSwept(swept, "msr", shares);
        addIfSwept(swept, "load", loads);
        addIfSwept(swept, "exact share", exactShares);
        addIfSwept(swept, "beside", besideScales);
        if (workload.trace().stream().anyMatch(job -> !job.group().isEmpty())) {
            swept.add("group");
        }
        String x = swept.isEmpty() || swept.get(0).equals("group") ? "msr" : swept.remove(0);
        List<String> series = new ArrayList<>(List.of("transport"));
        series.addAll(swept);
        List<Report.Plot> plots = new ArrayList<>();
        plots.add(new Report.Plot("Completion time", x, List.of("time ms"), series));
        plots.add(new Report.Plot(
                "Bias: mean length of what arrived against that of all (1: honest sample)",
                x,
                List.of("size ratio"),
                series));
        plots.add(new Report.Plot("Packets lost, of those sent", x, List.of("loss"), series));
        plots.add(new Report.Plot("Mean queue at a switch port", x, List.of("queue packets"), series));
        if (exactShares.stream().anyMatch(share -> share > 0)) {
            plots.add(new Report.Plot("Completion time of the exact traffic beside", x, List.of("exact ms"), series));
        }
        plots.removeIf(plot -> !hasValues(plot, rows));
        if (swept.contains("group") || plots.stream().noneMatch(plot -> plot.y().contains("time ms"))) {
            plots.add(
                    0, new Report.Plot("Bits of messages a second, mean of jobs", x, List.of("goodput Gbps"), series));
        }
        return plots;
    }

    /** Whether a plot would show anything: jobs that never end have no completion time. */
    private static boolean hasValues(Report.Plot plot, List<List<String>> rows) {
        return plot.y().stream()
                .mapToInt(COLUMNS::indexOf)
                .anyMatch(
                        column -> rows.stream().anyMatch(row -> !row.get(column).equals("-")));
    }

    private static void addIfSwept(List<String> swept, String column, List<Double> values) {
        if (values.size() > 1) {
            swept.add(column);
        }
    }

    private List<String> row(Case one, List<JobStudy.Result> results) {
        Samples times = new Samples();
        Samples exact = new Samples();
        Samples slowdowns = new Samples();
        Samples loss = new Samples();
        Samples delivered = new Samples();
        Samples sizes = new Samples();
        Samples distances = new Samples();
        Speeds speeds = new Speeds();
        Samples queue = new Samples();
        Samples busiest = new Samples();
        int unfinished = 0;
        for (JobStudy.Result result : results) {
            times.addAll(result.approximate());
            exact.addAll(result.exact());
            slowdowns.addAll(result.slowdowns());
            loss.add(result.loss());
            delivered.add(result.delivered());
            sizes.add(result.sizeRatio());
            distances.add(result.sizeDistance());
            speeds.addAll(result.speeds());
            queue.add(result.network().meanQueue() / FabricConfig.MTU);
            busiest.add(result.network().busiestQueue() / FabricConfig.MTU);
            unfinished += result.unfinished();
        }
        List<String> row = new ArrayList<>(start(one, "all"));
        row.addAll(List.of(
                Report.number(times.mean() * 1e3),
                Report.number(times.quantile(0.5) * 1e3),
                Report.number(times.quantile(0.99) * 1e3),
                Report.number(exact.mean() * 1e3),
                Report.number(exact.quantile(0.99) * 1e3),
                Report.number(slowdowns.mean())));
        row.addAll(speedCells(speeds));
        row.addAll(List.of(
                Report.number(loss.mean()),
                Report.number(delivered.mean()),
                Report.number(sizes.mean()),
                Report.number(distances.mean()),
                Report.number(queue.mean()),
                Report.number(busiest.mean()),
                Report.number(unfinished)));
        return row;
    }

    private List<String> start(Case one, String group) {
        return List.of(
                one.transport().key(),
                Report.number(one.share()),
                workload.trace().isEmpty() ? Report.number(one.load()) : "-",
                Report.number(one.exact()),
                Report.number(one.beside()),
                group);
    }

    private static List<String> speedCells(Speeds speeds) {
        return List.of(
                Report.number(speeds.goodputs().mean() / 1e9),
                Report.number(speeds.goodputs().quantile(0.1) / 1e9),
                Report.number(speeds.goodputs().quantile(0.5) / 1e9),
                Report.number(speeds.goodputs().quantile(0.9) / 1e9),
                Report.number(speeds.fairness()));
    }

    /** A row for each group of a file of jobs, with what is known of groups. */
    private List<List<String>> groups(Case one, List<JobStudy.Result> results) {
        Map<String, Speeds> groups = new LinkedHashMap<>();
        for (JobStudy.Result result : results) {
            result.groups()
                    .forEach((name, speeds) ->
                            groups.computeIfAbsent(name, key -> new Speeds()).addAll(speeds));
        }
        List<List<String>> rows = new ArrayList<>();
        new TreeMap<>(groups).forEach((name, speeds) -> {
            List<String> row = new ArrayList<>(start(one, name));
            row.add(Report.number(speeds.times().mean() * 1e3));
            row.add(Report.number(speeds.times().quantile(0.5) * 1e3));
            row.add(Report.number(speeds.times().quantile(0.99) * 1e3));
            row.addAll(List.of("-", "-", "-"));
            row.addAll(speedCells(speeds));
            row.addAll(Collections.nCopies(COLUMNS.size() - 1 - row.size(), "-"));
            row.add(Report.number(speeds.unfinished()));
            rows.add(row);
        });
        return rows;
    }
}
