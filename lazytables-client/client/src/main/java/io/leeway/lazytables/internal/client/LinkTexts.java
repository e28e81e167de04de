package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.internal.wire.Protocol;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a process waits for at servers, for people. */
final class LinkTexts {

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
        if (!link.isWelcome() || link.globalClock >= required && link.outlook != Protocol.GONE) {
            return null;
        }
        String who = "Clock " + required + " is needed, and process " + link.slowest;
        return switch (link.outlook) {
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

    /** Which worker the updates of others wait for, as a text for people. */
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
                ? "that this process ends"
                : "clocks " + clocks.getMin() + " to " + clocks.getMax();
        return "server " + link.server
                + (link.isWelcome() ? " has not taken, or not stored, " : ", which is not connected, lacks ") + what;
    }

    /** Why so much is kept, as a text for people. */
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
            return ", which is not connected";
        }
        return link.sent < link.made
                ? ", which takes them slowly: not all are sent"
                : ", which has not stored a snapshot that holds them: see its log";
    }
}
