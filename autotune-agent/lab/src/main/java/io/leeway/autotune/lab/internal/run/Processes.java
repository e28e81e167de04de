package io.leeway.autotune.lab.internal.run;

import com.google.gson.JsonObject;
import io.leeway.autotune.internal.json.Json;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes of one experiment. Their ids are on disk before they are waited for, so that a run that was killed
 * finds what it left behind; they are ended with all that they started. Every wait has a limit.
 */
final class Processes implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int POLL_MILLIS = 20;
    private static final int TAIL_BYTES = 2_000;

    private final Path home;
    private final Path logs;
    private final Path register;
    private final List<Process> running = new ArrayList<>();

    /** What went wrong with a process, with the end of what it printed. */
    static final class StartFailed extends Exception {
        private static final long serialVersionUID = 1;

        StartFailed(String message) {
            super(message);
        }
    }

    Processes(Path home, Path output) throws IOException {
        this.home = home;
        this.logs = Files.createDirectories(output.resolve("logs"));
        this.register = output.resolve("processes.json");
    }

    /** Ends what an earlier run left behind: the same id and the same time of start. */
    static int endLeftOvers(Path output) throws IOException {
        Path register = output.resolve("processes.json");
        if (!Files.exists(register)) {
            return 0;
        }
        int ended = 0;
        for (String line : Files.readAllLines(register)) {
            // A line that was cut by the kill belongs to a process that was not waited for; it has no other trace.
            if (!line.endsWith("}")) {
                continue;
            }
            JsonObject json = Json.object(line);
            var handle = ProcessHandle.of((long) Json.number(json, "pid"));
            if (handle.isPresent() && started(handle.get()) == (long) Json.number(json, "started")) {
                end(handle.get());
                ended++;
            }
        }
        Files.delete(register);
        return ended;
    }

    private static long started(ProcessHandle handle) {
        return handle.info()
                .startInstant()
                .map(instant -> instant.toEpochMilli())
                .orElse(0L);
    }

    /** Starts one with its output in a file of this name. */
    synchronized Process start(String name, List<String> command, Map<String, String> environment) throws StartFailed {
        var builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            running.add(process);
            var json = new JsonObject();
            json.addProperty("pid", process.pid());
            json.addProperty("started", started(process.toHandle()));
            Files.writeString(
                    register,
                    json + "\n",
                    java.nio.file.StandardOpenOption.CREATE,
                    java.nio.file.StandardOpenOption.APPEND);
            return process;
        } catch (IOException e) {
            throw new StartFailed(name + ": " + e.getMessage());
        }
    }

    private Path log(String name) {
        return logs.resolve(name + ".log");
    }

    /** What listens where a service will listen would be measured in its place. */
    void mustBeFree(App.Service service) throws StartFailed {
        App.Ready ready = service.ready();
        int port = ready instanceof App.Ready.Port known
                ? known.port()
                : ready instanceof App.Ready.Http http && isHere(http.uri())
                        ? http.uri().getPort() > 0
                                ? http.uri().getPort()
                                : http.uri().getScheme().equals("https") ? 443 : 80
                        : 0;
        if (port > 0 && listens(port)) {
            throw new StartFailed("before " + service.name() + " was started, something listened at port " + port
                    + " already: end it, or give the service another port");
        }
    }

    private static boolean isHere(java.net.URI uri) {
        try {
            return InetAddress.getByName(uri.getHost()).isLoopbackAddress();
        } catch (IOException e) {
            return false;
        }
    }

    /** What was ready has to be there still. */
    void mustRun(App.Service service, Process process) throws StartFailed, InterruptedException {
        // The handle asks the system, which knows before this JVM does.
        if (!process.toHandle().isAlive() && !(service.ready() instanceof App.Ready.Ended)) {
            throw new StartFailed(service.name() + " ended while it was measured, with status " + process.waitFor()
                    + ": " + tail(service.name()));
        }
    }

    /** Waits until a service is ready. */
    void await(App.Service service, Process process, Duration limit) throws StartFailed, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!isReady(service, process)) {
            if (!process.isAlive() && !(service.ready() instanceof App.Ready.Ended)) {
                throw new StartFailed(
                        service.name() + " ended with status " + process.exitValue() + ": " + tail(service.name()));
            }
            if (System.nanoTime() - end > 0) {
                throw new StartFailed(service.name() + " was not ready in " + limit.toSeconds() + " s ("
                        + service.ready() + "): " + tail(service.name()));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private boolean isReady(App.Service service, Process process) throws StartFailed {
        App.Ready ready = service.ready();
        if (ready instanceof App.Ready.Ended) {
            if (process.isAlive()) {
                return false;
            }
            if (process.exitValue() != 0) {
                throw new StartFailed(
                        service.name() + " ended with status " + process.exitValue() + ": " + tail(service.name()));
            }
            return true;
        }
        if (!process.isAlive()) {
            // Something else may listen there.
            return false;
        }
        if (ready instanceof App.Ready.Printed printed) {
            return text(service.name()).contains(printed.text());
        }
        return ready instanceof App.Ready.Port port ? listens(port.port()) : answers(((App.Ready.Http) ready).uri());
    }

    private static boolean listens(int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean answers(java.net.URI uri) {
        try {
            var connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setConnectTimeout(1_000);
            connection.setReadTimeout(5_000);
            try {
                return connection.getResponseCode() < 500;
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs a command to its end; returns what it printed. */
    String run(String name, List<String> command, Map<String, String> environment, Duration limit)
            throws StartFailed, InterruptedException {
        Process process = start(name, command, environment);
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            end(process.toHandle());
            throw new StartFailed(name + " did not end in " + limit.toSeconds() + " s: " + tail(name));
        }
        if (process.exitValue() != 0) {
            throw new StartFailed(name + " ended with status " + process.exitValue() + ": " + tail(name));
        }
        return text(name);
    }

    private String text(String name) {
        try {
            return Files.readString(log(name), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** The end of what it printed. */
    String tail(String name) {
        try (var file = new RandomAccessFile(log(name).toFile(), "r")) {
            file.seek(Math.max(0, file.length() - TAIL_BYTES));
            byte[] bytes = new byte[(int) (file.length() - file.getFilePointer())];
            file.readFully(bytes);
            String end = new String(bytes, StandardCharsets.UTF_8).strip();
            return end.isEmpty() ? "it printed nothing" : end;
        } catch (IOException e) {
            return "what it printed cannot be read";
        }
    }

    /** CPU time of all of them and of what they started, so far. */
    synchronized double cpuMillis() {
        return running.stream()
                        .map(Process::toHandle)
                        .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()))
                        .mapToDouble(handle -> handle.info()
                                .totalCpuDuration()
                                .map(Duration::toNanos)
                                .orElse(0L))
                        .sum()
                / 1e6;
    }

    private static void end(ProcessHandle handle) {
        List<ProcessHandle> all =
                Stream.concat(handle.descendants(), Stream.of(handle)).toList();
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle one : all) {
            try {
                one.onExit().get(GRACE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (java.util.concurrent.TimeoutException | java.util.concurrent.ExecutionException e) {
                one.destroyForcibly();
            } catch (InterruptedException e) {
                one.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends all, the last started first. */
    @Override
    public synchronized void close() {
        for (int i = running.size() - 1; i >= 0; i--) {
            end(running.get(i).toHandle());
        }
        running.clear();
        try {
            Files.deleteIfExists(register);
        } catch (IOException e) {
            // The next run finds processes that have ended, and ends nothing.
            register.toFile().deleteOnExit();
        }
    }
}
