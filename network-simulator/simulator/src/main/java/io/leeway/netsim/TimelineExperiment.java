package io.leeway.netsim;

import static io.leeway.netsim.ExperimentFile.between;

import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.net.Topology;
import io.leeway.netsim.internal.transport.Transport;
import io.leeway.netsim.internal.workload.JobStudy;
import io.leeway.netsim.internal.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/** One job of ATP, followed while the background moves from queue to queue (NetApprox §7.1.2). */
record TimelineExperiment(
        Head head,
        Topology topology,
        FabricConfig network,
        Workload workload,
        List<Transport> transports,
        List<Double> shares,
        long interval,
        List<Check> checks,
        double seconds)
        implements Experiment {

    private static final List<String> KEYS = List.of("transport", "msr", "background queue");
    private static final List<String> COLUMNS =
            List.of("transport", "msr", "time us", "target", "loss", "rate Gbps", "queue", "background queue");

    static TimelineExperiment read(ExperimentFile file, Head head) {
        List<Transport> transports = file.swept(ExperimentKey.TRANSPORTS, Transport::of);
        if (file.has(ExperimentKey.TRANSPORTS) && !transports.stream().allMatch(Transport::isAtp)) {
            file.problem(
                    NetsimError.NS06,
                    file.lineOf(ExperimentKey.TRANSPORTS),
                    "a timeline follows what ATP aims at, and others aim at nothing; write atp or a variant of it");
        }
        Topology topology = JobKeys.topology(file);
        return new TimelineExperiment(
                head,
                topology,
                JobKeys.network(file),
                JobKeys.followed(file, topology),
                transports.stream().filter(Transport::isAtp).toList(),
                JobKeys.shares(file),
                file.one(ExperimentKey.INTERVAL, 10_000_000L, Experiment::delay),
                JobKeys.checks(file, COLUMNS),
                file.one(ExperimentKey.SECONDS, 1.0, between(1e-6, 1_000)));
    }

    @Override
    public Report run(Progress progress) {
        List<List<String>> rows = new ArrayList<>();
        int all = transports.size() * shares.size();
        int done = 0;
        for (Transport transport : transports) {
            for (double share : shares) {
                Workload asked = workload.at(share, 0, 0, 0);
                JobStudy study = new JobStudy(topology, network, transport, asked, head.seed() * 1_000L);
                for (JobStudy.Moment moment : study.follow(seconds, Math.max(1_000, interval))) {
                    rows.add(List.of(
                            transport.key(),
                            Report.number(share),
                            Report.number(moment.at() / 1e6),
                            Report.number(moment.aim().target()),
                            Report.number(moment.aim().loss()),
                            Report.number(moment.aim().rate() / 1e9),
                            Report.number(moment.aim().queue()),
                            moment.background() < 0 ? "-" : Report.number(moment.background())));
                }
                progress.done((double) ++done / all);
            }
        }
        List<String> series = new ArrayList<>();
        if (transports.size() > 1) {
            series.add("transport");
        }
        if (shares.size() > 1) {
            series.add("msr");
        }
        List<Report.Verdict> verdicts =
                checks.stream().map(check -> check.judge(COLUMNS, KEYS, rows)).toList();
        return new Report(
                head.title(),
                head.about(),
                COLUMNS,
                rows,
                List.of(
                        new Report.Plot("Queue", "time us", List.of("queue", "background queue"), series),
                        new Report.Plot("Loss and target", "time us", List.of("loss", "target"), series),
                        new Report.Plot("Rate", "time us", List.of("rate Gbps"), series)),
                verdicts,
                rows.size(),
                0);
    }
}
