package io.leeway.netsim.internal.workload;

import io.leeway.netsim.internal.net.Fabric;
import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.net.FabricStats;
import io.leeway.netsim.internal.net.Topology;
import io.leeway.netsim.internal.sim.Rng;
import io.leeway.netsim.internal.sim.Samples;
import io.leeway.netsim.internal.sim.Spread;
import io.leeway.netsim.internal.transport.Flow;
import io.leeway.netsim.internal.transport.FlowTable;
import io.leeway.netsim.internal.transport.Transport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run: jobs of one transport on one network. Everything follows from the seed. Its memory is that of the flows that are
 * alive and of the packets on their way. Not thread-safe.
 */
public final class JobStudy implements Fabric.Hosts {

    /** Tags of timers below 0 start the next job of a source. */
    private static final int START = -1;
    /** Numbers of flows from here on are not jobs. */
    private static final int BACKGROUND = (1 << 28) - 1;

    private static final double PICOS = 1e12;
    private static final long STEP = 1_000_000_000L;

    private final Fabric fabric;
    private final Transport transport;
    private final List<JobSource> sources = new ArrayList<>();
    private final List<JobSource.@Nullable Planned> pending = new ArrayList<>();
    private final FlowTable flows = new FlowTable();
    /** The jobs of the flows that are alive. */
    private final Map<Integer, JobSource.Planned> planned = new HashMap<>();

    private final @Nullable Background background;
    private final int jobs;
    private int numbers;
    private int over;

    private final Samples approximate = new Samples();
    private final Samples exact = new Samples();
    private final Samples sizeRatios = new Samples();
    private final Samples slowdowns = new Samples();
    private final Spread all = new Spread();
    private final Spread arrivedSizes = new Spread();
    private long sent;
    private long lost;
    private long delivered;
    private long wanted;
    private int complete;
    private final Speeds speeds = new Speeds();
    private final Map<String, Speeds> groups = new LinkedHashMap<>();
    private long digest;

    /** A run that has not begun. */
    public JobStudy(Topology topology, FabricConfig network, Transport transport, Workload workload, long seed) {
        this.transport = transport;
        fabric = new Fabric(topology, transport.fabric(network, topology.diameter()));
        int hosts = topology.hosts();
        if (workload.trace().isEmpty()) {
            jobs = workload.jobs();
            sources.add(new JobSource.Random(
                    workload, JobSource.Kind.APPROXIMATE, hosts, network.rate(), transport.samples(), seed, 0));
        } else {
            jobs = workload.trace().size();
            sources.add(new JobSource.Traced(workload.trace(), workload.msr(), transport.samples(), seed));
        }
        int stream = 100;
        for (Workload.Beside beside : workload.beside()) {
            Workload other = Workload.of(
                            Workload.Pattern.ALL_TO_ALL, beside.sizes(), beside.messages(), 1, beside.load())
                    .at(beside.msr(), beside.load(), 0, 0);
            sources.add(new JobSource.Random(
                    other, JobSource.Kind.BESIDE, hosts, network.rate(), transport.samples(), seed, stream));
            stream += 100;
        }
        background = workload.background().isEmpty()
                ? null
                : new Background(
                        fabric,
                        BACKGROUND,
                        workload.background(),
                        transport.firstQueue(workload.msr()),
                        Rng.of(seed, 6));
    }

    /** Runs until every job is over or so much time has passed in the simulation, in seconds. */
    public Result run(double seconds) {
        return run(seconds, STEP, () -> {});
    }

    /** The same, looking every so many picoseconds. */
    private Result run(double seconds, long step, Runnable look) {
        for (int i = 0; i < sources.size(); i++) {
            pending.add(null);
            plan(i);
        }
        if (background != null) {
            background.start();
        }
        long end = (long) (seconds * PICOS);
        while (over < jobs && fabric.now() < end) {
            long until = Math.min(end, fabric.now() + step);
            if (!fabric.run(this, until)) {
                break;
            }
            look.run();
        }
        return result();
    }

    /** Runs one job and looks at it every so many picoseconds, from its start until it is over. */
    public List<Moment> follow(double seconds, long step) {
        List<Moment> moments = new ArrayList<>();
        run(seconds, step, () -> {
            Flow flow = flows.get(0);
            Flow.Aim aim = flow == null ? null : flow.aim();
            if (aim != null) {
                int other = background == null ? -1 : background.queue();
                moments.add(new Moment(fabric.now(), aim, other));
            }
        });
        return moments;
    }

    /**
     * A job at one time.
     *
     * @param at picoseconds
     * @param aim what it aims at
     * @param background the queue of the background; -1 if there is none
     */
    public record Moment(long at, Flow.Aim aim, int background) {}

    private void plan(int source) {
        JobSource.Planned planned = sources.get(source).next();
        pending.set(source, planned);
        if (planned != null) {
            fabric.timer(planned.at(), 0, START - source);
        }
    }

    @Override
    public void arrived(int packet) {
        Flow flow = flows.get(fabric.packets().flow(packet));
        if (flow != null) {
            flow.arrived(packet);
        }
    }

    @Override
    public void dropped(int packet) {
        Flow flow = flows.get(fabric.packets().flow(packet));
        if (flow != null) {
            flow.lost(fabric.packets().isAck(packet));
        }
    }

