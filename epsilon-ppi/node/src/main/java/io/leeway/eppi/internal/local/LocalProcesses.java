package io.leeway.eppi.internal.local;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.json.Json;
import io.leeway.eppi.internal.net.Shown;
import io.leeway.eppi.internal.session.Secrets;
import io.leeway.eppi.node.EppiOption;
import java.io.IOException;
import java.io.StringWriter;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The members of a network as processes of this machine. They end when this process does, whatever ends it. */
public final class LocalProcesses implements AutoCloseable {

    /** Begins the line that a node writes when it is ready; what follows is where it answers HTTP. */
    public static final String READY = "ready ";

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration BETWEEN_STEPS = Duration.ofMillis(200);
    private static final Pattern RUNNING = Pattern.compile("\"state\":\"running\".*?\"text\":\"([^\"]*)\"");

    private static final Pattern CODE = Pattern.compile("\"code\":\"(EPPI-[0-9]+)\"");
    private static final Pattern DETAIL = Pattern.compile("\"detail\":\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Path directory;
    private final String classPath;
    private final Map<String, Process> processes = new LinkedHashMap<>();

    /**
     * Processes with files below a directory.
     *
     * @param classPath that has this software and the drivers of databases
     */
    public LocalProcesses(Path directory, String classPath) {
        this.directory = directory;
        this.classPath = classPath;
    }

    /** Starts a node; {@link #awaitReady} says when it is. */
    public void start(String role, String name, Map<String, String> options) {
        try {
            Path config = directory.resolve("config").resolve(name + ".properties");
            writeOptions(config, options);
            Path log = log(name);
            Files.createDirectories(directory.resolve("logs"));
            Files.deleteIfExists(log);
            List<String> command = List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    classPath,
                    "io.leeway.eppi.node.EppiCommand",
                    role,
                    "--config=" + config,
                    "--with-parent");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            processes.put(name, process);
        } catch (IOException e) {
            throw EppiException.of(Code.CONFIGURATION, name + " cannot be started", e);
        }
    }

    /** Writes options to a file that only its owner may read: there are passwords among them. */
    public static void writeOptions(Path file, Map<String, String> options) throws IOException {
        var properties = new Properties();
        properties.putAll(options);
        var text = new StringWriter();
        properties.store(text, null);
        Secrets.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Waits until a node is ready.
     *
     * @return where it answers HTTP; empty if it does not
     */
    public String awaitReady(String name) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            String log = logged(name);
            for (String line : log.lines().toList()) {
                if (line.startsWith(READY)) {
                    return line.substring(READY.length()).strip();
                }
            }
            if (!process(name).isAlive() || System.nanoTime() > deadline) {
                throw EppiException.of(Code.GONE, name + " did not start; it says:\n" + log);
            }
            pause(50);
        }
    }

    /** What a node wrote so far. */
    public String logged(String name) {
        try {
            return Files.exists(log(name)) ? Files.readString(log(name)) : "";
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, "the log of " + name + " cannot be read", e);
        }
    }

    private Path log(String name) {
        return directory.resolve("logs").resolve(name + ".log");
    }

    /** Kills a node, as a machine that loses its power would. */
    public void kill(String name) {
        process(name).destroyForcibly();
        await(process(name));
    }

    private Process process(String name) {
        Process process = processes.get(name);
        if (process == null) {
            throw EppiException.of(Code.CONFIGURATION, name + " was not started");
        }
        return process;
    }

    private static void await(Process process) {
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw EppiException.of(Code.TIMEOUT, "a process does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    @Override
    public void close() {
        List<Process> all = new ArrayList<>(processes.values());
        all.forEach(Process::destroy);
        for (Process process : all) {
            try {
                if (!process.waitFor(20, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                process.destroyForcibly();
            }
        }
    }

    /** Tells the first coordinator to construct, and waits for the end. */
    public static String construct(String coordinatorUrl) {
        return construct(coordinatorUrl, step -> {});
    }

    /**
     * The same, and says how far it is.
     *
     * @param given its address, like {@code http://127.0.0.1:7290}
     * @param told is given every step, in words
     */
    public static String construct(String given, Consumer<String> told) {
        if (!EppiOption.isHttpUrl(given)) {
            throw EppiException.of(Code.CONFIGURATION, given + " is no address like http://127.0.0.1:7290");
        }
        String coordinatorUrl = given.replaceFirst("/+$", "");
        var client = HttpClient.newHttpClient();
        try {
            CompletableFuture<HttpResponse<String>> end = client.sendAsync(
                    HttpRequest.newBuilder(URI.create(coordinatorUrl + "/v1/construct"))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .timeout(LONGEST)
                            .build(),
                    HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            String said = "";
            while (!isDone(end)) {
                String step = step(client, coordinatorUrl);
                if (!step.isEmpty() && !step.equals(said)) {
                    told.accept(step);
                    said = step;
                }
            }
            HttpResponse<String> response = end.get();
            return switch (response.statusCode()) {
                case 200 -> response.body();
                case 404 ->
                    throw EppiException.of(
                            Code.UNREACHABLE, "who answers at " + given + " is no coordinator; give its eppi.http");
                default -> throw refusal(response.body());
            };
        } catch (ExecutionException e) {
            throw EppiException.of(Code.UNREACHABLE, "no coordinator answers at " + given, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    /** What the coordinator says, as if it were said here. */
    private static EppiException refusal(String body) {
        Matcher code = CODE.matcher(body);
        Matcher detail = DETAIL.matcher(body);
        if (!code.find() || !detail.find()) {
            return EppiException.of(Code.ABORTED, "the coordinator says " + Shown.line(body));
        }
        Code known = Arrays.stream(Code.values())
                .filter(each -> each.id().equals(code.group(1)))
                .findFirst()
                .orElse(Code.ABORTED);
        return EppiException.of(known, Shown.line(Json.unescaped(detail.group(1))));
    }

    private static boolean isDone(Future<?> end) throws InterruptedException, ExecutionException {
        try {
            end.get(BETWEEN_STEPS.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** The step that runs; empty if none does or the coordinator does not say. */
    private static String step(HttpClient client, String url) throws InterruptedException {
        try {
            HttpResponse<String> status = client.send(
                    HttpRequest.newBuilder(URI.create(url + "/status"))
                            .timeout(LIMIT)
                            .build(),
                    HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            Matcher matcher = RUNNING.matcher(status.body());
            return matcher.find() ? matcher.group(1) : "";
        } catch (IOException e) {
            return "";
        }
    }
}
