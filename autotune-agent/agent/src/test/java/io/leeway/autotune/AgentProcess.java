package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A service in a JVM of its own, with the packaged agent. */
final class AgentProcess implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path directory;
    private final Path output;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private AgentProcess(Process process, Path directory, Path output) {
        this.process = process;
        this.directory = directory;
        this.output = output;
    }

    static AgentProcess start(String agentOptions, List<String> jvm, String main, String... arguments)
            throws IOException {
        return start(Path.of(System.getProperty("java.home")), classPath(), agentOptions, jvm, main, arguments);
    }

    /** Services and servers, without anything of the agent's: it brings all that it needs. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("autotune-core")
                        && !entry.contains("autotune-agent-")
                        && !entry.contains("autotune-agent/core")
                        && !entry.endsWith("autotune-agent/agent/target/classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    static AgentProcess start(
            Path java, String classPath, String agentOptions, List<String> jvm, String main, String... arguments)
            throws IOException {
        Path directory = Files.createTempDirectory("autotune-it-");
        Path output = directory.resolve("output.txt");
        var command = new ArrayList<String>();
        command.add(java.resolve("bin/java").toString());
        command.add("-Xmx256m");
        command.addAll(jvm);
        command.add("-javaagent:" + jar() + "=directory=" + directory.resolve("agents") + agentOptions);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new AgentProcess(process, directory, output);
    }

    static String jar() {
        String jar = System.getProperty("leeway.jar");
        assertThat(jar).as("system property leeway.jar, set by the build").isNotNull();
        return jar;
    }

    long pid() {
        return process.pid();
    }

    Path agents() {
        return directory.resolve("agents");
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    RemoteService service(String holder) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(AgentAddress.all(agents())).as(output()).hasSize(1));
        return new RemoteService(AgentAddress.all(agents()).get(0), holder);
    }

    AgentAddress address() {
        service("anybody");
        return AgentAddress.all(agents()).get(0);
    }

    /** Asks so many times at once, and returns the statuses. */
    List<Integer> ask(String path, int times) {
        await().atMost(PATIENCE)
                .until(() -> output().lines().anyMatch(line -> line.startsWith("port ")) || !process.isAlive());
        String port = output().lines()
                .filter(line -> line.startsWith("port "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(output()))
                .substring(5);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .build();
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, times)
                .mapToObj(i -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                .toList();
        return answers.stream().map(answer -> answer.join().statusCode()).toList();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        try (var files = Files.walk(directory)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
