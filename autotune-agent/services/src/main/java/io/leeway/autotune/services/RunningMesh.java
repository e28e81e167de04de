package io.leeway.autotune.services;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** An application of which every service runs in a JVM of its own, until it is closed. Not thread-safe. */
public final class RunningMesh implements AutoCloseable {

    /** What makes the small JVMs of a service soon warm. */
    public static final List<String> LEAN = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final Map<String, String> urls = new LinkedHashMap<>();
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final List<Path> outputs = new CopyOnWriteArrayList<>();
    /** A program that is ended by a signal leaves neither processes nor files behind. */
    private final Thread ending = new Thread(() -> {
        processes.forEach(Process::destroyForcibly);
        outputs.forEach(output -> output.toFile().delete());
    });

    private RunningMesh() {
        Runtime.getRuntime().addShutdownHook(ending);
    }

    /** Starts all; spans go to this address. */
    public static RunningMesh start(Mesh mesh, String traces) throws IOException, InterruptedException {
        var running = new RunningMesh();
        boolean isComplete = false;
        try {
            for (Mesh.Member member : mesh.members()) {
                running.start(member, traces);
            }
            isComplete = true;
            return running;
        } finally {
            if (!isComplete) {
                running.close();
            }
        }
    }

    private void start(Mesh.Member member, String traces) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(java());
        command.addAll(LEAN);
        command.addAll(List.of("-cp", classPath(), MeshService.class.getName()));
        command.addAll(member.arguments(urls, traces));
        command.addAll(List.of("threads=" + member.threads(), "connections=" + member.connections()));
        Path output = Files.createTempFile("autotune-mesh-", ".txt");
        outputs.add(output);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        processes.add(process);
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < PATIENCE_NANOS && process.isAlive()) {
            for (String line : Files.readAllLines(output)) {
                if (line.startsWith("port ")) {
                    urls.put(member.name(), "http://127.0.0.1:" + line.substring(5) + "/");
                    return;
                }
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IOException(member.name() + " did not start: " + Files.readString(output));
    }

    /** The program that this one runs on. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** What a service needs of this program's class path: no agent, and nothing that only the caller needs. */
    public static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("autotune-agent-")
                        && !entry.contains("autotune-agent/agent/")
                        && !entry.contains("autotune-agent/core")
                        && !entry.contains("opentelemetry-javaagent"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Where a service listens. */
    public URI uri(String name) {
        String url = urls.get(name);
        if (url == null) {
            throw new IllegalArgumentException("there is no service " + name + "; there are " + urls.keySet());
        }
        return URI.create(url);
    }

    /** Makes a service a bottleneck; {@code none} makes it well again. */
    public void fault(String name, String kind, int amount) throws IOException {
        call(URI.create(uri(name) + "fault?kind=" + kind + "&amount=" + amount));
    }

    /** Gives a service other numbers of threads and connections while it runs. */
    public void configure(String name, int threads, int connections) throws IOException {
        call(URI.create(uri(name) + "configure?threads=" + threads + "&connections=" + connections));
    }

    private static void call(URI uri) throws IOException {
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(5_000);
        // The service may be so slow that the order has to wait.
        connection.setReadTimeout(30_000);
        try {
            if (connection.getResponseCode() != 200) {
                throw new IOException(uri + " answered " + connection.getResponseCode());
            }
        } finally {
            connection.disconnect();
        }
    }

    @Override
    public void close() throws IOException {
        for (int i = processes.size() - 1; i >= 0; i--) {
            processes.get(i).destroyForcibly();
            processes.get(i).onExit().join();
        }
        for (Path output : outputs) {
            Files.deleteIfExists(output);
        }
        Runtime.getRuntime().removeShutdownHook(ending);
    }
}
