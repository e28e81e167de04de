package io.leeway.demo.lazytables;

import io.leeway.demo.Bars;
import io.leeway.demo.DemoContext;
import io.leeway.demo.Jars;
import io.leeway.demo.Table;
import io.leeway.demo.Teller;
import io.leeway.lazytables.apps.lda.LdaMain;
import io.leeway.lazytables.apps.mf.FactorMain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The scenes of the demo, one after the other. */
final class SharedModels {

    private static final List<Mode> MODES = List.of(
            new Mode("in step (BSP)", "bsp", List.of("--slack=0")),
            new Mode("slack 3 (SSP)", "ssp", List.of("--slack=3")),
            new Mode("adaptive", "adaptive", List.of("--adaptive")));
    private static final int TOPICS_SHOWN = 5;
    private static final int KILLED = 1;
    /** After so many passes. */
    private static final double KILL_AT = 4;

    private final Teller teller;
    private final Path pages;
    private final Path directory;
    private final int passes;
    private final int delayMillis;
    private final Path text;
    private final int ratingsPerUser;

    /**
     * A way to run an application.
     *
     * @param name for people
     * @param file how its files begin
     * @param options that make it so
     */
    private record Mode(String name, String file, List<String> options) {}

    /**
     * What is computed.
     *
     * @param name of its pages
     * @param measure for people
     * @param falls whether the measure falls when things get better
     * @param main its main class
     * @param options that all of its runs have
     */
    private record Program(String name, String measure, boolean falls, Class<?> main, List<String> options) {}

    SharedModels(DemoContext context) throws IOException {
        teller = context.teller();
        pages = context.directory();
        directory = emptied(pages.resolve("lazytables"));
        passes = context.shortOrLong(24, 80);
        delayMillis = context.shortOrLong(80, 150);
        ratingsPerUser = context.shortOrLong(40, 200);
        text = Jars.of("hbase-client", "-sources");
    }

    void show() throws Exception {
        teller.text(
                "Four workers, each a process of its own, share tables that two servers hold, which are processes, too. In"
                        + " every pass one of the workers is made slow, as by a neighbour on its machine: it loses %d ms, in the next pass another one."
                                .formatted(delayMillis));
        topics();
        factors();
        kill();
    }

    private void topics() throws Exception {
        teller.heading("Topics of source text");
        Program lda = lda();
        List<Records> runs = compared(lda);
        page(lda, "the topics");
        tell(lda, runs);
    }

    private Program lda() {
        return new Program(
                "lda",
                "logarithm of the likelihood per word",
                false,
                LdaMain.class,
                List.of("--jars=" + text, "--topics=20", "--alpha=0.05"));
    }

    private void factors() throws Exception {
        teller.heading("Factors of ratings");
        teller.text(
                "Ratings that are made from known factors, with noise: factors of users are each worker's own, those of items"
                        + " are shared.");
        var mf = new Program(
                "mf",
                "error of ratings",
                true,
                FactorMain.class,
                List.of("--users=1000", "--items=500", "--per-user=" + ratingsPerUser, "--rank=8", "--rate=0.01"));
        List<Records> runs = compared(mf);
        page(mf, "the factors");
        tell(mf, runs);
    }

    /** Runs a program in every mode. */
    private List<Records> compared(Program program) throws Exception {
        var runs = new ArrayList<Records>();
        for (Mode mode : MODES) {
            try (var processes = new Processes(directory(program, mode))) {
                processes.startServers();
                processes.startWorkers(program.main(), options(program, mode));
                processes.awaitWorkers(done -> progress(program.name() + ", " + mode.name(), done));
                runs.add(records(processes));
                said(program, mode, processes.workers().get(0));
            }
        }
        return runs;
    }

    private List<String> options(Program program, Mode mode) {
        return Stream.of(
                        program.options(),
                        mode.options(),
                        List.of("--passes=" + passes, "--delay-millis=" + delayMillis, "--seed=1"))
                .flatMap(List::stream)
                .toList();
    }

    private void progress(String what, double done) {
        teller.progress(what, done / passes);
    }

    /** What the first worker printed that is worth reading. */
    private void said(Program program, Mode mode, Child worker) throws IOException {
        if (program.main().equals(LdaMain.class) && mode.equals(MODES.get(0))) {
            teller.text("The text: " + counted(worker) + " Some of the topics that were found:");
            teller.code(worker.text()
                    .lines()
                    .filter(line -> line.startsWith("topic "))
                    .limit(TOPICS_SHOWN)
                    .collect(Collectors.joining("\n")));
        }
        if (mode.options().contains("--adaptive")) {
            teller.text("What the adaptive run chose:");
            teller.code(worker.text()
                    .lines()
                    .filter(line -> line.startsWith("from clock "))
                    .collect(Collectors.joining("\n")));
        }
    }

