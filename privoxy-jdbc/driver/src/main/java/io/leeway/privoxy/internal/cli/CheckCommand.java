package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.console.Arguments;
import io.leeway.privoxy.internal.console.CommandException;
import io.leeway.privoxy.internal.console.Console;
import io.leeway.privoxy.internal.console.Usage;
import io.leeway.privoxy.internal.console.Words;
import io.leeway.privoxy.internal.guard.Trial;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Decides on recorded traffic under another policy, and tells what comes out differently. */
final class CheckCommand implements Command {

    private static final int WIDTH = 120;

    private static final Usage USAGE = new Usage(
            PROGRAM,
            "check",
            "tell what a policy would decide differently on recorded traffic",
            "RECORDING...",
            List.of(
                    "Recordings are what privoxyRecord=FILE wrote, plain or with gzip. Nothing is sent to a database.",
                    "Exit code: 0 nothing that was allowed is refused, 1 something is, 2 it could not be done."),
            Workspace.and());

    @Override
    public Usage usage() {
        return USAGE;
    }

    @Override
    public int run(Arguments arguments, Console console) throws CommandException {
        try (Workspace workspace = Workspace.open(arguments, console)) {
            Trial trial = workspace.trial(
                    Workspace.config(arguments, Map.of(PrivoxyOptions.TEMPLATE_USE.key(), "none")),
                    workspace.policy(arguments));
            var differences = new Differences();
            Replay.Summary summary = Replay.run(arguments.operands(), console, statement -> {
                Trial.Result now = statement.under(trial);
                differences.add(statement, now);
                return now;
            });
            differences.print(summary, console.out());
            return differences.refused.isEmpty() ? FINE : FOUND;
        }
    }

    /** Queries that are decided otherwise than before. */
    private static final class Differences {

        private final Map<String, Query> refused = new LinkedHashMap<>();
        private final Map<String, Query> allowed = new LinkedHashMap<>();
        private final Set<String> disturbed = new HashSet<>();
        private long allowedAsBefore;
        private long refusedAsBefore;

        void add(Replay.Statement statement, Trial.Result now) {
            boolean was = statement.wasAllowed();
            if (was == now.isCompliant()) {
                allowedAsBefore += was ? 1 : 0;
                refusedAsBefore += was ? 0 : 1;
                return;
            }
            String request = statement.recorded().request();
            String why = was
                    ? Objects.requireNonNull(now.refusal()).reason()
                    : statement.recorded().decision().reason();
            Query query =
                    (was ? refused : allowed).computeIfAbsent(now.queryId(), id -> new Query(id, now.query(), why));
            query.count++;
            if (was && request != null && !disturbed.add(request)) {
                query.following++;
            }
        }

        void print(Replay.Summary summary, PrintStream out) {
            out.println(Words.count(summary.statements, "statement") + " of " + Words.count(summary.requests, "request")
                    + (summary.first == null ? "" : ", recorded from " + summary.first + " to " + summary.last));
            line(out, allowedAsBefore, "allowed, as before");
            line(out, refusedAsBefore, "refused, as before");
            line(out, sum(refused), "allowed before, refused now");
            line(out, sum(allowed), "refused before, allowed now");
            remarks(summary, out);
            list("Refused now", refused, out);
            list("Allowed now", allowed, out);
        }

        private static void line(PrintStream out, long count, String what) {
            out.println("%9s  %s".formatted(Words.number(count), what));
        }

        private static long sum(Map<String, Query> queries) {
            return queries.values().stream().mapToLong(query -> query.count).sum();
        }

        private static void list(String title, Map<String, Query> queries, PrintStream out) {
            if (queries.isEmpty()) {
                return;
            }
            out.println();
            out.println(title);
            var sorted = new ArrayList<>(queries.values());
            sorted.sort(Comparator.comparingLong((Query query) -> query.count).reversed());
            for (Query query : sorted) {
                out.println("%9s  %s  %s"
                        .formatted(Words.number(query.count) + "x", query.id, Words.line(query.text, WIDTH)));
                out.println(" ".repeat(11) + query.reason);
                if (query.following > 0) {
                    out.println(
                            " ".repeat(11) + Words.number(query.following)
                                    + " of these after an earlier refusal in the same request, whose rows may be what is missing");
                }
            }
        }
    }

    /** What was missing in a recording. */
    static void remarks(Replay.Summary summary, PrintStream out) {
        if (summary.withoutText > 0) {
            line(out, summary.withoutText, "not looked at: their text was too long to be recorded");
        }
        if (summary.lostLines > 0) {
            line(
                    out,
                    summary.lostLines,
                    "lines were lost while recording; what came after may be decided too strictly");
        }
        if (summary.cutOff) {
            out.println("           the last line is cut off and was passed over");
        }
    }

    private static void line(PrintStream out, long count, String what) {
        out.println("%9s  %s".formatted(Words.number(count), what));
    }

    /** A query that is decided differently. */
    private static final class Query {
        private final String id;
        private final String text;
        private final String reason;
        private long count;
        private long following;

        Query(String id, String text, String reason) {
            this.id = id;
            this.text = text;
            this.reason = reason;
        }
    }
}
