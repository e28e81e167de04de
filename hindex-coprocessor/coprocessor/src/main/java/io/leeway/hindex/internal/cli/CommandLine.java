package io.leeway.hindex.internal.cli;

import io.leeway.hindex.internal.config.DidYouMean;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** Finds the command and runs it; whatever goes wrong is told in words. */
public final class CommandLine {

    private static final List<Command> COMMANDS = Commands.all();

    private CommandLine() {}

    /** Runs a command; the exit code of the process. */
    public static int run(String[] words, Console console) {
        List<String> all = Arrays.asList(words);
        if (all.isEmpty() || isHelp(all.get(0)) || (all.get(0).equals("help") && all.size() == 1)) {
            (all.isEmpty() ? console.err() : console.out()).print(help());
            return all.isEmpty() ? Command.FAILED : Command.FINE;
        }
        try {
            boolean asksForHelp = all.get(0).equals("help");
            Command command = find(asksForHelp ? all.get(1) : all.get(0));
            List<String> rest = all.subList(1, all.size());
            if (asksForHelp || rest.stream().anyMatch(CommandLine::isHelp)) {
                console.out().print(command.usage().help());
                return Command.FINE;
            }
            Arguments arguments = Arguments.of(command.usage(), rest);
            try (Connection connection = Site.connect(arguments)) {
                return command.action().run(arguments, connection, console);
            }
        } catch (CommandException | IOException | IllegalArgumentException | IllegalStateException problem) {
            console.err().println("hindex: " + problem.getMessage());
        } finally {
            console.out().flush();
            console.err().flush();
        }
        return Command.FAILED;
    }

    private static boolean isHelp(String word) {
        return word.equals("--help") || word.equals("-h");
    }

    private static Command find(String name) throws CommandException {
        List<String> names =
                COMMANDS.stream().map(command -> command.usage().name()).toList();
        return COMMANDS.stream()
                .filter(command -> command.usage().name().equals(name))
                .findAny()
                .orElseThrow(() -> new CommandException(
                        Words.sentence("there is no command " + name + DidYouMean.hint(name, names))
                                + " See: hindex --help"));
    }

    private static String help() {
        var text =
                new StringBuilder("hindex - secondary indexes for HBase\n\nUsage: hindex COMMAND ...\n\nCommands:\n");
        COMMANDS.forEach(command ->
                Usage.line(text, command.usage().name(), command.usage().summary()));
        text.append("\nhindex COMMAND --help tells more. Exit codes: 0 all is well, 1 something was found,\n");
        text.append("2 it could not be done.\n");
        return text.toString();
    }
}
