package io.leeway.it.hbase;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** A JVM that runs a class; killed when that takes too long. For one thread. */
final class OwnTestsJvm implements AutoCloseable {

    private static final String END = "the end of the JVM's output";
    private static final String COUNTS_FILES = "regionserver.TestCompactionState";

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private OwnTestsJvm(Process process) {
        this.process = process;
        var reader = new Thread(this::read, "own-tests-reader");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts one.
     *
     * @param isIndexed whether tables get indexes; else HBase is as it comes
     * @param directory for its files; what it logs is in {@code log.txt}
     */
    static OwnTestsJvm start(OwnTest test, boolean isIndexed, Path directory) throws IOException {
        Path conf = Files.createDirectories(directory.resolve("conf"));
        try (OutputStream file = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
            site(test, isIndexed).writeXml(file);
        }
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1500m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")),
                "-Djava.util.logging.config.file="
                        + Objects.requireNonNullElse(System.getProperty("java.util.logging.config.file"), ""),
                "-cp",
                conf + File.pathSeparator + System.getProperty("java.class.path"),
                OwnTestsFork.class.getName(),
                test.className(),
                String.join(",", test.qualifiers()));
        return new OwnTestsJvm(new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve("log.txt").toFile())
                .start());
    }

    /** What the tests' own site file says of small clusters; and, for tables with indexes, what a user's does. */
    private static Configuration site(OwnTest test, boolean isIndexed) {
        var site = new Configuration(false);
        for (String role : List.of("master", "regionserver")) {
            site.set("hbase." + role + ".info.port", "-1");
            site.set("hbase." + role + ".port", "0");
            site.set("hbase." + role + ".hostname", "localhost");
        }
        site.set("dfs.namenode.fs-limits.min-block-size", "0");
        site.set("hbase.defaults.for.version.skip", "true");
        site.set("hbase.table.sanity.checks", "false");
        site.set("hbase.procedure.fail.on.corruption", "true");
        site.set("hbase.regionserver.msginterval", "100");
        site.set("hbase.server.thread.wakefrequency", "100");
        site.set("hbase.master.event.waiting.time", "50");
        // Few, so that calls which wait for each other are found.
        site.set("hbase.regionserver.handler.count", "3");
        site.set("hbase.regionserver.metahandler.count", "3");
        site.set("hbase.master.procedure.threads", "5");
        if (test.name().equals(COUNTS_FILES)) {
            // Every hundred seconds here, HBase looks for files to compact. If it does while the class loads its files,
            // there are
            // not as many as the class expects; with tables of entries loading takes longer, and that happens more
            // often.
            site.set("hbase.server.compactchecker.interval.multiplier", "100000");
        }
        if (isIndexed) {
            site.set(
                    "hbase.coprocessor.master.classes",
                    IndexEveryTable.class.getName() + ",io.leeway.hindex.HindexMasterObserver");
        }
        return site;
    }

    private void read() {
        try (var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines()
                    .filter(line -> line.startsWith(OwnTestsFork.MARK))
                    .map(line -> line.substring(OwnTestsFork.MARK.length()))
                    .forEach(lines::add);
        } catch (IOException | RuntimeException e) {
            // The JVM was killed.
        } finally {
            lines.add(END);
        }
    }

    /** Waits for the result. */
    OwnTestResult result(OwnTest test, boolean isIndexed, Duration patience, Consumer<String> progress)
            throws InterruptedException {
        long start = System.nanoTime();
        var failures = new ArrayList<String>();
        String at = "its start";
        while (true) {
            @Nullable String line = lines.poll(patience.toNanos() - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
            long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
            if (line == null) {
                process.destroyForcibly();
                return OwnTestResult.broken(test, millis, "not done after " + patience.toSeconds() + " s, at " + at);
            }
            String[] words = line.split(" ");
            switch (words[0]) {
                case "test" -> {
                    at = words[1];
                    progress.accept(test.name() + "." + at);
                }
                case "failure" -> failures.add(line.substring("failure ".length()));
                case "end" -> {
                    return ended(test, isIndexed, words, millis, failures);
                }
                case "begin" -> progress.accept(test.name());
                default -> {
                    return OwnTestResult.broken(test, millis, "the JVM ended, at " + at);
                }
            }
        }
    }

    private static OwnTestResult ended(
            OwnTest test, boolean isIndexed, String[] words, long millis, List<String> failures) {
        int run = Integer.parseInt(words[1]);
        int failed = Integer.parseInt(words[2]);
        long entries = Long.parseLong(words[4]);
        OwnTestResult.Status status = failed > 0 || run == 0
                ? OwnTestResult.Status.FAILED
                : isIndexed && entries == 0 ? OwnTestResult.Status.IDLE : OwnTestResult.Status.PASSED;
        return new OwnTestResult(
                test,
                status,
                run,
                failed,
                Integer.parseInt(words[3]),
                millis,
                entries,
                Long.parseLong(words[5]),
                failures);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
