package io.leeway.netsim.internal.workload;

import io.leeway.netsim.internal.net.Fabric;
import io.leeway.netsim.internal.net.FabricConfig;
import io.leeway.netsim.internal.net.FabricStats;
import io.leeway.netsim.internal.net.Topology;
import io.leeway.netsim.internal.sim.Rng;
import io.leeway.netsim.internal.sim.Samples;
import io.leeway.netsim.internal.transport.Batch;
import io.leeway.netsim.internal.transport.Flow;
import io.leeway.netsim.internal.transport.Transport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run: jobs of one transport on one network. Everything follows from the seed. Not thread-safe. */
public final class JobStudy implements Fabric.Hosts {

    private static final int START = -1;
    private static final double PICOS = 1e12;

    private final Fabric fabric;
    private final Transport transport;
    private final Workload workload;
    private final Planned[] plan;
    private final @Nullable Flow[] flows;
    private int over;

    private record Planned(long at, int from, int to, boolean exact, Batch batch) {}

    /** A run that has not begun. */
    public JobStudy(Topology topology, FabricConfig network, Transport transport, Workload workload, long seed) {
        this.transport = transport;
        this.workload = workload;
        fabric = new Fabric(topology, transport.fabric(network));
        plan = plan(topology.hosts(), network.rate(), seed);
        flows = new Flow[plan.length];
    }

    private Planned[] plan(int hosts, double rate, long seed) {
        // Streams of their own: every transport gets the same jobs, whatever it makes of them.
        Rng pairs = Rng.of(seed, 1);
        Rng times = Rng.of(seed, 2);
        Rng sizes = Rng.of(seed, 3);
        Rng samples = Rng.of(seed, 4);
        Planned[] planned = new Planned[workload.jobs()];
        double receivers = workload.pattern() == Workload.Pattern.INCAST ? 1 : hosts;
        double jobBytes = workload.messages() * (workload.sizes().mean() + Flow.HEADER);
        double gap = workload.load() == 0 ? 0 : jobBytes * 8 / (workload.load() * rate * receivers) * PICOS;
        double at = 0;
        for (int i = 0; i < planned.length; i++) {
            at += gap * times.nextExponential();
            int[] messages = new int[workload.messages()];
            for (int m = 0; m < messages.length; m++) {
                messages[m] = workload.sizes().next(sizes);
            }
            int to = receiver(i, hosts, pairs);
            boolean exact = pairs.nextDouble() < workload.exactShare();
            Batch batch = new Batch(messages, exact ? 1 : workload.msr());
            if (!exact && transport.samples()) {
                batch = sampled(batch, samples);
            }
            planned[i] = new Planned((long) at, sender(i, hosts, to, pairs), to, exact, batch);
        }
        return planned;
    }

    private int receiver(int job, int hosts, Rng rng) {
        return switch (workload.pattern()) {
            case INCAST -> 0;
            case PERMUTATION -> (job + hosts / 2) % hosts;
            case ALL_TO_ALL -> rng.nextInt(hosts);
        };
    }

    private int sender(int job, int hosts, int to, Rng rng) {
        return switch (workload.pattern()) {
            case INCAST -> 1 + job % (hosts - 1);
            case PERMUTATION -> job % hosts;
            case ALL_TO_ALL -> (to + 1 + rng.nextInt(hosts - 1)) % hosts;
        };
    }

    /** As many as are needed, each as likely as any other. */
    private static Batch sampled(Batch batch, Rng rng) {
        int[] sizes = batch.sizes().clone();
        for (int i = 0; i < batch.need(); i++) {
            int other = i + rng.nextInt(sizes.length - i);
            int swap = sizes[i];
            sizes[i] = sizes[other];
            sizes[other] = swap;
        }
        return new Batch(Arrays.copyOf(sizes, batch.need()), 1);
    }

    /** Runs until every job is over or so much time has passed in the simulation, in seconds. */
    public Result run(double seconds) {
        for (int i = 0; i < plan.length; i++) {
            fabric.timer(plan[i].at(), i, START);
        }
        long end = (long) (seconds * PICOS);
        while (over < plan.length && fabric.now() < end) {
            long until = Math.min(end, fabric.now() + (long) (PICOS / 1_000));
            if (!fabric.run(this, until)) {
                break;
            }
        }
        return result();
    }

    @Override
    public void arrived(int packet) {
        Flow flow = flows[fabric.packets().flow(packet)];
        if (flow != null) {
            flow.arrived(packet);
        }
    }

    @Override
    public void timer(int number, int tag) {
        Flow flow = flows[number];
        if (tag != START) {
            if (flow != null) {
                flow.timer(tag);
            }
            return;
        }
        Planned job = plan[number];
        Flow made = (job.exact() ? Transport.DCTCP_ES : transport)
                .flow(fabric, new Flow.Ends(number, job.from(), job.to(), () -> over++), job.batch());
        flows[number] = made;
        made.start();
    }

    private Result result() {
        Samples approximate = new Samples();
        Samples exact = new Samples();
        Samples sizeRatios = new Samples();
        long sent = 0;
        long arrived = 0;
        long delivered = 0;
        double wanted = 0;
        int unfinished = 0;
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < plan.length; i++) {
            Flow flow = flows[i];
            if (flow == null || flow.outcome().time() < 0) {
                unfinished++;
                times.add(Double.NaN);
            }
            if (flow == null) {
                continue;
            }
            Flow.Outcome outcome = flow.outcome();
            double time = outcome.time() / PICOS;
            if (outcome.time() >= 0) {
                (plan[i].exact() ? exact : approximate).add(time);
                times.add(time);
            }
            if (!plan[i].exact()) {
                sent += outcome.sent();
                arrived += outcome.arrived();
                delivered += outcome.messages();
                wanted += workload.messages();
                if (outcome.messages() > 0) {
                    sizeRatios.add(ratioToAll(outcome));
                }
            }
        }
        return new Result(
                approximate,
                exact,
                times,
                sent == 0 ? 0 : Math.max(0, 1 - (double) arrived / sent),
                wanted == 0 ? 0 : delivered / wanted,
                sizeRatios.mean(),
                unfinished,
                fabric.stats(),
                fabric.handled(),
                fabric.now() / PICOS);
    }

    /** Against the distribution for a drawn sample, whose batch does not know the rest; against the job otherwise. */
    private double ratioToAll(Flow.Outcome outcome) {
        return transport.samples()
                ? (double) outcome.bytes()
                        / outcome.messages()
                        / workload.sizes().mean()
                : outcome.sizeRatio();
    }

    /**
     * What a run came to.
     *
     * @param approximate completion times of approximate jobs, in seconds
     * @param exact those of the others
     * @param times of each job; not a number if it has not completed
     * @param loss the part of the approximate jobs' packets that was lost
     * @param delivered the part of their messages that arrived by completion
     * @param sizeRatio mean length of what arrived against that of all messages: 1 is an honest sample
     * @param unfinished jobs that have not completed
     * @param network what the network has seen
     * @param events events handled
     * @param seconds time in the simulation
     */
    public record Result(
            Samples approximate,
            Samples exact,
            List<Double> times,
            double loss,
            double delivered,
            double sizeRatio,
            int unfinished,
            FabricStats network,
            long events,
            double seconds) {

        /** Copies. */
        public Result {
            times = List.copyOf(times);
        }

        /** A number that differs if anything of importance does: two runs of the same seed have the same. */
        public long digest() {
            long digest = events;
            for (double time : times) {
                digest = Rng.mix(digest ^ Double.doubleToLongBits(time));
            }
            return Rng.mix(digest ^ network.arrived());
        }
    }
}
