package io.leeway.netsim.internal.net;

import java.util.List;

/**
 * What links and switches are like.
 *
 * @param rate bits a second of every link
 * @param delay propagation of every link, in picoseconds
 * @param switchBuffer bytes that all ports of a switch share
 * @param limits bytes that each of the eight queues of a switch port may hold, queue 0 first
 * @param markAbove bytes in queue 0 above which packets that can be marked are (ECN)
 * @param order what a switch port sends next
 * @param spray whether the packets of a flow take all shortest paths in turn; if not, each flow keeps one
 */
public record FabricConfig(
        double rate, long delay, long switchBuffer, List<Long> limits, long markAbove, Order order, boolean spray) {

    /** Queues a port. */
    public static final int QUEUES = 8;

    /** Bytes of the longest packet. */
    public static final int MTU = 1500;

    /** Bytes of queues 1 to 7 together. */
    private static final long RESERVED = 28L * MTU;

    /** Bytes of an acknowledgement. */
    private static final int ACK = 64;

    /** What a switch port sends next. */
    public enum Order {
        /** The first of the highest non-empty queue. */
        STRICT_PRIORITY,
        /** The packet whose message has least left; the one with most left is dropped when there is no room. */
        LEAST_REMAINING
    }

    /** Checks. */
    public FabricConfig {
        limits = List.copyOf(limits);
        if (limits.size() != QUEUES || !(rate > 0) || delay < 0) {
            throw new IllegalArgumentException("a port has 8 queues, a rate and a delay: " + limits + ", " + rate);
        }
    }

    /**
     * The scheme of NetApprox §6: queue 7 holds one packet, each higher one more, up to queue 1; queue 0 has the rest and
     * is marked above 65 packets.
     */
    public static FabricConfig netApprox(double rate, long delay) {
        List<Long> limits = new java.util.ArrayList<>();
        limits.add(1_500_000L - RESERVED);
        for (int queue = 1; queue < QUEUES; queue++) {
            limits.add((long) (QUEUES - queue) * MTU);
        }
        return new FabricConfig(rate, delay, 1_500_000, limits, 65L * MTU, Order.STRICT_PRIORITY, false);
    }

    /** With switches that have so many bytes for all ports; queue 0 takes what the others do not reserve. */
    public FabricConfig buffered(long bytes) {
        List<Long> changed = new java.util.ArrayList<>(limits);
        changed.set(0, bytes - RESERVED);
        return new FabricConfig(rate, delay, bytes, changed, markAbove, order, spray);
    }

    /** With another mark, in bytes. */
    public FabricConfig marking(long above) {
        return new FabricConfig(rate, delay, switchBuffer, limits, above, order, spray);
    }

    /**
     * The ports of pFabric: the least remaining first, packets sprayed, and room for twice what fits into a round trip over
     * so many links, which are the published 24 packets at 10 Gbit/s and 14.6 us.
     */
    public FabricConfig leastRemaining(int links) {
        long room = Math.max(24, (long) Math.ceil(2 * rate / 8 * roundTrip(links) / 1e12 / MTU)) * MTU;
        return new FabricConfig(
                rate,
                delay,
                Long.MAX_VALUE,
                java.util.Collections.nCopies(QUEUES, room),
                Long.MAX_VALUE,
                Order.LEAST_REMAINING,
                true);
    }

    /** There and back over so many links for a full packet and its acknowledgement in an idle network, in picoseconds. */
    long roundTrip(int links) {
        return links * (2 * delay + (long) (MTU * 8e12 / rate) + (long) (ACK * 8e12 / rate));
    }

    /** With another mark, and every queue as long as this. */
    public FabricConfig queue(long limit, long mark) {
        return new FabricConfig(
                rate, delay, Long.MAX_VALUE, java.util.Collections.nCopies(QUEUES, limit), mark, order, spray);
    }
}
