package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.guard.Trial;
import io.leeway.privoxy.internal.policy.LoadedPolicy;
import io.leeway.privoxy.internal.traffic.JsonException;
import io.leeway.privoxy.internal.traffic.TrafficReader;
import io.leeway.privoxy.internal.traffic.TrafficRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes a page about recorded traffic. */
final class ReportCommand implements Command {

    private static final String PAGE = "privoxy-report.html";

    private static final Usage USAGE = new Usage(
            "report",
            "write a page about recorded traffic",
            "RECORDING...",
            List.of("""
                    Decisions by stage and time, refused queries with reasons, slowest decisions. With a policy and its
                    tables also the templates that the traffic leads to, and how much each view is needed. The page is
                    one file, needs no network, and shows query texts without literals, no data.
                    """.strip()),
            Workspace.and(new Usage.Option("output", "FILE", "the page; " + PAGE + " if not given")));

    @Override
    public Usage usage() {
        return USAGE;
    }

    @Override
    public int run(Arguments arguments, Console console) throws CommandException {
        var statistics = new Statistics();
        read(arguments.operands(), statistics, console);
        var page = new ReportPage(statistics, String.join(", ", arguments.operands()));
        if (!arguments.all("policy").isEmpty()) {
            try (Workspace workspace = Workspace.open(arguments, console)) {
                again(arguments, workspace, page, console);
            }
        }
        String file = Objects.requireNonNullElse(arguments.get("output"), PAGE);
        TextFiles.write(file, page.html());
        console.out()
                .println(file + ": " + Words.count(statistics.all.count, "decision") + " on "
                        + Words.count(statistics.queries(), "query"));
        return FINE;
    }

    private static void read(List<String> files, Statistics statistics, Console console) throws CommandException {
        if (files.isEmpty()) {
            throw new CommandException("name the recordings, the files that privoxyRecord wrote");
        }
        try (Progress progress = Progress.of(console, "Reading")) {
            for (String file : files) {
                long size = Files.size(TextFiles.path(file));
                try (TrafficReader reader = TrafficReader.open(TextFiles.path(file))) {
                    for (TrafficRecord record = reader.next(); record != null; record = reader.next()) {
                        if (record instanceof TrafficRecord.Decided decided) {
                            statistics.add(decided);
                        }
                        progress.at(reader.position(), size);
                    }
                }
            }
        } catch (IOException unreadable) {
            throw TextFiles.cannot("read", String.join(", ", files), unreadable);
        } catch (JsonException broken) {
            throw new CommandException(broken.getMessage() + "; this is no line that privoxyRecord wrote", broken);
        }
    }

    /** Decides anew, for what a recording does not tell. */
    private static void again(Arguments arguments, Workspace workspace, ReportPage page, Console console)
            throws CommandException {
        LoadedPolicy loaded = workspace.policy(arguments);
        PrivoxyConfig config = Workspace.config(arguments, Map.of());
        Trial trial = workspace.trial(config, loaded);
        var use = new ViewUse();
        Replay.run(arguments.operands(), console, statement -> {
            Trial.Result now = statement.under(trial);
            use.add(now);
            return now;
        });
        page.templates(trial.templates(), trial.schema());
        PrivoxyConfig anew = Workspace.config(arguments, Map.of(PrivoxyOptions.TEMPLATE_USE.key(), "none"));
        try (Progress progress = Progress.of(console, "Trying without each view")) {
            page.views(use.uses(workspace, anew, loaded, progress), use.questions());
        }
    }
}
