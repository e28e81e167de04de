package io.leeway.netsim;

import io.leeway.netsim.internal.console.Arguments;
import io.leeway.netsim.internal.console.CommandException;
import io.leeway.netsim.internal.console.Console;
import io.leeway.netsim.internal.console.DidYouMean;
import io.leeway.netsim.internal.console.ProgressLine;
import io.leeway.netsim.internal.console.TextTable;
import io.leeway.netsim.internal.console.Usage;
import io.leeway.netsim.internal.console.Usage.Option;
import io.leeway.netsim.internal.console.Words;
import io.leeway.netsim.internal.training.Model;
import io.leeway.netsim.internal.training.Models;
import io.leeway.netsim.internal.training.Traces;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** The command line: {@code bin/netsim --help}. */
public final class NetsimCommand {

    private static final String PROGRAM = "netsim";
    private static final int DIFFERS = 1;
    private static final int WRONG = 2;

    private static final List<Usage> USAGES = List.of(
            new Usage(
                    PROGRAM,
                    "run",
                    "runs experiments and writes reports",
                    "EXPERIMENT...",
                    List.of("Prints the table and what was expected, and writes index.html, results.csv and"
                            + " checks.csv. With several experiments each has a directory of its own below the one"
                            + " given."),
                    List.of(
                            new Option("out", "DIRECTORY", "where reports go; report if not given"),
                            new Option("strict", "", "exit code 1 if anything expected is not so"))),
            new Usage(
                    PROGRAM,
                    "check",
                    "says all that is wrong with experiment files",
                    "EXPERIMENT...",
                    List.of(),
                    List.of()),
            new Usage(
                    PROGRAM,
                    "trace-synth",
                    "writes the trace of a model",
                    "MODEL DIRECTORY",
                    List.of("Models: " + String.join(", ", Models.names())
                            + ", and with modules added inception-v3+25-compute or inception-v3+25-network."),
                    List.of()),
            new Usage(
                    PROGRAM,
                    "trace-scale",
                    "computes faster",
                    "FROM TO",
                    List.of(),
                    List.of(
                            new Option("factor", "NUMBER", "how much faster, 0.000001 to 1000000; required"),
                            new Option("matching", "PATTERN", "only operations whose parameter's name matches"))),
            new Usage(
                    PROGRAM,
                    "trace-grow",
                    "repeats a module",
                    "FROM TO",
                    List.of(),
                    List.of(
                            new Option("copies", "NUMBER", "how many, 1 to 999; required"),
                            new Option("matching", "PATTERN", "the parameters of the module; required"))),
            new Usage(
                    PROGRAM,
                    "trace-jitter",
                    "makes the trace of another worker",
                    "FROM TO",
                    List.of(),
                    List.of(
                            new Option(
                                    "deviation", "NUMBER", "of the logarithm of its times, 0 to 1; 0.05 if not given"),
                            new Option("seed", "NUMBER", "1 if not given"))),
            new Usage(
                    PROGRAM,
                    "trace-diff",
                    "says in what two traces differ; exit code 1 if in anything",
                    "ONE OTHER",
                    List.of(),
                    List.of()));

    private final Console console;

    NetsimCommand(Console console) {
        this.console = console;
    }

    /** Runs a command; the exit code is 0 if it worked, 1 if traces or results differ, 2 if something was wrong. */
    public static void main(String... arguments) {
        int code = new NetsimCommand(Console.ofProcess()).run(List.of(arguments));
        System.exit(code);
    }

    int run(List<String> words) {
        try {
            return command(words);
        } catch (CommandException | ExperimentFileException e) {
            console.err().println(e.getMessage());
        } catch (NoSuchFileException e) {
            console.err().println("netsim: there is no " + e.getMessage() + "; check the path.");
        } catch (IOException e) {
            console.err()
                    .println("netsim: cannot read or write " + e.getMessage()
                            + "; check the path, its rights and the room left.");
        } catch (PatternSyntaxException e) {
            console.err().println("netsim: --matching is no pattern: " + e.getDescription() + ".");
        } catch (IllegalArgumentException e) {
            console.err().println("netsim: " + e.getMessage());
        }
        return WRONG;
    }

