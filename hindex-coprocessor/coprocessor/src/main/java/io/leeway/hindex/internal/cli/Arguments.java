package io.leeway.hindex.internal.cli;

import io.leeway.hindex.internal.config.DidYouMean;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was given to a command, taken apart: {@code --name value} or {@code --name=value}, {@code --} ends the options. */
final class Arguments {

    private final Usage usage;
    private final List<Given> given = new ArrayList<>();
    private final List<String> operands = new ArrayList<>();

    /** An option as it was given. */
    record Given(String name, String value) {}

    private Arguments(Usage usage) {
        this.usage = usage;
    }

    static Arguments of(Usage usage, List<String> words) throws CommandException {
        var arguments = new Arguments(usage);
        boolean options = true;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (options && word.equals("--")) {
                options = false;
            } else if (options && word.startsWith("-") && word.length() > 1) {
                i = arguments.option(words, i);
            } else {
                arguments.operands.add(word);
            }
        }
        arguments.requireOperands();
        return arguments;
    }

    /** As many as the usage names; those in brackets may be left out. */
    private void requireOperands() throws CommandException {
        List<String> named = usage.operands().isEmpty()
                ? List.of()
                : List.of(usage.operands().split(" "));
        if (operands.size() > named.size()) {
            throw problem("\"" + operands.get(named.size()) + "\" is one word too many");
        }
        for (String missing : named.subList(operands.size(), named.size())) {
            if (!missing.startsWith("[")) {
                throw problem(missing + " is missing");
            }
        }
    }

    private int option(List<String> words, int at) throws CommandException {
        String word = words.get(at);
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Usage.Option option = find(name);
        if (option.isFlag()) {
            if (equals >= 0) {
                throw problem(name + " takes no value");
            }
            given.add(new Given(option.name(), ""));
            return at;
        }
        if (equals >= 0) {
            given.add(new Given(option.name(), word.substring(equals + 1)));
            return at;
        }
        if (at + 1 == words.size()) {
            throw problem(name + " needs a value: " + name + " " + option.value());
        }
        given.add(new Given(option.name(), words.get(at + 1)));
        return at + 1;
    }

    private Usage.Option find(String name) throws CommandException {
        for (Usage.Option option : usage.options()) {
            if (name.equals("--" + option.name())) {
                return option;
            }
        }
        List<String> known =
                usage.options().stream().map(option -> "--" + option.name()).toList();
        throw problem("there is no option " + name + DidYouMean.hint(name, known));
    }

    /** An error in how the command was called. */
    CommandException problem(String what) {
        return new CommandException(Words.sentence(what) + " See: hindex " + usage.name() + " --help");
    }

    /** What stands behind the options. */
    List<String> operands() {
        return List.copyOf(operands);
    }

    /** All options in the order in which they were given. */
    List<Given> given() {
        return List.copyOf(given);
    }

    /** Whether a flag was given. */
    boolean has(String name) {
        return given.stream().anyMatch(option -> option.name().equals(name));
    }

    /** The value of an option that may be given once; null if it was not. */
    @Nullable
    String get(String name) throws CommandException {
        List<String> values = all(name);
        if (values.size() > 1) {
            throw problem("--" + name + " is given more than once");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    /** The values of an option that may be repeated. */
    List<String> all(String name) {
        return given.stream()
                .filter(option -> option.name().equals(name))
                .map(Given::value)
                .toList();
    }
}
