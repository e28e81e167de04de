package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.config.DidYouMean;
import io.leeway.privoxy.internal.schema.SchemaUnavailableException;
import java.util.Arrays;
import java.util.List;

/** Finds the command and runs it; whatever goes wrong is told in words. */
public final class CommandLine {

    private static final List<Command> COMMANDS = List.of(
            new LintCommand(),
            new SchemaCommand(),
            new ExplainCommand(),
            new CheckCommand(),
            new ReportCommand(),
            new SuggestCommand(),
            new TemplatesCommand());

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
            if (asksForHelp
                    || rest.stream().takeWhile(word -> !word.equals("--")).anyMatch(CommandLine::isHelp)) {
                console.out().print(command.usage().help());
                return Command.FINE;
            }
            return command.run(Arguments.of(command.usage(), rest), console);
        } catch (CommandException problem) {
            console.err().println("privoxy: " + problem.getMessage());
        } catch (SchemaUnavailableException unavailable) {
            console.err().println("privoxy: " + unavailable.getMessage());
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
        for (Command command : COMMANDS) {
            if (command.usage().name().equals(name)) {
                return command;
            }
        }
        List<String> names =
                COMMANDS.stream().map(command -> command.usage().name()).toList();
        throw new CommandException(
                Words.sentence("there is no command " + name + DidYouMean.hint(name, names)) + " See: privoxy --help");
    }

    private static String help() {
        var text = new StringBuilder("privoxy - privacy policies for SQL databases\n\nUsage: privoxy COMMAND ...\n\n");
        text.append("Commands:\n");
        COMMANDS.forEach(command ->
                Usage.line(text, command.usage().name(), command.usage().summary()));
        text.append("\nprivoxy COMMAND --help tells more. Exit codes: 0 all is well, 1 something was found,\n");
        text.append("2 it could not be done.\n");
        return text.toString();
    }
}
