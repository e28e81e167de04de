package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.console.Arguments;
import io.leeway.privoxy.internal.console.CommandException;
import io.leeway.privoxy.internal.console.Console;
import io.leeway.privoxy.internal.console.Usage;
import io.leeway.privoxy.internal.console.Words;
import io.leeway.privoxy.internal.guard.Trial;
import io.leeway.privoxy.internal.policy.SourceText;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Suggests views that would answer the refused queries of recorded traffic. */
final class SuggestCommand implements Command {

    private static final int WIDTH = 110;

    private static final Usage USAGE = new Usage(
            PROGRAM,
            "suggest",
            "suggest views that would cover the refused queries of recorded traffic",
            "RECORDING...",
            List.of(
                    """
                    Prints policy text. Each view was tried: with it, and those before it, the policy answers the queries
                    named above it. What it shows may still be more than users should see: read it as a question.
                    Record in audit mode to let requests go on after a refusal.
                    """.strip(),
                    "Exit code: 0 all queries are answered with the suggestions, 1 some are not, 2 it could not be done."),
            Workspace.and());

    @Override
    public Usage usage() {
        return USAGE;
    }

    @Override
    public int run(Arguments arguments, Console console) throws CommandException {
        List<SourceText> sources = Workspace.sources(arguments, List.of());
        try (Workspace workspace = Workspace.open(arguments, console)) {
            workspace.policy(arguments);
            PrivoxyConfig config = Workspace.config(arguments, Map.of(PrivoxyOptions.TEMPLATE_USE.key(), "none"));
            var suggestions = new Suggestions(workspace, config, sources);
            Replay.run(arguments.operands(), console, suggestions::decide);
            suggestions.dropNeedless();
            return verified(arguments, suggestions, console);
        }
    }

    /** Decides on everything once more, with the policy as it is suggested. */
    private static int verified(Arguments arguments, Suggestions suggestions, Console console) throws CommandException {
        Map<String, String> refused = new LinkedHashMap<>();
        Trial trial = suggestions.trial();
        Replay.run(arguments.operands(), console, statement -> {
            Trial.Result now = statement.under(trial);
            if (now.refusal() != null) {
                refused.putIfAbsent(
                        now.queryId(),
                        Words.line(now.query(), WIDTH) + "\n--     "
                                + now.refusal().reason());
            }
            return now;
        });
        print(suggestions, refused, console.out());
        return refused.isEmpty() ? FINE : FOUND;
    }

    private static void print(Suggestions suggestions, Map<String, String> refused, PrintStream out) {
        List<Suggestions.Suggestion> views = suggestions.views();
        out.println("-- " + Words.count(views.size(), "view") + " suggested. Read each: does everybody whom it lets see"
                + " these rows have a right to?");
        for (Suggestions.Suggestion view : views) {
            out.println();
            view.queries().forEach((id, text) -> out.println("-- Query " + id + ": " + Words.line(text, WIDTH)));
            if (view.text().indexOf('?') < 0) {
                out.println("-- It shows the same to everybody.");
            }
            out.print(view.text());
        }
        if (!refused.isEmpty()) {
            out.println();
            out.println("-- Still refused:");
            refused.forEach((id, text) -> out.println("--   " + id + ": " + text));
        }
    }
}
