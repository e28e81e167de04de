package io.leeway.netsim.internal.training;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a model is trained on: hosts on one switch that does not block.
 *
 * @param workers at least 2
 * @param servers parameter servers, at least 1
 * @param rate bits a second of each host's link, in each direction
 * @param latency of a link, in seconds
 * @param segment bits that are sent on as a whole: the size of what a switch stores before it forwards
 * @param messaging whether the host schemes cut each parameter evenly over the workers
 * @param evenSplit whether each parameter is cut evenly over the servers
 * @param placement the server of each tensor; empty for round robin
 * @param barrier whether servers distribute when they have everything, or each parameter when they have that one
 * @param unit what an aggregating switch has to have whole before it sends it on
 * @param jitter deviation of the logarithm of each worker's compute times
 * @param seed what that jitter follows from
 */
public record Cluster(
        int workers,
        int servers,
        double rate,
        double latency,
        long segment,
        boolean messaging,
        boolean evenSplit,
        List<Integer> placement,
        boolean barrier,
        Unit unit,
        double jitter,
        long seed) {

    /** What an aggregating switch has to have whole. */
    public enum Unit {
        /** A parameter, as the chapter's results imply. */
        PARAMETER,
        /** A message: a parameter cut evenly over the workers. */
        MESSAGE,
        /** A segment, as a switch with little memory would. */
        PACKET
    }

    /** Checks. */
    public Cluster {
        placement = List.copyOf(placement);
        if (workers < 2 || servers < 1 || !(rate > 0) || latency < 0 || segment < 1 || !(jitter >= 0)) {
            throw new IllegalArgumentException("a cluster has 2 workers, a server, a rate and a segment at least");
        }
        for (int server : placement) {
            if (server < 0 || server >= servers) {
                throw new IllegalArgumentException("there is no server " + server + " of " + servers);
            }
        }
    }

    /** The chapter's main case: one server, parameters aggregated as a whole, segments of 128 kB. */
    public static Cluster of(int workers, double rate) {
        return new Cluster(workers, 1, rate, 1e-6, 8 * 128 * 1024, true, false, List.of(), true, Unit.PARAMETER, 0, 1);
    }

    /** With so many servers, each parameter on one of them or cut over all. */
    public Cluster servers(int count, boolean split) {
        return new Cluster(
                workers, count, rate, latency, segment, messaging, split, List.of(), barrier, unit, jitter, seed);
    }

    /** With each tensor on a server of choice. */
    public Cluster placement(int count, List<Integer> chosen) {
        return new Cluster(
                workers, count, rate, latency, segment, messaging, false, chosen, barrier, unit, jitter, seed);
    }

    /** With other segments. */
    public Cluster segment(long bits) {
        return new Cluster(
                workers, servers, rate, latency, bits, messaging, evenSplit, placement, barrier, unit, jitter, seed);
    }

    /** With parameters of host schemes cut over the workers, or whole. */
    public Cluster messaging(boolean cut) {
        return new Cluster(
                workers, servers, rate, latency, segment, cut, evenSplit, placement, barrier, unit, jitter, seed);
    }

    /** With another unit of aggregation. */
    public Cluster unit(Unit other) {
        return new Cluster(
                workers, servers, rate, latency, segment, messaging, evenSplit, placement, barrier, other, jitter,
                seed);
    }

    /** With computing that differs from worker to worker. */
    public Cluster jitter(double deviation, long from) {
        return new Cluster(
                workers, servers, rate, latency, segment, messaging, evenSplit, placement, barrier, unit, deviation,
                from);
    }

    /** With the barrier, or without it. */
    public Cluster barrier(boolean kept) {
        return new Cluster(
                workers, servers, rate, latency, segment, messaging, evenSplit, placement, kept, unit, jitter, seed);
    }

    /** With so many workers at another rate. */
    public Cluster of(int count, double bitsASecond, boolean withBarrier) {
        return new Cluster(
                count,
                servers,
                bitsASecond,
                latency,
                segment,
                messaging,
                evenSplit,
                placement,
                withBarrier,
                unit,
                jitter,
                seed);
    }

    /**
     * A server for each tensor so that the fullest has about this share of the bits, as a published skew without its list of
     * tensors has it. A model of which one tensor is more than half of that has its largest tensors there, as many as fit;
     * in others the fullest server's tensors are spread over the model. The rest goes to the other servers in turn.
     */
    public static List<Integer> skewed(Model model, int servers, double share) {
        List<Tensor> tensors = model.tensors();
        int[] chosen = new int[tensors.size()];
        Arrays.fill(chosen, servers == 1 ? 0 : -1);
        long largest = tensors.stream().mapToLong(Tensor::bits).max().orElse(0);
        if (largest > model.bits() * share / 2) {
            fillLargest(tensors, model.bits() * share * 1.0005, chosen);
        } else {
            fillEvenly(tensors, share, chosen);
        }
        int next = 0;
        for (int i = 0; i < chosen.length; i++) {
            if (chosen[i] < 0) {
                chosen[i] = 1 + next++ % (servers - 1);
            }
        }
        return Arrays.stream(chosen).boxed().toList();
    }

    private static void fillLargest(List<Tensor> tensors, double room, int[] chosen) {
        double left = room;
        for (int i : IntStream.range(0, chosen.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> -tensors.get(i).bits()))
                .toList()) {
            if (tensors.get(i).bits() <= left) {
                left -= tensors.get(i).bits();
                chosen[i] = 0;
            }
        }
    }

    private static void fillEvenly(List<Tensor> tensors, double share, int[] chosen) {
        double seen = 0;
        double taken = 0;
        for (int i = 0; i < chosen.length; i++) {
            long bits = tensors.get(i).bits();
            seen += bits;
            if (taken + bits / 2.0 <= share * seen) {
                taken += bits;
                chosen[i] = 0;
            }
        }
    }
}
