package io.leeway.pipelining.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.pipelining.flink.ChainJob.Setting;
import io.leeway.pipelining.flink.ChainJob.Shape;
import io.leeway.testkit.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged agent in processes of a real cluster, task managers of which are killed. */
class PackagedAgentIT {

    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(3);
    private static final String ENTRY = "org.apache.flink.runtime.";

    private static final String FIXED = "fixed=times;sums";
    private static final String MOVING = "improvement=0,busy=0.05,threads=8";

    @TempDir
    Path directory;

    private final List<Process> processes = new ArrayList<>();
    private Path log;
    private int pagePort;

    @AfterEach
    void stop() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void keepsResultsWhileTaskManagersAreKilledWithThreadsInPlaceAndWhileTheAgentMovesThem() throws Exception {
        int rest = freePort();
        int rpc = freePort();
        pagePort = freePort();
        Path conf = configuration(rest, rpc);
        start("jobmanager", List.of(), ENTRY + "entrypoint.StandaloneSessionClusterEntrypoint", conf);
        var client = client(rest, rpc);
        try (client) {
            var setting = new Setting(Shape.SOURCE_CHAIN, false, false, false, Depth.of(120_000, 800_000), 20);
            // Without agent, without kills, and at full speed.
            Process plain = taskManager(conf, List.of());
            var unpaused = new Setting(Shape.SOURCE_CHAIN, false, false, false, setting.records(), 0);
            String expected = run(client, unpaused, directory.resolve("expected"));
            plain.destroyForcibly().waitFor();

            Process agent = taskManager(conf, List.of(agentOption(FIXED)));
            JobGraph job = job(setting, directory.resolve("found"));
            submit(client, job);
            for (int kill = 0; kill < Depth.of(1, 9); kill++) {
                if (kill % 3 == 1) {
                    awaitDecision();
                } else {
                    awaitCheckpointThroughThreads();
                }
                System.out.println(page("/text"));
                assertThat(client.getJobStatus(job.getJobID()).get()).isNotEqualTo(JobStatus.FINISHED);
                agent.destroyForcibly().waitFor();
                agent = switch (kill % 3) {
                    case 0 -> taskManager(conf, List.of(agentOption(MOVING)));
                    case 1 -> attachedLater(conf);
                    default -> taskManager(conf, List.of(agentOption(FIXED)));
                };
            }
            // The last one gets the agent while it runs the job.
            agent.destroyForcibly().waitFor();
            Process attached = attachedLater(conf);
            awaitCheckpointThroughThreads();
            assertThat(attached.isAlive()).isTrue();
            await(() -> client.getJobStatus(job.getJobID()).get() == JobStatus.FINISHED);

            assertThat(Files.readString(log)).contains("auto-pipelining watches this process");
            assertThat(Files.readString(directory.resolve("found"))).isEqualTo(expected);
        }
    }

    /** Threads are in place, and a checkpoint went through their queues: the next kill goes back to it. */
    private void awaitCheckpointThroughThreads() throws Exception {
        await(() -> page("/metrics").contains("pipelining_ports 2"));
        Set<Path> before = checkpoints();
        await(() -> !before.containsAll(checkpoints()) && page("/metrics").contains("pipelining_ports 2"));
    }

    /** Until the agent has decided something, or has had the time to. */
    private void awaitDecision() throws Exception {
        long seen = System.nanoTime();
        await(() -> !checkpoints().isEmpty()
                && (page("/text").contains("round 1") || System.nanoTime() - seen > TimeUnit.SECONDS.toNanos(5)));
    }

    private String run(RestClusterClient<String> client, Setting setting, Path result) throws Exception {
        JobGraph job = job(setting, result);
        submit(client, job);
        await(() -> client.getJobStatus(job.getJobID()).get() == JobStatus.FINISHED);
        return Files.readString(result);
    }

    private JobGraph job(Setting setting, Path result) {
        Configuration configuration = ChainJob.configuration(setting, directory.resolve("checkpoints"));
        var env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        ChainJob.build(env, setting, result.toString());
        return env.getStreamGraph().getJobGraph();
    }

    private void submit(RestClusterClient<String> client, JobGraph job) throws Exception {
        await(() -> {
            client.submitJob(job).get();
            return true;
        });
    }

    private String agentOption(String how) {
        return "-javaagent:" + System.getProperty("leeway.jar") + "=" + arguments(how);
    }

