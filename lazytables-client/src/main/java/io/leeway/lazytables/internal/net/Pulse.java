package io.leeway.lazytables.internal.net;

/** Notices whether anything moves over a connection: something came, or the system took some of what waits for it. For the network thread. */
final class Pulse {

    private boolean heard;
    private long pendingBefore;
    private int silentTicks;

    /** Something came. */
    void heard() {
        heard = true;
    }

    /** Whether anything has moved since the last time, with so many bytes waiting now. */
    boolean moves(long pending) {
        boolean moves = heard || pending < pendingBefore;
        pendingBefore = pending;
        heard = false;
        return moves;
    }

    /**
     * Once every heartbeat: for how many in a row nothing has moved. Ticks are counted, not time: a process that was stopped for long finds what has arrived meanwhile before it doubts.
     */
    int silentTicks(long pending) {
        silentTicks = moves(pending) ? 0 : silentTicks + 1;
        return silentTicks;
    }

    /** The next time is taken for one before which something has moved. */
    void beginAnew() {
        pendingBefore = Long.MAX_VALUE;
    }
}
