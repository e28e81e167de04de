package io.leeway.netsim.internal.transport;

/** How the window of a {@link WindowFlow} moves. The constants are the public defaults of each transport. */
enum WindowLaw {
    /** Half of the window at a loss. */
    TCP(10, 200_000_000L),
    /** By the share of marked packets, smoothed with weight 1/16. */
    DCTCP(10, 200_000_000L),
    /** A fixed window and a short time-out: the switches schedule. */
    PFABRIC(12, 45_000_000L);

    final double initialWindow;
    /** Picoseconds. */
    final long minTimeout;

    WindowLaw(double initialWindow, long minTimeout) {
        this.initialWindow = initialWindow;
        this.minTimeout = minTimeout;
    }

    boolean marks() {
        return this == DCTCP;
    }

    boolean adapts() {
        return this != PFABRIC;
    }
}
