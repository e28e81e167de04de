package io.leeway.netsim.internal.training;

import java.util.List;

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
        Unit unit,
        double jitter,
        long seed) {

    /** What an aggregating switch has to have whole. */
    public enum Unit {
        /** A parameter, as the chapter's results imply. */
        PARAMETER,
        /** A segment, as a switch with little memory would. */
        SEGMENT
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
        return new Cluster(workers, 1, rate, 1e-6, 8 * 128 * 1024, true, false, List.of(), Unit.PARAMETER, 0, 1);
    }

    /** With so many servers, each parameter on one of them or cut over all. */
    public Cluster servers(int count, boolean split) {
        return new Cluster(workers, count, rate, latency, segment, messaging, split, List.of(), unit, jitter, seed);
    }

    /** With each tensor on a server of choice. */
    public Cluster placement(int count, List<Integer> chosen) {
        return new Cluster(workers, count, rate, latency, segment, messaging, false, chosen, unit, jitter, seed);
    }

    /** With other segments. */
    public Cluster segment(long bits) {
        return new Cluster(workers, servers, rate, latency, bits, messaging, evenSplit, placement, unit, jitter, seed);
    }

    /** With parameters of host schemes cut over the workers, or whole. */
    public Cluster messaging(boolean cut) {
        return new Cluster(workers, servers, rate, latency, segment, cut, evenSplit, placement, unit, jitter, seed);
    }

    /** With another unit of aggregation. */
    public Cluster unit(Unit other) {
        return new Cluster(
                workers, servers, rate, latency, segment, messaging, evenSplit, placement, other, jitter, seed);
    }

    /** With computing that differs from worker to worker. */
    public Cluster jitter(double deviation, long from) {
        return new Cluster(
                workers, servers, rate, latency, segment, messaging, evenSplit, placement, unit, deviation, from);
    }
}