    private String arguments(String how) {
        return "start.delay=0s,profile.period=300ms,evaluate.period=300ms,watch.period=300ms," + how + ",page.port="
                + pagePort;
    }

    /** A task manager that runs the job for a while before the agent is attached to it. */
    private Process attachedLater(Path conf) throws Exception {
        Process process = taskManager(conf, List.of());
        Set<Path> before = checkpoints();
        await(() -> !before.containsAll(checkpoints()));
        Process attach = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        System.getProperty("leeway.jar"),
                        Long.toString(process.pid()),
                        arguments(FIXED))
                .inheritIO()
                .start();
        assertThat(attach.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(attach.exitValue()).isZero();
        return process;
    }

    private Process taskManager(Path conf, List<String> options) throws IOException {
        return start("taskmanager", options, ENTRY + "taskexecutor.TaskManagerRunner", conf);
    }

    private Process start(String name, List<String> options, String main, Path conf) throws IOException {
        log = directory.resolve(name + processes.size() + ".log");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-Xmx384m", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main, "--configDir", conf.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        processes.add(process);
        return process;
    }

    /** Without this module's own classes: in the processes they come from the packaged jar, or not at all. */
    private static String classPath() {
        var parts = new ArrayList<String>();
        for (String part : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(System.getProperty("path.separator"))) {
            boolean own = part.contains("auto-pipelining") && !part.contains("test-classes");
            if (!own) {
                parts.add(part);
            }
        }
        return String.join(System.getProperty("path.separator"), parts);
    }

    private Path configuration(int rest, int rpc) throws IOException {
        Path conf = Files.createDirectories(directory.resolve("conf"));
        String text = """
                jobmanager.rpc.address: localhost
                jobmanager.rpc.port: %d
                jobmanager.bind-host: localhost
                jobmanager.memory.process.size: 700m
                rest.address: localhost
                rest.bind-address: localhost
                rest.port: %d
                taskmanager.host: localhost
                taskmanager.bind-host: localhost
                taskmanager.numberOfTaskSlots: 2
                taskmanager.cpu.cores: 1.0
                taskmanager.memory.task.heap.size: 200m
                taskmanager.memory.task.off-heap.size: 16m
                taskmanager.memory.framework.heap.size: 64m
                taskmanager.memory.framework.off-heap.size: 64m
                taskmanager.memory.network.min: 32m
                taskmanager.memory.network.max: 32m
                taskmanager.memory.managed.size: 32m
                taskmanager.memory.jvm-metaspace.size: 128m
                taskmanager.memory.jvm-overhead.min: 64m
                taskmanager.memory.jvm-overhead.max: 64m
                heartbeat.interval: 500
                heartbeat.timeout: 8000
                """.formatted(rpc, rest);
        Files.writeString(conf.resolve("config.yaml"), text);
        return conf;
    }

    private static RestClusterClient<String> client(int rest, int rpc) throws Exception {
        var configuration = new Configuration();
        configuration.set(JobManagerOptions.ADDRESS, "localhost");
        configuration.set(JobManagerOptions.PORT, rpc);
        configuration.set(RestOptions.ADDRESS, "localhost");
        configuration.set(RestOptions.PORT, rest);
        return new RestClusterClient<>(configuration, "standalone");
    }

    private Set<Path> checkpoints() throws IOException {
        Path checkpoints = directory.resolve("checkpoints");
        if (!Files.exists(checkpoints)) {
            return Set.of();
        }
        try (var files = Files.walk(checkpoints)) {
            return files.filter(file -> file.endsWith("_metadata")).collect(Collectors.toSet());
        } catch (java.io.UncheckedIOException e) {
            return Set.of(); // One was just removed.
        }
    }

    /** What the agent serves; empty if it does not yet. */
    private String page(String path) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + pagePort + path))
                .timeout(Duration.ofSeconds(10))
                .build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "";
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void await(Callable<Boolean> condition) throws Exception {
        long limit = System.nanoTime() + PATIENCE;
        Exception last = new IllegalStateException("never true");
        while (System.nanoTime() < limit) {
            try {
                if (condition.call()) {
                    return;
                }
            } catch (Exception e) {
                last = e;
            }
            LockSupport.parkNanos(50_000_000);
        }
        throw new AssertionError("not within patience; the last log is\n" + Files.readString(log), last);
    }
}
