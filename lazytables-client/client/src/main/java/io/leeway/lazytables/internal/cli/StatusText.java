package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.internal.console.TextTable;
import io.leeway.lazytables.internal.server.ServerStatus;
import java.util.Locale;

/** What a server knows, in plain words: first what it waits for, as that is why people mostly ask. Without state. */
final class StatusText {

    private StatusText() {}

    static String of(String address, ServerStatus status) {
        var text =
                new StringBuilder(address).append(": ").append(clocks(status)).append('\n');
        if (status.pendingReads() > 0) {
            text.append(count(status.pendingReads(), "read waits", "reads wait"))
                    .append(status.recovering() ? " until all is back.\n" : " for later clocks.\n");
        }
        if (!status.processes().isEmpty()) {
            text.append('\n').append(processes(status));
        }
        if (!status.tables().isEmpty()) {
            text.append('\n').append(tables(status));
        }
        String apart = Distance.of(status).warning();
        if (!apart.isEmpty()) {
            text.append('\n').append("Warning: ").append(apart).append(".\n");
        }
        return text.append('\n').append(traffic(status.traffic())).append('\n').toString();
    }

    /** From what holds all up to what is usual: it is being restored; not all have come; all have ended; at work. */
    private static String clocks(ServerStatus status) {
        int come = status.processes().size();
        if (status.recovering()) {
            return "it was restarted, and waits for what its " + count(status.expected(), "process", "processes")
                    + " sent before; " + status.connected() + " connected.";
        }
        if (come < status.expected()) {
            return "it waits for processes: " + come + " of " + status.expected() + " have come, process "
                    + status.slowest() + " has not.";
        }
        boolean ended = status.processes().stream()
                .allMatch(
                        each -> each.state() == ServerStatus.State.ENDED || each.state() == ServerStatus.State.DROPPED);
        if (ended) {
            return "all processes have ended, after clock " + status.globalClock() + ".";
        }
        return (status.expected() == 1 ? "the process has" : "all " + status.expected() + " processes have")
                + " completed clock " + status.globalClock() + slowest(status);
    }

    private static String slowest(ServerStatus status) {
        int most = status.processes().stream()
                .mapToInt(ServerStatus.OfProcess::clock)
                .max()
                .orElse(0);
        return most > status.globalClock()
                ? "; the fastest is " + count(most - status.globalClock(), "clock", "clocks") + " ahead of process "
                        + status.slowest() + "."
                : ".";
    }

    private static TextTable processes(ServerStatus status) {
        var table = new TextTable("process", "is", "workers", "clock", "updates");
        for (ServerStatus.OfProcess each : status.processes()) {
            table.add(
                    Integer.toString(each.process()),
                    word(each.state()),
                    Integer.toString(each.workers()),
                    Integer.toString(each.clock()),
                    number(each.updates()));
        }
        return table;
    }

    private static String word(ServerStatus.State state) {
        return switch (state) {
            case CONNECTED -> "connected";
            case AWAY -> "not connected";
            case ENDED -> "ended";
            case DROPPED -> "dropped";
            case UNFINISHED -> "closed, not done";
            case LOST -> "lost";
        };
    }

    private static TextTable tables(ServerStatus status) {
        var table = new TextTable("table", "rows", "put off", "made of");
        for (ServerStatus.OfTable each : status.tables()) {
            table.add(
                    Printable.of(each.name()),
                    number(each.rows()),
                    number(each.waitingWrites()),
                    Printable.of(each.kind()));
        }
        return table;
    }

    private static String traffic(Statistics.Traffic traffic) {
        return "Received " + bytes(traffic.bytesIn()) + " in " + count(traffic.messagesIn(), "message", "messages")
                + ", sent " + bytes(traffic.bytesOut()) + " in "
                + count(traffic.messagesOut(), "message", "messages") + ".";
    }

    private static String count(long number, String one, String several) {
        return number(number) + ' ' + (number == 1 ? one : several);
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /**
     * With three digits or so.
     *
     * <p>Goes to the next unit at a thousand, and not at 1024, so that it never has four digits.
     */
    static String bytes(long bytes) {
        double rest = bytes;
        int unit = 0;
        while (rest >= 1000 && unit < 4) {
            rest /= 1024;
            unit++;
        }
        String[] units = {"B", "KB", "MB", "GB", "TB"};
        return String.format(Locale.ROOT, unit == 0 || rest >= 100 ? "%.0f %s" : "%.1f %s", rest, units[unit]);
    }
}
