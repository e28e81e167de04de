package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.internal.server.ServerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How far processes are, as bars or in a line.
 *
 * @param goal the clocks that each process will complete, or 0 if nobody said
 */
record RunProgress(int goal) {

    /** Characters of a full bar. */
    private static final int WIDTH = 40;

    /**
     * A bar for each process; without a goal they are measured by the fastest.
     *
     * <p>Above the goal a bar stays full.
     */
    List<String> bars(ServerStatus status) {
        int full = goal > 0 ? goal : Math.max(1, fastest(status));
        var bars = new ArrayList<String>();
        for (ServerStatus.OfProcess each : status.processes()) {
            int filled = (int) ((long) WIDTH * Math.min(each.clock(), full) / full);
            bars.add(String.format(
                    Locale.ROOT,
                    "process %-3d [%s%s] clock %d%s%s",
                    each.process(),
                    "#".repeat(filled),
                    ".".repeat(WIDTH - filled),
                    each.clock(),
                    goal > 0 ? " of " + goal : "",
                    each.state() == ServerStatus.State.AWAY ? ", not connected" : ""));
        }
        String apart = Distance.of(status).warning();
        if (!apart.isEmpty()) {
            bars.add(apart);
        }
        return bars;
    }

    /** The same in a line. */
    String line(ServerStatus status) {
        String apart = Distance.of(status).warning();
        return "clock " + status.globalClock() + (goal > 0 ? " of " + goal : "") + " completed by all, "
                + fastest(status) + " by the fastest of " + status.processes().size()
                + (apart.isEmpty() ? "" : "; " + apart);
    }

    private static int fastest(ServerStatus status) {
        return status.processes().stream()
                .mapToInt(ServerStatus.OfProcess::clock)
                .max()
                .orElse(0);
    }
}
