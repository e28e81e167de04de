package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOption;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.LazyTablesServer;
import io.leeway.lazytables.internal.config.Surroundings;
import io.leeway.lazytables.internal.remote.LastWords;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the arguments and runs the command. */
public final class CommandLine {

    /**
     * Begins the line that a server says when clients can connect.
     *
     * <p>{@code lazytables run} waits for it, and so may scripts: not to be changed.
     */
    static final String LISTENING = "listening at ";

    /** Exit codes: the command was right and did not succeed; or it was wrong. */
    private static final int FAILED = 1;

    private static final int USAGE = 2;

    private CommandLine() {}

    /**
     * Runs to the end of the command; the result is the exit code.
     *
     * <p>Faults are told in a line, without a stack trace: most are to be corrected by who typed the command.
     */
    public static int run(String... args) {
        List<String> words = List.of(args);
        if (words.isEmpty() || isHelp(words)) {
            System.out.print(help());
            return words.isEmpty() ? USAGE : 0;
        }
        try {
            List<String> rest = words.subList(1, words.size());
            return switch (words.get(0)) {
                case "server" -> server(Words.of(rest, Set.of()).optionsAlone());
                case "report" -> ReportCommand.run(rest, System.out);
                case "reshard" -> ReshardCommand.run(rest, System.out);
                case "run" -> RunCommand.run(rest, System.out);
                case "tables" -> TablesCommand.run(rest, System.out);
                case "status" -> StatusCommand.run(rest, System.out);
                default ->
                    throw Words.usage("there is no command " + words.get(0)
                            + "; there are: server, run, status, tables, report, reshard");
            };
        } catch (LazyTablesException e) {
            System.err.println("lazytables: " + e.getMessage());
            return e.code() == Code.CONFIGURATION || e.code() == Code.BAD_ARGUMENT ? USAGE : FAILED;
        }
    }

    /** Whether help is asked for. What stands behind -- is for the program that is run. */
    private static boolean isHelp(List<String> words) {
        int end = words.indexOf("--");
        return words.get(0).equals("help")
                || words.subList(0, end < 0 ? words.size() : end).contains("--help");
    }

    /** Runs a server until the process is told to end. */
    private static int server(Map<String, String> options) {
        Map<String, String> all = Surroundings.options();
        all.putAll(options);
        // Before the server is there: from its first message on there may be no memory left.
        LastWords.endProcess();
        LazyTablesServer server = LazyTablesServer.start(all);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "lazytables-end"));
        System.out.println(LISTENING + server.address());
        // At once, since somebody may be waiting for the line at the other end of a pipe.
        System.out.flush();
        server.awaitEnd();
        return 0;
    }

    private static String help() {
        var text = new StringBuilder("""
                lazytables server [--config=FILE] [--KEY=VALUE ...]
                  Runs a server until it is told to end. Keys may stand without "lazytables.".

                """);
        text.append(RunCommand.HELP)
                .append(StatusCommand.HELP)
                .append(TablesCommand.HELP)
                .append(ReportCommand.HELP)
                .append(ReshardCommand.HELP)
                .append("Options:\n");
        for (LazyTablesOption<?> option : LazyTablesOptions.all()) {
            String preset = option.preset().isEmpty() ? "" : " (" + option.preset() + ")";
            text.append("  --").append(option.key()).append(preset).append("\n      ");
            text.append(option.text()).append('\n');
        }
        return text.toString();
    }
}
