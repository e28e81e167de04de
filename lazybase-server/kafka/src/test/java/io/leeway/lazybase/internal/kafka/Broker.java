package io.leeway.lazybase.internal.kafka;

import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** A real broker in a process of its own. */
final class Broker implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    private final Path directory;
    private final Path properties;
    private final String address;
    private Process process;

    Broker(Path directory) throws IOException {
        this.directory = directory;
        int controller = freePort();
        address = "127.0.0.1:" + freePort();
        properties = directory.resolve("server.properties");
        Files.writeString(
                properties,
                String.join(
                        "\n",
                        "process.roles=broker,controller",
                        "node.id=1",
                        "controller.quorum.voters=1@127.0.0.1:" + controller,
                        "listeners=PLAINTEXT://" + address + ",CONTROLLER://127.0.0.1:" + controller,
                        "controller.listener.names=CONTROLLER",
                        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "log.dirs=" + directory.resolve("data"),
                        "offsets.topic.replication.factor=1",
                        "transaction.state.log.replication.factor=1",
                        "transaction.state.log.min.isr=1",
                        "transaction.state.log.num.partitions=1",
                        "log.cleaner.dedupe.buffer.size=4194304",
                        ""));
        JavaProcess.Result formatted = JavaProcess.run(
                CLASS_PATH,
                "kafka.tools.StorageTool",
                "format",
                "-t",
                Uuid.randomUuid().toString(),
                "-c",
                properties.toString());
        if (formatted.exitCode() != 0) {
            throw new IllegalStateException(formatted.output());
        }
        process = start();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private Process start() throws IOException {
        List<String> command = JavaProcess.command(CLASS_PATH, "kafka.Kafka", List.of(properties.toString()));
        command.addAll(1, List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log.txt").toFile()))
                .start();
    }

    /** Makes a topic as soon as the broker can. */
    void create(String topic, int partitions) throws Exception {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Admin admin = Admin.create(Map.of(
                    "bootstrap.servers", address, "default.api.timeout.ms", "20000", "request.timeout.ms", "10000"))) {
                if (!admin.listTopics().names().get(20, TimeUnit.SECONDS).contains(topic)) {
                    admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                            .all()
                            .get(20, TimeUnit.SECONDS);
                }
                return;
            } catch (Exception e) {
                if (System.nanoTime() > until || !process.isAlive()) {
                    throw new IllegalStateException(Files.readString(directory.resolve("log.txt")), e);
                }
            }
        }
    }

    String address() {
        return address;
    }

    void restart() throws Exception {
        process.destroyForcibly().waitFor();
        process = start();
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
    }
}
