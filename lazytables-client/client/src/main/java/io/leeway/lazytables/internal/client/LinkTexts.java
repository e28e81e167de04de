package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.internal.wire.Protocol;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a process waits for at servers, for people. */
final class LinkTexts {

    /*
     * Whoever waits is told what for: which row, which clock, which process or worker holds it up, and of the server in
     * between whether it can be spoken to at all. So texts are made of what the process knows by itself, in the order
     * in which a person would look: connection, handshake, clock, and only then the server's silence.
     *
     * hopeless() is the one that decides: it ends a wait before the time limit, and must not do so where the wait could
     * still end well. So it believes the server that has the row, and only while that has let this process in: its word
     * of before may be older than a successor.
     */

    private LinkTexts() {}

    /** What a server that does not answer is held up by, behind what is needed of it. */
    static String waiting(ServerLink link, String what, int required) {
        if (!link.isConnected()) {
            return what + ", and server " + link.server + ", which has it, is not connected";
        }
        if (!link.isWelcome()) {
            return what + ", and server " + link.server
                    + ", which has it, has not answered this process's first message";
        }
        if (link.globalClock < required) {
            return what + ", and server " + link.server + " is at clock " + link.globalClock + ", held back by process "
                    + link.slowest;
        }
        return what + ", and server " + link.server + " has not answered";
    }

    /** Why what needs this clock of a server does not come; null if it may. */
    static @Nullable LazyTablesException hopeless(ServerLink link, int required) {
        // A clock that has come needs nobody any more; but where a part of a process's updates is gone, the answer
        // would lack it for ever, whatever the clock says.
        if (!link.isWelcome() || link.globalClock >= required && link.outlook != Protocol.GONE) {
            return null;
        }
        String who = "Clock " + required + " is needed, and process " + link.slowest;
        return switch (link.outlook) {
            // Nobody can take its place: it was not set to be replaced.
            case Protocol.UNFINISHED ->
                LazyTablesException.of(
                        LazyTablesException.Code.UNFINISHED,
                        who + " closed at clock " + link.globalClock
                                + " before it was done: see its error. A process that is done calls LazyTables.end()"
                                + " before close()");
            case Protocol.GONE ->
                LazyTablesException.of(
                        LazyTablesException.Code.LOST,
                        who + " cannot be continued: it ended, and with it a server that had not stored what the"
                                + " process sent last, so that a part of its updates is gone. Begin the run anew");
            default -> null;
        };
    }

    /**
     * Which worker the updates of others wait for, as a text for people. The slowest of those that have not ended: who
     * has ended holds nobody back.
     */
    static String unsent(long bytes, List<WorkerCore> workers) {
        WorkerCore slowest = workers.get(0);
        for (WorkerCore worker : workers) {
            slowest = worker.holdsBackAt() < slowest.holdsBackAt() ? worker : slowest;
        }
        return "About " + bytes + " bytes of updates wait for worker " + slowest.index
                + " of this process, which has completed " + slowest.clock + " clocks";
    }

    /** What servers do not have of what the process completed. */
    static String undelivered(List<ServerLink> links) {
        return links.stream()
                .filter(link -> !link.kept.isEmpty() || !link.hasEnd())
                .map(LinkTexts::lacks)
                .collect(Collectors.joining("; "));
    }

    private static String lacks(ServerLink link) {
        IntSummaryStatistics clocks = link.kept.stream()
                .filter(part -> !part.end)
                .mapToInt(part -> part.clock)
                .summaryStatistics();
        String what = clocks.getCount() == 0
                // All clocks are there, and only the last word is not.
                ? "that this process ends"
                : "clocks " + clocks.getMin() + " to " + clocks.getMax();
        return "server " + link.server
                + (link.isWelcome() ? " has not taken, or not stored, " : ", which is not connected, lacks ") + what;
    }

    /**
     * Why so much is kept, as a text for people. The limit is one for all servers together, so the one that most is
     * kept for is named: it is the one to look at.
     */
    static String kept(List<ServerLink> links) {
        long bytes = 0;
        ServerLink most = links.get(0);
        for (ServerLink link : links) {
            bytes += link.keptBytes;
            most = link.keptBytes > most.keptBytes ? link : most;
        }
        return "About " + bytes + " bytes of updates are kept, of which " + most.keptBytes + " are for server "
                + most.server
                + whyKept(most);
    }

    private static String whyKept(ServerLink link) {
        if (!link.isWelcome()) {
            // Before all else: what is not connected takes and stores nothing.
            return ", which is not connected";
        }
        return link.sent < link.made
                ? ", which takes them slowly: not all are sent"
                : ", which has not stored a snapshot that holds them: see its log";
    }
}
