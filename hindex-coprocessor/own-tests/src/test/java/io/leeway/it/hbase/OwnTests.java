package io.leeway.it.hbase;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Runs classes of HBase's own tests, whose tables all have indexes.
 *
 * <p>Each has a JVM of its own, as in HBase's own build: it was tried to let some share one, and every few times HBase's
 * second or third master in a JVM waited in vain for its first region.
 */
final class OwnTests {

    private static final String USAGE = """
            hbase-own-tests [--short] [--minutes N] [--seconds N] [--without] [--report FILE] [--list] [CLASS...]
              CLASS        of the list only those whose name contains this
              --short      the selection that every build runs
              --minutes N  no class is begun after so many minutes (35)
              --seconds N  a class is killed after so many seconds (600)
              --without    HBase as it comes, without indexes: whose fault is it?
              --report F   the results as a Markdown table
              --list       what would be run, and what is not, and why
              --terminal   name the test that runs (the script says so on a terminal)
            Ends with 0 if all passed, 1 if one did not, 2 for wrong arguments, 3 if the time was up before the last.""";

    private final Options options;
    private final PrintStream out;
    private final long start = System.nanoTime();
    private final List<OwnTestResult> results = new ArrayList<>();

    /**
     * What is asked for.
     *
     * @param atOnce how many run at a time; they wait for their servers more than they work
     */
    record Options(
            List<OwnTest> tests,
            int atOnce,
            Duration total,
            Duration each,
            boolean isIndexed,
            boolean isOnTerminal,
            Path directory) {}

    private OwnTests(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Runs all; results in the order of the tests. */
    static List<OwnTestResult> run(Options options, PrintStream out) throws IOException, InterruptedException {
        var run = new OwnTests(options, out);
        run.all();
        return run.results;
    }

    private void all() throws IOException, InterruptedException {
        ExecutorService lanes = Executors.newFixedThreadPool(options.atOnce());
        try {
            List<Future<OwnTestResult>> running = options.tests().stream()
                    .map(test -> lanes.submit(() -> isTimeUp() ? OwnTestResult.notRun(test) : run(test)))
                    .toList();
            for (Future<OwnTestResult> each : running) {
                add(each.get());
            }
        } catch (ExecutionException e) {
            throw new IOException("a class could not be run: " + e.getCause(), e);
        } finally {
            lanes.shutdownNow();
        }
    }

    private boolean isTimeUp() {
        return System.nanoTime() - start > options.total().toNanos();
    }

    private OwnTestResult run(OwnTest test) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(options.directory().resolve(test.name()));
        try (var jvm = OwnTestsJvm.start(test, options.isIndexed(), directory)) {
            return jvm.result(test, options.isIndexed(), options.each(), this::progress);
        }
    }

    private void progress(String what) {
        if (options.isOnTerminal()) {
            out.print("\r\033[K" + what + "\r");
            out.flush();
        }
    }

    private void add(OwnTestResult result) {
        results.add(result);
        out.printf(
                Locale.ROOT,
                "%3d/%d  %-8s %-58s %3d tests %6.1f s %8d entries%n",
                results.size(),
                options.tests().size(),
                result.status(),
                result.test().name(),
                result.run(),
                result.millis() / 1e3,
                result.entries());
        result.failures().forEach(failure -> out.println("    " + failure));
        out.flush();
    }

    /** See the script {@code hbase-own-tests}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.exit(run(arguments, System.out));
    }

    private static int run(String[] arguments, PrintStream out) throws IOException, InterruptedException {
        long minutes = 35;
        long seconds = 600;
        boolean isIndexed = true;
        boolean isShort = false;
        boolean isOnTerminal = false;
        boolean isList = false;
        Path report = null;
        var names = new ArrayList<String>();
        try {
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--minutes" -> minutes = Long.parseLong(arguments[++i]);
                    case "--seconds" -> seconds = Long.parseLong(arguments[++i]);
                    case "--report" -> report = Path.of(arguments[++i]);
                    case "--without" -> isIndexed = false;
                    case "--terminal" -> isOnTerminal = true;
                    case "--short" -> isShort = true;
                    case "--list" -> isList = true;
                    default -> names.add(arguments[i]);
                }
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            out.println(USAGE);
            return 2;
        }
        boolean shortOnly = isShort;
        List<OwnTest> tests = OwnTest.all().stream()
                .filter(test -> !shortOnly || test.isShort())
                .filter(test -> names.isEmpty() || names.stream().anyMatch(test.name()::contains))
                .toList();
        if (tests.isEmpty() || names.stream().anyMatch(name -> name.startsWith("-"))) {
            out.println(USAGE);
            return 2;
        }
        if (isList) {
            tests.forEach(test -> out.println(test.name() + " " + test.qualifiers()));
            OwnTest.leftOut().forEach(test -> out.println("not " + test.name() + ": " + test.reason()));
            return 0;
        }
        Path directory = Files.createTempDirectory("leeway-own-tests-");
        out.println("files and logs: " + directory);
        var options = new Options(
                tests, 1, Duration.ofMinutes(minutes), Duration.ofSeconds(seconds), isIndexed, isOnTerminal, directory);
        List<OwnTestResult> results = run(options, out);
        String summary = summary(results);
        out.println(summary);
        if (report != null) {
            Files.writeString(report, markdown(results, isIndexed));
        }
        boolean isComplete = results.stream().noneMatch(result -> result.status() == OwnTestResult.Status.NOT_RUN);
        boolean isGood =
                results.stream().allMatch(result -> result.isGood() || result.status() == OwnTestResult.Status.NOT_RUN);
        return isGood ? isComplete ? 0 : 3 : 1;
    }

    private static String summary(List<OwnTestResult> results) {
        return results.size() + " classes: "
                + results.stream()
                        .collect(Collectors.groupingBy(OwnTestResult::status, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(each ->
                                each.getValue() + " " + each.getKey().name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", "))
                + "; " + results.stream().mapToInt(OwnTestResult::run).sum() + " tests, "
                + results.stream().mapToLong(OwnTestResult::entries).sum() + " index entries written, "
                + results.stream().mapToLong(OwnTestResult::removals).sum() + " removed";
    }

    private static String markdown(List<OwnTestResult> results, boolean isIndexed) {
        var text = new StringBuilder()
                .append("HBase ")
                .append(VersionInfo.getVersion())
                .append(isIndexed ? ", every table with indexes, " : ", without hindex, ")
                .append(Instant.now().atZone(ZoneOffset.UTC).toLocalDate())
                .append(": ")
                .append(summary(results))
                .append(
                        ".\n\n| Class | Result | Tests | Skipped | Seconds | Entries written | removed |\n|---|---|---|---|---|---|---|\n");
        for (OwnTestResult result : results) {
            text.append(String.format(
                    Locale.ROOT,
                    "| `%s` | %s | %d | %d | %.0f | %d | %d |%n",
                    result.test().name(),
                    result.status().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    result.run(),
                    result.ignored(),
                    result.millis() / 1e3,
                    result.entries(),
                    result.removals()));
        }
        return text.toString();
    }
}
