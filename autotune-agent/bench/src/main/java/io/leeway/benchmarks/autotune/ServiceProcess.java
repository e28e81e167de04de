package io.leeway.benchmarks.autotune;

import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A service in a JVM of its own, with the agents that are named. */
final class ServiceProcess implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final Process process;
    private final Path directory;
    private final double startMillis;
    private final String port;

    private ServiceProcess(Process process, Path directory, double startMillis, String port) {
        this.process = process;
        this.directory = directory;
        this.startMillis = startMillis;
        this.port = port;
    }

    /** Starts one and waits until it says its port. */
    static ServiceProcess start(List<String> jvm, boolean ourAgent, String main, String... arguments)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("autotune-bench-");
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.add("-Djava.io.tmpdir=" + Files.createDirectory(directory.resolve("tmp")));
        command.addAll(jvm);
        if (ourAgent) {
            command.add("-javaagent:" + agent("autotune-agent-") + "=directory=" + directory.resolve("agents"));
        }
        command.addAll(List.of("-cp", classPath(), main));
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output.txt");
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        while (System.nanoTime() - begun < PATIENCE_NANOS && process.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(20);
            for (String line : Files.readAllLines(output)) {
                if (line.matches("port[ :]\\s*\\d+")) {
                    return new ServiceProcess(
                            process,
                            directory,
                            (System.nanoTime() - begun) / 1e6,
                            line.substring(5).strip());
                }
            }
        }
        process.destroyForcibly();
        throw new IOException("did not start: " + Files.readString(output));
    }

    /** The jar of an agent on this program's class path, or where the build leaves it. */
    static Path agent(String prefix) throws IOException {
        Path built = Path.of(System.getProperty("leeway.root", "."), "autotune-agent/agent/target");
        List<Path> candidates = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            candidates.add(Path.of(entry));
        }
        try (Stream<Path> files = Files.list(built)) {
            files.forEach(candidates::add);
        }
        return candidates.stream()
                .filter(path -> path.getFileName().toString().startsWith(prefix)
                        && path.toString().endsWith(".jar"))
                .findFirst()
                .orElseThrow(() -> new IOException("no jar " + prefix))
                .toAbsolutePath();
    }

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("autotune-agent-")
                        && !entry.contains("autotune-agent/agent/")
                        && !entry.contains("autotune-agent/core")
                        && !entry.contains("autotune-agent/controller")
                        && !entry.contains("opentelemetry-javaagent"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    double startMillis() {
        return startMillis;
    }

    long pid() {
        return process.pid();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    RemoteService service() {
        return new RemoteService(AgentAddress.all(directory.resolve("agents")).get(0), "figures");
    }

    /** CPU time of the process so far. */
    double cpuMillis() {
        return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e6;
    }

    /** Resident memory in megabytes. */
    double memoryMegabytes() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
