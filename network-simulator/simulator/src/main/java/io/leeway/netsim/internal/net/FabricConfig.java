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
        limits.add(1_500_000L - 28 * MTU);
        for (int queue = 1; queue < QUEUES; queue++) {
            limits.add((long) (QUEUES - queue) * MTU);
        }
        return new FabricConfig(rate, delay, 1_500_000, limits, 65L * MTU, Order.STRICT_PRIORITY, false);
    }

    /** The ports of pFabric: 24 packets, the least remaining first, packets sprayed. */
    public FabricConfig leastRemaining() {
        return new FabricConfig(
                rate,
                delay,
                Long.MAX_VALUE,
                java.util.Collections.nCopies(QUEUES, 24L * MTU),
                Long.MAX_VALUE,
                Order.LEAST_REMAINING,
                true);
    }

    /** With another mark, and every queue as long as this. */
    public FabricConfig queue(long limit, long mark) {
        return new FabricConfig(
                rate, delay, Long.MAX_VALUE, java.util.Collections.nCopies(QUEUES, limit), mark, order, spray);
    }
}
