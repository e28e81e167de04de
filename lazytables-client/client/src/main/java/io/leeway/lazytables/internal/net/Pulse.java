package io.leeway.lazytables.internal.net;

/**
 * Notices whether anything moves over a connection: something came, or the system took some of what had to wait, be it
 * that as much came behind it. What did not have to wait says nothing of the other side: the system takes it for a dead
 * one, too. For the network thread.
 */
final class Pulse {

    private boolean heard;
    private long takenBefore;
    private boolean waitedBefore;
    private int silentTicks;

    /** Something came. */
    void heard() {
        heard = true;
    }

    /**
     * Whether anything has moved since the last time, with so many bytes taken by the system and so many waiting by
     * now.
     */
    boolean moves(long taken, long waiting) {
        boolean moves = heard || waitedBefore && taken > takenBefore;
        takenBefore = taken;
        waitedBefore = waiting > 0;
        heard = false;
        return moves;
    }

    /**
     * Once every heartbeat: for how many in a row nothing has moved. Ticks are counted, not time: a process that was
     * stopped for long finds what has arrived meanwhile before it doubts.
     */
    int silentTicks(long taken, long waiting) {
        silentTicks = moves(taken, waiting) ? 0 : silentTicks + 1;
        return silentTicks;
    }

    /** The next time is taken for one before which something has moved. */
    void beginAnew() {
        heard = true;
    }
}
