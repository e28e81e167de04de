package io.leeway.lazytables.apps;

import io.leeway.lazytables.AdaptivePace;
import io.leeway.lazytables.LazyTablesException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

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
    private final PrintStream err;
    private final Arguments arguments;
    private final long seed;

    /** What an application makes of its options. */
    public interface Program {

        /** Reads all its options, then runs. */
        void run(Arguments arguments, Launch launch);
    }

    private Launch(PrintStream out, PrintStream err, Arguments arguments) {
        this.out = out;
        this.err = err;
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
            program.run(arguments, new Launch(out, err, arguments));
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
        String file = arguments.log(settings);
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

    private <R> Outcome<R> logged(Application<R> application, RunSettings settings, String file) {
        Writer writer = records(file, settings.resumes());
        RunLog log = RunLog.to(writer);
        try {
            return Run.of(application, settings, log);
        } finally {
            close(writer, file, log.fault());
        }
    }

    /** Who resumes writes behind what the one before it wrote, whose last line may be cut. */
    private static Writer records(String file, boolean resumes) {
        try {
            Path path = Path.of(file);
            if (!resumes || !Files.exists(path)) {
                return Files.newBufferedWriter(path);
            }
            boolean isCut = isCut(path);
            Writer writer = Files.newBufferedWriter(path, StandardOpenOption.APPEND);
            return isCut ? writer.append('\n') : writer;
        } catch (IOException | InvalidPathException failed) {
            throw new BadInputException("cannot write " + file + ": " + failed.getMessage(), failed);
        }
    }

    private static boolean isCut(Path path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            if (file.length() == 0) {
                return false;
            }
            file.seek(file.length() - 1);
            return file.read() != '\n';
        }
    }

    private void close(Writer writer, String file, @Nullable IOException fault) {
        IOException first = fault;
        try {
            writer.close();
        } catch (IOException failed) {
            first = first == null ? failed : first;
        }
        if (first != null) {
            err.println("the records in " + file + " are not whole: " + first.getMessage());
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