    private int command(List<String> words) throws CommandException, ExperimentFileException, IOException {
        if (words.isEmpty() || words.get(0).equals("--help") || words.get(0).equals("help")) {
            console.out().print(help());
            return words.isEmpty() ? WRONG : 0;
        }
        String name = words.get(0);
        Usage usage = USAGES.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new CommandException(Words.sentence("netsim: there is no command " + name
                                + DidYouMean.hint(
                                        name, USAGES.stream().map(Usage::name).toList()))
                        + " See: netsim --help"));
        List<String> rest = words.subList(1, words.size());
        if (rest.contains("--help")) {
            console.out().print(usage.help());
            return 0;
        }
        Arguments arguments = Arguments.of(usage, rest);
        arguments.requireOperands();
        List<String> operands = arguments.operands();
        return switch (name) {
            case "run" -> runAll(arguments);
            case "check" -> checkAll(operands);
            case "trace-diff" -> diff(operands);
            case "trace-synth" -> write(Models.of(operands.get(0)), operands);
            default -> write(changed(arguments, name), operands);
        };
    }

    private static String help() {
        StringBuilder text =
                new StringBuilder("netsim - what a network or a training job would do\n\nUsage: netsim COMMAND\n\n");
        USAGES.forEach(usage -> Usage.line(text, usage.name(), usage.summary()));
        return text.append("\nnetsim COMMAND --help says more of one.\n").toString();
    }

    private static Model changed(Arguments arguments, String name) throws CommandException, IOException {
        Model from = Traces.read(Path.of(arguments.operands().get(0)));
        return switch (name) {
            case "trace-scale" ->
                Traces.scale(
                        from,
                        within(arguments, "factor", null, Double::parseDouble, 1e-6, 1e6),
                        pattern(arguments, ""));
            case "trace-grow" ->
                Traces.grow(
                        from,
                        (int) within(arguments, "copies", null, Integer::parseInt, 1, 999),
                        pattern(arguments, null));
            default ->
                Traces.jitter(from, within(arguments, "deviation", "0.05", Double::parseDouble, 0, 1), (long)
                        number(arguments, "seed", "1", Long::parseLong));
        };
    }

    private static String option(Arguments arguments, String name, @Nullable String otherwise) throws CommandException {
        String given = arguments.get(name);
        String value = given == null ? otherwise : given;
        if (value == null) {
            throw arguments.problem("--" + name + " is missing");
        }
        return value;
    }

    private static double number(
            Arguments arguments, String name, @Nullable String otherwise, Function<String, ? extends Number> parse)
            throws CommandException {
        String value = option(arguments, name, otherwise);
        try {
            return parse.apply(value).doubleValue();
        } catch (NumberFormatException e) {
            throw arguments.problem("--" + name + " cannot be " + value + ", which is no number of its kind");
        }
    }

    private static double within(
            Arguments arguments,
            String name,
            @Nullable String otherwise,
            Function<String, ? extends Number> parse,
            double least,
            double most)
            throws CommandException {
        double value = number(arguments, name, otherwise, parse);
        if (!(value >= least && value <= most)) {
            throw arguments.problem("--" + name + " has to be " + Report.number(least) + " to " + Report.number(most)
                    + ", not " + Report.number(value));
        }
        return value;
    }

    private static Pattern pattern(Arguments arguments, @Nullable String otherwise) throws CommandException {
        return Pattern.compile(option(arguments, "matching", otherwise));
    }

    private static int write(Model model, List<String> operands) throws IOException {
        Traces.write(model, Path.of(operands.get(1)));
        return 0;
    }

    private int diff(List<String> operands) throws IOException {
        List<String> lines = Traces.diff(Traces.read(Path.of(operands.get(0))), Traces.read(Path.of(operands.get(1))));
        lines.forEach(console.out()::println);
        return lines.isEmpty() ? 0 : DIFFERS;
    }

    private static Experiment parse(Path file) throws IOException, ExperimentFileException {
        Path directory = file.toAbsolutePath().getParent();
        return Experiment.parse(text(file), directory == null ? file : directory);
    }

    /** The text of a file; what is wrong with it names it. */
    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException(file + " is no text in UTF-8; save it as that", e);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(file + " (" + e.getMessage() + ")", e);
        }
    }

    private int checkAll(List<String> files) throws IOException {
        int code = 0;
        for (String file : files) {
            try {
                parse(Path.of(file));
                console.out().println(file + ": nothing is wrong");
            } catch (ExperimentFileException e) {
                console.err().println(file + ":\n" + e.getMessage());
                code = WRONG;
            }
        }
        return code;
    }

    private int runAll(Arguments arguments) throws CommandException, IOException, ExperimentFileException {
        String out = arguments.get("out");
        Path directory = Path.of(out == null ? "report" : out);
        List<String> files = arguments.operands();
        // All are read before the first is run: a mistake in the last is known at once.
        for (String file : files) {
            parse(Path.of(file));
        }
        Map<Path, String> targets = new HashMap<>();
        for (String file : files) {
            Path target = target(directory, files, file);
            String other = targets.put(target, file);
            if (other != null) {
                throw arguments.problem("The reports of " + other + " and " + file + " would both be " + target
                        + "; run them one after the other, with directories of their own");
            }
            requireWritable(target);
        }
        boolean differs = false;
        for (String file : files) {
            Path target = target(directory, files, file);
            Report report = simulate(name(file), Path.of(file));
            write(report, target);
            show(report, target);
            differs |= report.verdicts().stream().anyMatch(verdict -> !verdict.holds());
        }
        return differs && arguments.has("strict") ? DIFFERS : 0;
    }

    private static void write(Report report, Path target) throws IOException {
        try {
            report.writeTo(target);
        } catch (IOException e) {
            throw new IOException("the report in " + target + " (" + e.getMessage() + ")", e);
        }
    }

    private static String name(String file) {
        return String.valueOf(Path.of(file).getFileName()).replaceFirst("\\.ya?ml$", "");
    }

    private static Path target(Path directory, List<String> files, String file) {
        return files.size() == 1 ? directory : directory.resolve(name(file));
    }

    /** A run may take long: that its report has no place is better known before. */
    private static void requireWritable(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.delete(Files.createTempFile(directory, "netsim", ".tmp"));
    }

    private Report simulate(String name, Path file) throws IOException, ExperimentFileException {
        Experiment experiment = parse(file);
        try (ProgressLine line = ProgressLine.of(console, name)) {
            return experiment.run(share -> line.at(Math.round(share * 1_000), 1_000));
        }
    }

    private static final int ROWS_SHOWN = 60;

    private void show(Report report, Path target) {
        console.out().println(report.title());
        TextTable table = new TextTable(report.columns().toArray(String[]::new));
        report.rows().stream().limit(ROWS_SHOWN).forEach(row -> table.add(row.toArray(String[]::new)));
        console.out().print(table);
        if (report.rows().size() > ROWS_SHOWN) {
            console.out().println("... and " + Words.count(report.rows().size() - ROWS_SHOWN, "row") + " more");
        }
        if (!report.verdicts().isEmpty()) {
            console.out().println();
            TextTable checks = new TextTable("expected", "measured", "outcome");
            report.verdicts().forEach(verdict -> checks.add(verdict.claim(), verdict.measured(), verdict.outcome()));
            console.out().print(checks);
        }
        console.out().println();
        console.out()
                .println(Words.count(report.events(), "event") + ", " + Words.count(report.packets(), "packet")
                        + " delivered; report: " + target.resolve("index.html"));
    }
}
