package io.leeway.lazybase.internal.cli;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseOption;
import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.internal.console.Arguments;
import io.leeway.lazybase.internal.console.CommandException;
import io.leeway.lazybase.internal.console.Console;
import io.leeway.lazybase.internal.console.DidYouMean;
import io.leeway.lazybase.internal.console.Usage;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;

/** What {@code bin/lazybase} does: finds the command, takes its words apart, says what is wrong with them. */
public final class CommandLine {

    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;
    private static final String CONFIG = "config";

    private final Console console;
    private final Map<String, Command> commands = new LinkedHashMap<>();

    /** With what starts a server. */
    public CommandLine(Console console, Function<LazyBaseOptions, AutoCloseable> server) {
        this.console = console;
        List<Usage.Option> options = options();
        new ServerCommands(server).all(options).forEach(this::add);
        ClientCommands.all(options).forEach(this::add);
        StoreCommands.all(options).forEach(this::add);
    }

    private void add(Command command) {
        commands.put(command.usage().name(), command);
    }

    /** Every command takes the server's options, without their prefix. */
    private static List<Usage.Option> options() {
        var options = new ArrayList<Usage.Option>();
        options.add(new Usage.Option(CONFIG, "FILE", "options in a file, under their whole keys"));
        for (LazyBaseOption<?> option : LazyBaseOptions.all()) {
            String name = option.key().substring(LazyBaseOptions.PREFIX.length());
            String preset = option.preset().isEmpty() ? "" : " (" + option.preset() + ")";
            options.add(new Usage.Option(name, "VALUE", option.text() + preset));
        }
        return options;
    }

    /** Runs a command; returns the exit code: 0 if all went well, 1 if not, 2 if the words make no sense. */
    public int run(String... words) {
        if (words.length == 0 || isHelp(words[0])) {
            (words.length == 0 ? console.err() : console.out()).print(overview());
            return words.length == 0 ? MISUSED : OK;
        }
        Command command = commands.get(words[0]);
        if (command == null) {
            console.err()
                    .println("lazybase: there is no command " + words[0] + DidYouMean.hint(words[0], commands.keySet())
                            + " See: bin/lazybase --help");
            return MISUSED;
        }
        List<String> rest = Arrays.asList(words).subList(1, words.length);
        if (rest.stream().anyMatch(CommandLine::isHelp)) {
            console.out().print(command.usage().help());
            return OK;
        }
        Call call;
        try {
            call = call(Arguments.of(command.usage(), rest));
            call.arguments().requireOperands();
        } catch (CommandException e) {
            console.err().println("lazybase: " + e.getMessage());
            return MISUSED;
        }
        return run(command, call);
    }

    private int run(Command command, Call call) {
        try {
            return command.body().run(call);
        } catch (CommandException | LazyBaseException e) {
            console.err().println("lazybase: " + e.getMessage());
        } catch (NoSuchFileException e) {
            console.err().println("lazybase: there is no file " + e.getMessage());
        } catch (IOException e) {
            console.err().println("lazybase: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return FAILED;
    }

    private static boolean isHelp(String word) {
        return word.equals("--help") || word.equals("-h") || word.equals("help");
    }

    private String overview() {
        var text = new StringBuilder("Usage: bin/lazybase COMMAND [options]\n\n");
        commands.values()
                .forEach(command -> Usage.line(
                        text,
                        command.usage().name() + " " + command.usage().operands(),
                        command.usage().summary()));
        return text.append(
                        "\nbin/lazybase COMMAND --help says more. Options of the server are those of every command.\n")
                .toString();
    }

    private Call call(Arguments arguments) throws CommandException {
        var given = new HashMap<String, String>();
        for (String file : arguments.all(CONFIG)) {
            config(Path.of(file)).forEach(given::putIfAbsent);
        }
        for (LazyBaseOption<?> option : LazyBaseOptions.all()) {
            String value = arguments.get(option.key().substring(LazyBaseOptions.PREFIX.length()));
            if (value != null) {
                given.put(option.key(), value);
            }
        }
        return new Call(console, arguments, given);
    }

    private static Map<String, String> config(Path file) throws CommandException {
        var properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandException("--config: " + file + " cannot be read: " + e, e);
        }
        var given = new HashMap<String, String>();
        properties.forEach((key, value) -> given.put(key.toString(), value.toString()));
        return given;
    }
}
