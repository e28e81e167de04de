package io.leeway.approx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** A real broker, with its controller in a process of its own. */
public final class KafkaServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path directory;
    private final Path properties;
    private final List<String> prefix;
    private final String address;
    private Process process;

    private KafkaServer(List<String> prefix, String host, int port, int controllerPort, Secured secured)
            throws IOException {
        this.prefix = prefix;
        address = host + ":" + port;
        directory = Files.createTempDirectory("approx-kafka-");
        properties = directory.resolve("server.properties");
        Files.writeString(
                properties,
                String.join(
                        "\n",
                        "process.roles=broker,controller",
                        "node.id=1",
                        "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
                        "listeners=PLAINTEXT://" + address + secured.listener() + ",CONTROLLER://127.0.0.1:"
                                + controllerPort,
                        "advertised.listeners=PLAINTEXT://" + address + secured.listener(),
                        "controller.listener.names=CONTROLLER",
                        "inter.broker.listener.name=PLAINTEXT",
                        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL",
                        secured.properties(),
                        "log.dirs=" + directory.resolve("data"),
                        "offsets.topic.replication.factor=1",
                        "offsets.topic.num.partitions=1",
                        // Tests date records as they like; by default those of long ago are gone half a minute after
                        // the start.
                        "log.retention.ms=-1",
                        "transaction.state.log.replication.factor=1",
                        "transaction.state.log.min.isr=1",
                        "transaction.state.log.num.partitions=1",
                        "share.coordinator.state.topic.replication.factor=1",
                        "share.coordinator.state.topic.min.isr=1",
                        "group.initial.rebalance.delay.ms=0",
                        "num.partitions=1",
                        // Who asks for a topic that was deleted must not make it anew.
                        "auto.create.topics.enable=false",
                        "log.cleaner.dedupe.buffer.size=4194304",
                        ""));
        run("kafka.tools.StorageTool", "format", "-t", Uuid.randomUuid().toString(), "-c", properties.toString())
                .waitFor(PATIENCE);
        process = start();
    }

    private record Running(Process process, Path log) {
        void waitFor(Duration patience) throws IOException {
            try {
                if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                    throw new IllegalStateException(Files.readString(log));
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private Running run(String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                main));
        command.addAll(List.of(arguments));
        Path log = Files.createTempFile(directory, "log-", ".txt");
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Running(started, log);
    }

    private Process start() throws IOException {
        return run("kafka.Kafka", properties.toString()).process;
    }

    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Starts one with topics of two partitions each. */
    public static KafkaServer start(String... topics) {
        try {
            return started(new Secured("", ""), topics);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The same with one more listener, of TLS and SASL (PLAIN); whoever comes there may do what was permitted. Whoever comes
     * to the plain one may do everything.
     *
     * @param secure where that listener is
     * @param keys a PKCS12 store with key and certificate
     * @param users passwords by name
     */
    public static KafkaServer startSecured(String secure, Path keys, String password, Map<String, String> users)
            throws IOException {
        StringBuilder login = new StringBuilder("org.apache.kafka.common.security.plain.PlainLoginModule required");
        users.forEach((name, secret) ->
                login.append(" user_").append(name).append("=\"").append(secret).append('"'));
        String listener = "listener.name.sasl_ssl.";
        return started(
                new Secured(
                        ",SASL_SSL://" + secure,
                        String.join(
                                "\n",
                                listener + "sasl.enabled.mechanisms=PLAIN",
                                listener + "plain.sasl.jaas.config=" + login + ";",
                                listener + "ssl.keystore.type=PKCS12",
                                listener + "ssl.keystore.location=" + keys,
                                listener + "ssl.keystore.password=" + password,
                                "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                                "super.users=User:ANONYMOUS")),
                "approx-reports");
    }

    private record Secured(String listener, String properties) {}

    private static KafkaServer started(Secured secured, String... topics) throws IOException {
        KafkaServer server = new KafkaServer(List.of(), "127.0.0.1", freePort(), freePort(), secured);
        server.create(topics);
        return server;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void create(String... topics) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Admin admin = Admin.create(Map.of(
                    "bootstrap.servers", address, "default.api.timeout.ms", "10000", "request.timeout.ms", "5000"))) {
                // An attempt whose answer came too late may have made them.
                Set<String> there = admin.listTopics().names().get(20, TimeUnit.SECONDS);
                admin.createTopics(Stream.of(topics)
                                .filter(topic -> !there.contains(topic))
                                .map(topic -> new NewTopic(topic, 2, (short) 1))
                                .toList())
                        .all()
                        .get(20, TimeUnit.SECONDS);
                awaitLeaders(admin, topics);
                return;
            } catch (Exception e) {
                if (System.nanoTime() > until || !process.isAlive()) {
                    throw new IllegalStateException("the broker does not start, see " + directory, e);
                }
            }
        }
    }

    /** A new topic's leaders are known before they serve; a producer that comes in between would try twice. */
    private static void awaitLeaders(Admin admin, String... topics) throws Exception {
        Map<TopicPartition, OffsetSpec> all = new HashMap<>();
        for (String topic : topics) {
            all.put(new TopicPartition(topic, 0), OffsetSpec.latest());
            all.put(new TopicPartition(topic, 1), OffsetSpec.latest());
        }
        admin.listOffsets(all).all().get(20, TimeUnit.SECONDS);
    }

    /** host:port. */
    public String address() {
        return address;
    }

    /** Ends the process without asking. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Starts it anew, with its data. */
    public void restart() throws IOException {
        process = start();
    }

    @Override
    public void close() throws Exception {
        kill();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
        }
    }
}
