package io.leeway.approx.owntests;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.approx.ApproxGateway;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.ApproxShim;
import io.leeway.approx.KeyStores;
import io.leeway.approx.WindowReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.test.ClusterInstance;
import org.apache.kafka.common.test.api.ClusterConfigProperty;
import org.apache.kafka.common.test.api.ClusterTest;
import org.apache.kafka.common.test.api.Type;
import org.junit.jupiter.api.io.TempDir;

/** Brokers that are started anew one by one under a producer that goes on, with a gateway that goes on. */
class RollingRestartIT {

    private static final int BETWEEN = 2_000;
    private static final long PATIENCE_NANOS = Duration.ofMinutes(5).toNanos();
    private static final List<TopicPartition> PARTITIONS =
            List.of(new TopicPartition("trips", 0), new TopicPartition("trips", 1));

    @TempDir
    Path directory;

    // With the controller in a process of its own: that of a broker goes away with it, and a cluster of one controller
    // moves no leaders then.
    @ClusterTest(
            types = Type.KRAFT,
            brokers = 3,
            serverProperties = {
                @ClusterConfigProperty(key = "default.replication.factor", value = "3"),
                @ClusterConfigProperty(key = "min.insync.replicas", value = "2"),
                @ClusterConfigProperty(key = "offsets.topic.replication.factor", value = "3")
            })
    void windowsHaveWhatTheyWerePromisedWhileBrokersRestartInTurn(ClusterInstance cluster) throws Exception {
        String brokers = cluster.brokerBoundPorts().stream()
                .map(port -> "localhost:" + port)
                .collect(Collectors.joining(","));
        cluster.createTopic("trips", 2, (short) 3);
        cluster.createTopic("approx-reports", 1, (short) 3);
        KeyStores.make(directory, "ip:127.0.0.1");
        Map<String, String> options = new HashMap<>(KeyStores.gateway(directory));
        options.put("approx.bootstrap", brokers);
        options.put("approx.gateway.listen", "127.0.0.1:0");
        try (ApproxGateway gateway = new ApproxGateway(ApproxOptions.of(options));
                ApproxShim shim = new ApproxShim(ApproxOptions.of(shimOptions(brokers, gateway.port())))) {
            await(() -> shim.path().equals("datagrams"));
            Load load = new Load(shim.bootstrap());
            load.awaitMore();
            for (int id : List.copyOf(cluster.brokerIds())) {
                cluster.shutdownBroker(id);
                load.awaitMore();
                cluster.startBroker(id);
                cluster.waitForReadyBrokers();
                load.awaitMore();
            }
            long all = load.end();
            assertThat(shim.drain(Duration.ofMinutes(2).toMillis())).isTrue();
            await(() -> records(gateway) >= all);
            // Each once: neither a producer that tried again nor a gateway that did has made two of one.
            assertThat(records(gateway)).isEqualTo(all);
            assertThat(gateway.reports()).allMatch(WindowReport::kept);
            long delivered = gateway.reports().stream()
                    .mapToLong(WindowReport::delivered)
                    .sum();
            await(() -> gateway.records() + gateway.failures() >= delivered);
            assertThat(gateway.failures()).isZero();
            assertThat(inTheTopic(brokers)).isEqualTo(delivered);
        }
    }

    private Map<String, String> shimOptions(String brokers, int gateway) {
        Map<String, String> options = new HashMap<>(KeyStores.shim(directory));
        options.put("approx.upstream", brokers);
        options.put("approx.gateway", "127.0.0.1:" + gateway);
        options.put("approx.topics", "trips(msr=0.5;window=60s)");
        options.put("approx.mode", "atp");
        options.put("approx.deadline", "10m");
        return options;
    }

    private static long records(ApproxGateway gateway) {
        return gateway.reports().stream().mapToLong(WindowReport::records).sum();
    }

    private static long inTheTopic(String brokers) {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers), new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(PARTITIONS);
            Map<TopicPartition, Long> ends = consumer.endOffsets(PARTITIONS);
            return ends.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** A producer that goes on, some thousands of records a second, until it is told to end. */
    private static final class Load {
        private final AtomicInteger written = new AtomicInteger();
        private final AtomicReference<Exception> failure = new AtomicReference<>();
        private final Thread thread;
        private volatile boolean ending;

        Load(String bootstrap) {
            thread = new Thread(() -> run(bootstrap), "load");
            thread.start();
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the callback is told
        private void run(String bootstrap) {
            try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", bootstrap), new StringSerializer(), new StringSerializer())) {
                for (int i = 0; !ending; i++) {
                    producer.send(new ProducerRecord<>("trips", "trip " + i), (metadata, why) -> {
                        if (why == null) {
                            written.incrementAndGet();
                        } else {
                            failure.compareAndSet(null, why);
                        }
                    });
                    if (i % 20 == 0) {
                        LockSupport.parkNanos(5_000_000);
                    }
                }
            }
        }

        void awaitMore() throws InterruptedException {
            int wanted = written.get() + BETWEEN;
            await(() -> written.get() >= wanted || failure.get() != null);
            assertThat(failure.get()).isNull();
        }

        /** How many were written. */
        int end() throws InterruptedException {
            ending = true;
            thread.join();
            assertThat(failure.get()).isNull();
            return written.get();
        }
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) throws InterruptedException {
        long begin = System.nanoTime();
        while (!condition.holds()) {
            assertThat(System.nanoTime() - begin).isLessThan(PATIENCE_NANOS);
            Thread.sleep(20);
        }
    }
}
