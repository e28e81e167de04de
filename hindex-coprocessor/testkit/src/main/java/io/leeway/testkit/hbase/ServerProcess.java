package io.leeway.testkit.hbase;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.jspecify.annotations.Nullable;

/**
 * A server of a {@link ProcessCluster}: a process that can be killed and started again, on the same port and files.
 *
 * <p>Thread-safe.
 */
public final class ServerProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SHOWN_LINES = 60;

    private final String name;
    private final int port;
    private final List<String> command;
    private final Path log;
    private @Nullable Process process;
    private long startedAt;

    ServerProcess(String name, int port, List<String> command, Path log) {
        this.name = name;
        this.port = port;
        this.command = command;
        this.log = log;
    }

    /** Such as {@code regionserver-1}. */
    public String name() {
        return name;
    }

    /** Whether the process runs; it may not have reported to the master yet. */
    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /**
     * The process that runs, to look at what it uses.
     *
     * @throws IllegalStateException if none does
     */
    public synchronized ProcessHandle handle() {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException(name + " does not run");
        }
        return process.toHandle();
    }

    /** Whether HBase means this server, before or after a restart. */
    public boolean is(ServerName server) {
        return server.getPort() == port;
    }

    /** Whether HBase means the process that runs now. */
    synchronized boolean isRunningAs(ServerName server) {
        return is(server) && server.getStartCode() >= startedAt && isAlive();
    }

    /** Whether it ended although nobody killed it. */
    synchronized boolean hasDied() {
        return process != null && !process.isAlive();
    }

    synchronized void start() throws IOException {
        if (isAlive()) {
            throw new IllegalStateException(name + " runs already; kill it first");
        }
        startedAt = System.currentTimeMillis();
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Kills it without a warning and waits for its end. */
    synchronized void kill() throws IOException {
        Process killed = process;
        if (killed == null) {
            return;
        }
        killed.destroyForcibly();
        try {
            if (!killed.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException(name + ", process " + killed.pid() + ", outlives a kill by " + PATIENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while " + name + " is killed").initCause(e);
        }
        process = null;
    }

    /** Its log, and the stacks of its threads if it runs. */
    synchronized void keepTraces(Path to) throws IOException {
        Files.copy(log, to.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        if (!isAlive()) {
            return;
        }
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(handle().pid()),
                        "Thread.print")
                .redirectErrorStream(true)
                .redirectOutput(to.resolve(name + ".threads").toFile())
                .start();
        try {
            if (!jcmd.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                jcmd.destroyForcibly();
            }
        } catch (InterruptedException e) {
            jcmd.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** The end of what it wrote. */
    String lastLines() {
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            int from = Math.max(0, lines.size() - SHOWN_LINES);
            return "--- " + name + " ---\n" + String.join("\n", lines.subList(from, lines.size()));
        } catch (IOException e) {
            return "--- " + name + ": no output, " + e + " ---";
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
