package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.leeway.autotune.internal.remote.AgentAddress;
import io.leeway.autotune.internal.remote.RemoteService;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A service in a JVM of its own, with the packaged agent. */
final class AgentProcess implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What begins so comes behind the agent on the command line. */
    static final String AFTER = "after:";

    private static final String WITHOUT = "without an agent";

    /** As the services here, WireMock and Tomcat say it. */
    private static final Pattern PORT = Pattern.compile(
            "^port[ :]\\s*(\\d+)|Starting ProtocolHandler \\[\"http-nio-.*-(\\d+)\"]", Pattern.MULTILINE);

    private final Process process;
    private final Path directory;
    private final Path output;
    private final Path agents;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private AgentProcess(Process process, Path directory, Path output) {
        this(process, directory, output, directory.resolve("agents"));
    }

    private AgentProcess(Process process, Path directory, Path output, Path agents) {
        this.process = process;
        this.directory = directory;
        this.output = output;
        this.agents = agents;
    }

    static AgentProcess start(String agentOptions, List<String> jvm, String main, String... arguments)
            throws IOException {
        return start(Path.of(System.getProperty("java.home")), classPath(Map.of()), agentOptions, jvm, main, arguments);
    }

    /** With its address in a directory that it shares with others. */
    static AgentProcess start(Path agents, String agentOptions, List<String> jvm, String main, String... arguments)
            throws IOException {
        // Of an option that is given twice the last one holds.
        return start(",directory=" + agents + agentOptions, jvm, main, arguments)
                .sharing(agents);
    }

    private AgentProcess sharing(Path directoryOfAgents) {
        return new AgentProcess(process, directory, output, directoryOfAgents);
    }

    /** Services and servers, without anything of the agent's: it brings all that it needs. */
    static String classPath(Map<String, Path> otherJars) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("autotune-core")
                        && !entry.contains("autotune-controller")
                        && !entry.contains("autotune-agent/controller")
                        && !entry.contains("autotune-agent-")
                        && !entry.contains("autotune-agent/core")
                        && !entry.endsWith("autotune-agent/agent/target/classes"))
                .map(entry -> replaced(entry, otherJars))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** All that this test has, but for the agent's own classes, which are in its jar. */
    static String wholeClassPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("autotune-agent/agent/target/classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Another version of the same artifact, if there is one. */
    private static String replaced(String entry, Map<String, Path> otherJars) {
        String artifact = artifact(Path.of(entry));
        return otherJars.getOrDefault(artifact, Path.of(entry)).toString();
    }

    /** The name of a jar without its version. */
    static String artifact(Path jar) {
        return jar.getFileName().toString().replaceAll("-\\d.*", "");
    }

    /** Without an agent; see {@link #attach}. */
    static AgentProcess startWithout(String main, String... arguments) throws IOException {
        return start(
                Path.of(System.getProperty("java.home")), classPath(Map.of()), WITHOUT, List.of(), main, arguments);
    }

    /** Loads the agent into the process as it runs. */
    void attach() throws IOException {
        // A process whose main method has not begun yet may not answer.
        uri();
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
            machine.loadAgent(jar(), "directory=" + agents);
            machine.detach();
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
            throw new IOException(e);
        }
    }

    static AgentProcess start(
            Path java, String classPath, String agentOptions, List<String> jvm, String main, String... arguments)
            throws IOException {
        Path directory = Files.createTempDirectory("autotune-it-");
        Path output = directory.resolve("output.txt");
        var command = new ArrayList<String>();
        command.add(java.resolve("bin/java").toString());
        command.add("-Xmx256m");
        // What a service that is killed leaves goes with its directory.
        command.add("-Djava.io.tmpdir=" + Files.createDirectory(directory.resolve("tmp")));
        jvm.stream().filter(option -> !option.startsWith(AFTER)).forEach(command::add);
        if (!WITHOUT.equals(agentOptions)) {
            command.add("-javaagent:" + jar() + "=directory=" + directory.resolve("agents") + agentOptions);
        }
        jvm.stream()
                .filter(option -> option.startsWith(AFTER))
                .map(option -> option.substring(AFTER.length()))
                .forEach(command::add);
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
        return agents;
    }

    /** The processes' directory of temporary files. */
    Path temporary() {
        return directory.resolve("tmp");
    }

    /** Ends it at once, without its shutdown hooks. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    RemoteService service(String holder) {
        return new RemoteService(address(), holder);
    }

    AgentAddress address() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(AgentAddress.all(agents()))
                        .as(output())
                        .anyMatch(address -> address.pid() == process.pid()));
        return AgentAddress.all(agents()).stream()
                .filter(address -> address.pid() == process.pid())
                .findFirst()
                .orElseThrow();
    }

    URI uri() {
        await().atMost(PATIENCE).until(() -> PORT.matcher(output()).find() || !process.isAlive());
        Matcher port = PORT.matcher(output());
        assertThat(port.find()).as(output()).isTrue();
        return URI.create("http://127.0.0.1:" + (port.group(1) == null ? port.group(2) : port.group(1)) + "/");
    }

    /** How many of its threads have a name in which this is found, as the JDK's own tool sees it. */
    long threads(String pattern) throws IOException {
        Process tool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "Thread.print")
                .redirectErrorStream(true)
                .start();
        Pattern name = Pattern.compile("^\"[^\"]*" + pattern, Pattern.MULTILINE);
        String dump = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(dump).contains("Full thread dump");
        return name.matcher(dump).results().count();
    }

    /** What it answers. */
    String text(String path) {
        HttpRequest request =
                HttpRequest.newBuilder(uri().resolve(path)).timeout(PATIENCE).build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .join()
                .body();
    }

    /** Asks so many times, one after the other; how long all of it took, in milliseconds. */
    double askInTurn(String path, int times) {
        long begun = System.nanoTime();
        for (int i = 0; i < times; i++) {
            assertThat(ask(path, 1)).containsOnly(200);
        }
        return (System.nanoTime() - begun) / 1e6;
    }

    /** Asks so many times at once, with headers, and returns the statuses. */
    List<Integer> ask(String path, int times, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri().resolve(path)).timeout(PATIENCE);
        if (headers.length > 0) {
            request.headers(headers);
        }
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, times)
                .mapToObj(i -> client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()))
                .toList();
        return answers.stream().map(answer -> answer.join().statusCode()).toList();
    }

    @Override
    public void close() throws IOException {
        kill();
        try (var files = Files.walk(directory)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
