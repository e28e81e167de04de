package io.leeway.lazytables.apps;

import io.leeway.lazytables.AdaptivePace;
import io.leeway.lazytables.LazyTablesException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/**
 * Starts an application from the command line: options that all have, what is printed, records, failures as messages.
 *
 * <p>For one thread.
 */
public final class Launch {

    /** Done. */
    public static final int DONE = 0;

    /** Something went wrong while it ran. */
    public static final int FAILED = 1;

    /** What was typed, or a file, cannot be used. */
    public static final int BAD_INPUT = 2;

    private final PrintStream out;
    private final Arguments arguments;
    private final long seed;

    /** What an application makes of its options. */
    public interface Program {

        /** Reads all its options, then runs. */
        void run(Arguments arguments, Launch launch);
    }

    private Launch(PrintStream out, Arguments arguments) {
        this.out = out;
        this.arguments = arguments;
        this.seed = arguments.seed();
    }

    /** Runs a program and returns the status to exit with. */
    public static int run(Program program, String... typed) {
        return run(program, System.out, System.err, typed);
    }

    static int run(Program program, PrintStream out, PrintStream err, String... typed) {
        try {
            Arguments arguments = Arguments.parse(typed);
            program.run(arguments, new Launch(out, arguments));
            return DONE;
        } catch (BadInputException bad) {
            err.println(bad.getMessage());
            return BAD_INPUT;
        } catch (LazyTablesException | DivergedException | IllegalStateException failed) {
            err.println(failed.getMessage());
            return FAILED;
        }
    }

    /** The seed of everything that is random. */
    public long seed() {
        return seed;
    }

    /** Prints a line. */
    public void say(String line) {
        out.println(line);
    }

    /** Runs an application with the options for that; there must be no other left. */
    public <R> Outcome<R> run(Application<R> application) {
        RunSettings settings = arguments.settings(seed);
        String file = arguments.text("log");
        arguments.refuseOthers();
        say("seed " + seed);
        Outcome<R> outcome =
                file == null ? Run.of(application, settings, RunLog.none()) : logged(application, settings, file);
        for (Point point : outcome.curve()) {
            sayPoint(application.measure(), point);
        }
        for (AdaptivePace.Decision each : outcome.paces()) {
            say(String.format(
                    Locale.ROOT,
                    "from clock %d: slack %d, work per clock %s%s",
                    each.clock(),
                    each.pace().slack(),
                    (double) each.pace().work() / settings.blocks(),
                    each.why().isEmpty() ? "" : " (" + each.why() + ")"));
        }
        say(String.format(
                Locale.ROOT,
                "%s %.6g after %d clocks, %.3f s, %d workers, %s%s",
                application.measure(),
                outcome.value(),
                outcome.clocks(),
                outcome.nanos() / 1e9,
                settings.workers(),
                settings.adaptive()
                        ? "adaptive"
                        : "slack " + settings.slackText() + ", work per clock "
                                + settings.work().inPasses(),
                outcome.atRest() ? ", at rest" : ""));
        return outcome;
    }

    private static <R> Outcome<R> logged(Application<R> application, RunSettings settings, String file) {
        try (Writer writer = Files.newBufferedWriter(Path.of(file))) {
            return Run.of(application, settings, RunLog.to(writer));
        } catch (IOException failed) {
            throw new BadInputException("cannot write " + file + ": " + failed.getMessage(), failed);
        }
    }

    /** Whether the reference is to be run instead. */
    public boolean isReference() {
        return arguments.isOn("reference");
    }

    /** Runs a reference in one thread for the passes that are asked for; the time of measuring is not counted. */
    public void inOneThread(String measure, Runnable pass, DoubleSupplier value) {
        int passes = arguments.whole("passes", 20, 1, 1_000_000);
        arguments.refuseOthers();
        say("seed " + seed);
        long nanos = 0;
        for (int i = 1; i <= passes; i++) {
            long start = System.nanoTime();
            pass.run();
            nanos += System.nanoTime() - start;
            sayPoint(measure, new Point(i, nanos, value.getAsDouble()));
        }
    }

    private void sayPoint(String measure, Point point) {
        say(String.format(
                Locale.ROOT,
                "passes %.1f: %s %.6g, %.3f s",
                point.passes(),
                measure,
                point.value(),
                point.nanos() / 1e9));
    }
}