    private static String counted(Child worker) throws IOException {
        String text = worker.text();
        return text.lines()
                .filter(line -> line.contains(" words in "))
                .findFirst()
                .map(line -> line.replace(", each counted once;", ",") + ".")
                .orElseThrow(() -> new IOException("the first worker did not count words:\n" + text));
    }

    private void tell(Program program, List<Records> runs) {
        double target = target(program, runs);
        String goal = String.format(Locale.ROOT, "%.4g", target);
        var rows = new ArrayList<List<String>>();
        var bars = new ArrayList<Bars.Bar>();
        for (int i = 0; i < runs.size(); i++) {
            Records run = runs.get(i);
            Records.Measured end = run.end();
            double reached = reached(program, run, target);
            rows.add(List.of(
                    MODES.get(i).name(),
                    number("%.0f", end.passes()),
                    number("%.1f s", end.seconds()),
                    number("%.0f %%", 100 * run.waited()),
                    number("%.4g", end.value())));
            bars.add(new Bars.Bar(MODES.get(i).name(), reached));
        }
        teller.table(new Table(
                "%d passes over the data, on this machine, now".formatted(passes),
                List.of("", "passes", "time", "waited", program.measure()),
                rows));
        teller.bars(new Bars("Time until the " + program.measure() + " was " + goal, "s", bars));
    }

    /** The best value that all runs came to. */
    private static double target(Program program, List<Records> runs) {
        double[] best = runs.stream()
                .mapToDouble(run -> run.measured().stream()
                        .mapToDouble(each -> sign(program) * each.value())
                        .min()
                        .orElseThrow())
                .toArray();
        return sign(program) * Arrays.stream(best).max().orElseThrow();
    }

    private static double reached(Program program, Records run, double target) {
        return run.measured().stream()
                .filter(each -> sign(program) * each.value() <= sign(program) * target)
                .mapToDouble(Records.Measured::seconds)
                .findFirst()
                .orElseThrow();
    }

    private static int sign(Program program) {
        return program.falls() ? 1 : -1;
    }

    /** Makes the page of the runs by the command line of the product. */
    private void page(Program program, String what) throws IOException {
        Path page = pages.resolve("lazytables-" + program.name() + ".html");
        var files = new ArrayList<String>();
        for (Mode mode : MODES) {
            for (int worker = 0; worker < Processes.WORKERS; worker++) {
                files.add(Processes.records(directory(program, mode), worker).toString());
            }
        }
        var command = new ArrayList<>(List.of(Path.of("bin", "lazytables").toString(), "report"));
        command.addAll(files);
        command.add("--out=" + page);
        run(command);
        teller.page("The report: curves of " + what + ", and what each worker did when", page);
    }

    private void kill() throws Exception {
        teller.heading("A server is killed");
        Program lda = lda();
        try (var processes = new Processes(directory.resolve("kill"))) {
            processes.startServers();
            processes.startWorkers(lda.main(), options(lda, MODES.get(1)));
            processes.await(
                    "a server has a snapshot and the workers are at work",
                    () -> processes.passes() >= KILL_AT && hasFiles(processes.snapshots(KILLED)));
            long pid = processes.killServer(KILLED);
            double at = processes.passes();
            String said = processes.restartServer(KILLED);
            processes.awaitWorkers(done -> progress("topics, a server killed", done));
            teller.text(
                    "Both servers store snapshots. After %.0f of %d passes one was killed, and started again at its address:"
                            .formatted(at, passes));
            teller.code("$ kill -9 " + pid + "\n$ lazytables server --snapshot.directory=… --server.listen=…\n"
                    + said.strip().replace(processes.snapshots(KILLED).toString(), "…"));
            teller.text(
                    "The workers have waited, and sent again what the server lacked. In the end each of them has read all"
                            + " tables, and compared: "
                            + counted(processes.workers().get(0))
                            + " Every word is counted as often as it occurs, and every topic as often as its words are: no update"
                            + " was lost, none counted twice. The likelihood came to %.4g."
                                    .formatted(records(processes).end().value()));
        }
    }

    private static boolean hasFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(file -> file.getFileName().toString().matches("snapshot-[0-9]+"));
        }
    }

    private static Records records(Processes processes) throws IOException {
        return Records.read(IntStream.range(0, Processes.WORKERS)
                .mapToObj(processes::records)
                .toList());
    }

    /** Where the files of a run are. */
    private Path directory(Program program, Mode mode) {
        return directory.resolve(program.name() + "-" + mode.file());
    }

    private static void run(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LAZYTABLES_CLASSPATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + said);
        }
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** The directory, with nothing of an earlier demo in it. */
    private static Path emptied(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(file);
                }
            }
        }
        return Files.createDirectories(directory);
    }
}
