package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.internal.server.ServerStatus;
import java.util.List;

/**
 * How far processes that are at work are apart. Where nothing bounds it, as with reads that wait for nobody, they
 * drift, and what the fast ones read is as old as the slow ones are behind.
 *
 * @param fastest the clock of the one that is ahead
 * @param slowest the clock of the one that is behind
 */
record Distance(int fastest, int slowest) {

    /** From here on it is told. */
    private static final int MUCH = 32;

    /** Who has ended is behind for good, and nobody waits for it. */
    static Distance of(ServerStatus status) {
        List<Integer> clocks = status.processes().stream()
                .filter(each -> each.state() == ServerStatus.State.CONNECTED || each.state() == ServerStatus.State.AWAY)
                .map(ServerStatus.OfProcess::clock)
                .sorted()
                .toList();
        return clocks.isEmpty() ? new Distance(0, 0) : new Distance(clocks.get(clocks.size() - 1), clocks.get(0));
    }

    int clocks() {
        return fastest - slowest;
    }

    /** What to tell of it; "" if there is nothing to tell. */
    String warning() {
        // A fifth of the way: less is what a slack of some clocks, or a pause, makes of a long run.
        return clocks() >= MUCH && clocks() >= fastest / 5
                ? "processes are " + clocks()
                        + " clocks apart: what the fast ones read may be as old; a slack bounds that"
                : "";
    }
}
