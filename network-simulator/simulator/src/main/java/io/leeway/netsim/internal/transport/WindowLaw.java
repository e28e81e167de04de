package io.leeway.netsim.internal.transport;

/**
 * How the window of a {@link WindowFlow} moves. The constants are the public defaults of each transport; those of pFabric are
 * for 10 Gbit/s and 14.6 us, and grow with what fits into a round trip.
 */
enum WindowLaw {
    /** Half of the window at a loss. */
    TCP(10, 200_000_000L),
    /** By the share of marked packets, smoothed with weight 1/16. */
    DCTCP(10, 200_000_000L),
    /** A fixed window and a short time-out: the switches schedule. */
    PFABRIC(12, 45_000_000L);

    private final double initialWindow;
    /** Picoseconds. */
    private final long minTimeout;

    WindowLaw(double initialWindow, long minTimeout) {
        this.initialWindow = initialWindow;
        this.minTimeout = minTimeout;
    }

    boolean marks() {
        return this == DCTCP;
    }

    /** Packets that may be on their way at first, where so many fit into a round trip. */
    double windowFor(double fitting) {
        return adapts() ? initialWindow : Math.max(initialWindow, Math.ceil(fitting));
    }

    /** The shortest time-out where a round trip takes so long in an idle network, in picoseconds. */
    long timeoutFor(long roundTrip) {
        return adapts() ? minTimeout : Math.max(minTimeout, 3 * roundTrip);
    }

    boolean adapts() {
        return this != PFABRIC;
    }
}
