package io.leeway.netsim;

import io.leeway.netsim.internal.training.Model;
import io.leeway.netsim.internal.training.Models;
import io.leeway.netsim.internal.training.Traces;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The command line: {@code bin/netsim --help}. */
public final class NetsimCommand {

    private static final String HELP = """
            bin/netsim run experiment.yaml [directory]        runs it; the report goes to directory (default: report)
            bin/netsim check experiment.yaml                  says all that is wrong with it
            bin/netsim trace-synth model directory            writes the trace of a model: %s
            bin/netsim trace-scale from to factor [pattern]   computes faster, where the parameter's name matches
            bin/netsim trace-grow from to copies pattern      repeats the parameters that match
            bin/netsim trace-jitter from to deviation seed    the trace of another worker
            bin/netsim trace-diff one other                   what differs
            """.formatted(String.join(", ", Models.names()));

    private final PrintStream out;
    private final PrintStream err;

    NetsimCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs a command; the exit code is 0 if it worked, 1 if a trace differs, 2 if something was wrong. */
    public static void main(String... arguments) {
        int code = new NetsimCommand(System.out, System.err).run(List.of(arguments));
        System.out.flush();
        System.exit(code);
    }

    int run(List<String> arguments) {
        if (arguments.isEmpty() || arguments.contains("--help")) {
            out.print(HELP);
            return arguments.isEmpty() ? 2 : 0;
        }
        try {
            return command(arguments);
        } catch (ExperimentFileException e) {
            err.println(e.getMessage());
        } catch (IOException e) {
            err.println("netsim: cannot read or write " + e.getMessage() + "; check the path");
        } catch (IllegalArgumentException e) {
            err.println("netsim: " + e.getMessage());
        } catch (IndexOutOfBoundsException e) {
            err.println("netsim: an argument is missing; see bin/netsim --help");
        }
        return 2;
    }

    private int command(List<String> words) throws IOException, ExperimentFileException {
        switch (words.get(0)) {
            case "check" -> {
                parse(Path.of(words.get(1)));
                out.println("nothing is wrong");
            }
            case "run" -> simulate(Path.of(words.get(1)), Path.of(words.size() > 2 ? words.get(2) : "report"));
            case "trace-synth" -> Traces.write(Models.of(words.get(1)), Path.of(words.get(2)));
            case "trace-scale" ->
                Traces.write(
                        Traces.scale(
                                read(words),
                                Double.parseDouble(words.get(3)),
                                Pattern.compile(words.size() > 4 ? words.get(4) : "")),
                        Path.of(words.get(2)));
            case "trace-grow" ->
                Traces.write(
                        Traces.grow(read(words), Integer.parseInt(words.get(3)), Pattern.compile(words.get(4))),
                        Path.of(words.get(2)));
            case "trace-jitter" ->
                Traces.write(
                        Traces.jitter(read(words), Double.parseDouble(words.get(3)), Long.parseLong(words.get(4))),
                        Path.of(words.get(2)));
            case "trace-diff" -> {
                List<String> lines = Traces.diff(read(words), Traces.read(Path.of(words.get(2))));
                lines.forEach(out::println);
                return lines.isEmpty() ? 0 : 1;
            }
            default ->
                throw new IllegalArgumentException("there is no command " + words.get(0) + "; see bin/netsim --help");
        }
        return 0;
    }

    private static Model read(List<String> words) throws IOException {
        return Traces.read(Path.of(words.get(1)));
    }

    private static Experiment parse(Path file) throws IOException, ExperimentFileException {
        Path directory = file.toAbsolutePath().getParent();
        return Experiment.parse(Files.readString(file), directory == null ? file : directory);
    }

    private void simulate(Path file, Path directory) throws IOException, ExperimentFileException {
        Experiment experiment = parse(file);
        Report report = experiment.run(this::progress);
        err.println();
        report.writeTo(directory);
        out.println(String.join("\t", report.columns()));
        report.rows().forEach(row -> out.println(String.join("\t", row)));
        out.println(report.events() + " events, " + report.packets() + " packets delivered");
        out.println("report: " + directory.resolve("index.html") + ", " + directory.resolve("results.csv"));
    }

    private void progress(double share) {
        int filled = (int) (share * 40);
        err.print(String.format(
                Locale.ROOT, "\r[%s%s] %3.0f %%", "#".repeat(filled), " ".repeat(40 - filled), share * 100));
    }
}
