package io.leeway.demo.approx;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A real broker, with its controller, in a process of its own. Topics have one partition. */
record Broker(Program program, String address) implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    static Broker start(Path directory, String... topics) throws IOException, InterruptedException {
        String address = "127.0.0.1:" + freePort();
        String controller = "127.0.0.1:" + freePort();
        Path properties = directory.resolve("server.properties");
        Files.writeString(
                properties,
                String.join(
                        "\n",
                        "process.roles=broker,controller",
                        "node.id=1",
                        "controller.quorum.voters=1@" + controller,
                        "listeners=PLAINTEXT://" + address + ",CONTROLLER://" + controller,
                        "advertised.listeners=PLAINTEXT://" + address,
                        "controller.listener.names=CONTROLLER",
                        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "log.dirs=" + directory.resolve("data"),
                        "offsets.topic.replication.factor=1",
                        "transaction.state.log.replication.factor=1",
                        "transaction.state.log.min.isr=1",
                        // The trips are those of a day long ago, and are to be kept nevertheless.
                        "log.retention.ms=-1",
                        "log.cleaner.dedupe.buffer.size=4194304",
                        ""));
        try (Program format = Program.start(
                directory,
                "kafka.tools.StorageTool",
                "format",
                "-t",
                Uuid.randomUuid().toString(),
                "-c",
                properties.toString())) {
            format.awaitEnd();
        }
        Broker broker = new Broker(Program.start(directory, "kafka.Kafka", properties.toString()), address);
        try {
            broker.create(topics);
            return broker;
        } catch (IOException | InterruptedException e) {
            broker.close();
            throw e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void create(String... topics) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", address))) {
                // An attempt whose answer came too late may have made them.
                Set<String> there = admin.listTopics().names().get(20, TimeUnit.SECONDS);
                admin.createTopics(Stream.of(topics)
                                .filter(topic -> !there.contains(topic))
                                .map(topic -> new NewTopic(topic, 1, (short) 1))
                                .toList())
                        .all()
                        .get(20, TimeUnit.SECONDS);
                Map<TopicPartition, OffsetSpec> all = new HashMap<>();
                Stream.of(topics).forEach(topic -> all.put(new TopicPartition(topic, 0), OffsetSpec.latest()));
                admin.listOffsets(all).all().get(20, TimeUnit.SECONDS);
                return;
            } catch (ExecutionException | TimeoutException e) {
                if (System.nanoTime() - begun > PATIENCE_NANOS
                        || !program.process().isAlive()) {
                    throw new IOException("the broker does not start: " + Files.readString(program.log()), e);
                }
            }
        }
    }

    /** All records of a topic, from the first on, read until there are enough. */
    List<ConsumerRecord<String, String>> read(String topic, Predicate<List<ConsumerRecord<String, String>>> enough)
            throws IOException {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", address);
        List<ConsumerRecord<String, String>> all = new ArrayList<>();
        long begun = System.nanoTime();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!enough.test(all)) {
                if (System.nanoTime() - begun > PATIENCE_NANOS) {
                    throw new IOException("after two minutes there are only " + all.size() + " records in " + topic);
                }
                consumer.poll(Duration.ofMillis(100)).records(topic).forEach(all::add);
            }
        }
        return all;
    }

    @Override
    public void close() {
        program.close();
    }
}