    @Override
    public void timer(int number, int tag) {
        if (tag <= START) {
            start(START - tag);
        } else if (number == BACKGROUND) {
            if (background != null) {
                background.timer(tag);
            }
        } else {
            Flow flow = flows.get(number);
            if (flow != null) {
                flow.timer(tag);
            }
        }
    }

    private void start(int source) {
        JobSource.Planned job = pending.get(source);
        if (job == null) {
            return;
        }
        plan(source);
        int number = numbers++;
        boolean measured = job.kind() == JobSource.Kind.APPROXIMATE;
        Flow.Ends ends = new Flow.Ends(
                number, job.from(), job.to(), () -> finished(number, job), measured ? arrivedSizes : new Spread());
        Flow flow =
                (job.kind() == JobSource.Kind.EXACT ? Transport.DCTCP_ES : transport).flow(fabric, ends, job.batch());
        planned.put(number, job);
        flows.put(number, flow);
        flow.start();
    }

    private void finished(int number, JobSource.Planned job) {
        Flow flow = flows.get(number);
        if (flow == null) {
            return;
        }
        flows.remove(number);
        planned.remove(number);
        if (job.kind() != JobSource.Kind.BESIDE) {
            over++;
            count(number, job, flow.outcome());
        }
    }

    private void count(int number, JobSource.Planned job, Flow.Outcome outcome) {
        double time = outcome.time() < 0 ? Double.NaN : outcome.time() / PICOS;
        digest = Rng.mix(digest ^ Double.doubleToLongBits(time) + number);
        if (outcome.time() >= 0) {
            complete++;
            (job.kind() == JobSource.Kind.EXACT ? exact : approximate).add(time);
        }
        double goodput = goodput(job, outcome);
        if (!job.group().isEmpty()) {
            groups.computeIfAbsent(job.group(), name -> new Speeds()).add(outcome.time() / PICOS, goodput);
        }
        if (job.kind() != JobSource.Kind.APPROXIMATE) {
            return;
        }
        speeds.add(outcome.time() / PICOS, goodput);
        long bytes = 0;
        for (int size : job.all().sizes()) {
            all.add(size);
            bytes += size;
        }
        sent += outcome.sent();
        lost += outcome.lost();
        delivered += outcome.messages();
        wanted += job.all().count();
        if (outcome.messages() > 0) {
            double meanOfAll = (double) bytes / job.all().count();
            sizeRatios.add((double) outcome.bytes() / outcome.messages() / meanOfAll);
        }
        if (outcome.time() >= 0 && outcome.bytes() > 0) {
            slowdowns.add(outcome.time() / fabric.idealTime(job.from(), job.to(), outcome.bytes()));
        }
    }

    /** Bits of messages a second until the job had enough, or until now. */
    private double goodput(JobSource.Planned job, Flow.Outcome outcome) {
        long bytes = outcome.time() >= 0 ? outcome.bytes() : outcome.payload();
        double seconds = (outcome.time() >= 0 ? outcome.time() : fabric.now() - job.at()) / PICOS;
        return seconds > 0 ? bytes * 8 / seconds : 0;
    }

    private Result result() {
        flows.each((number, flow) -> {
            JobSource.Planned job = planned.get(number);
            if (job != null && job.kind() != JobSource.Kind.BESIDE) {
                count(number, job, flow.outcome());
            }
        });
        return new Result(
                approximate,
                exact,
                sent == 0 ? Double.NaN : (double) lost / sent,
                wanted == 0 ? Double.NaN : (double) delivered / wanted,
                sizeRatios.mean(),
                arrivedSizes.distance(all),
                slowdowns,
                speeds,
                groups,
                jobs - complete,
                fabric.stats(),
                fabric.handled(),
                fabric.now() / PICOS,
                flows.most(),
                fabric.packets().most(),
                Rng.mix(digest ^ fabric.handled()));
    }

    /**
     * What a run came to.
     *
     * @param approximate completion times of approximate jobs, in seconds
     * @param exact those of the others
     * @param loss the part of the approximate jobs' packets that was lost
     * @param delivered the part of their messages that arrived by completion
     * @param sizeRatio mean length of what arrived against that of all messages, mean over jobs: 1 is an honest sample
     * @param sizeDistance the greatest difference of the distributions of lengths of what arrived and of all, over all jobs
     * @param slowdowns completion times against those in an idle network, of approximate jobs
     * @param speeds how fast the approximate jobs were
     * @param groups how fast the jobs of each group of a file were
     * @param unfinished jobs that have not completed
     * @param network what the network has seen
     * @param events events handled
     * @param seconds time in the simulation
     * @param mostFlows the most flows that were alive at once
     * @param mostPackets the most packets that were on their way at once
     * @param digest differs if anything of importance does: two runs of the same seed have the same
     */
    public record Result(
            Samples approximate,
            Samples exact,
            double loss,
            double delivered,
            double sizeRatio,
            double sizeDistance,
            Samples slowdowns,
            Speeds speeds,
            Map<String, Speeds> groups,
            int unfinished,
            FabricStats network,
            long events,
            double seconds,
            int mostFlows,
            int mostPackets,
            long digest) {}
}
