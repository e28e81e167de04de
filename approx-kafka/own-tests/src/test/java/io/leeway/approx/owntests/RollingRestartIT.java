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
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.test.ClusterInstance;
import org.apache.kafka.common.test.api.ClusterConfigProperty;
import org.apache.kafka.common.test.api.ClusterTest;
import org.junit.jupiter.api.io.TempDir;

/** Brokers that are started anew one by one, behind a gateway that goes on. */
class RollingRestartIT {

    private static final int AT_ONCE = 1_000;
    private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();

    @TempDir
    Path directory;

    @ClusterTest(
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
            int produced = produce(shim);
            for (int id : List.copyOf(cluster.brokerIds())) {
                cluster.shutdownBroker(id);
                produced += produce(shim);
                cluster.startBroker(id);
                cluster.waitForReadyBrokers();
                produced += produce(shim);
            }
            assertThat(shim.drain(60_000)).isTrue();
            long all = produced;
            await(() -> records(gateway) >= all);
            assertThat(records(gateway)).isEqualTo(all);
            assertThat(gateway.reports()).allMatch(WindowReport::kept);
            long delivered = gateway.reports().stream()
                    .mapToLong(WindowReport::delivered)
                    .sum();
            await(() -> gateway.records() + gateway.failures() >= delivered);
            assertThat(gateway.failures()).isZero();
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

    @SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
    private static int produce(ApproxShim shim) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", shim.bootstrap()), new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < AT_ONCE; i++) {
                producer.send(new ProducerRecord<>("trips", "trip " + i));
            }
            producer.flush();
        }
        return AT_ONCE;
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
