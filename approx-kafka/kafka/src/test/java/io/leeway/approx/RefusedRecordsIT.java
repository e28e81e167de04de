package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.approx.internal.gateway.TopicWriter;
import io.leeway.approx.internal.wire.RecordData;
import io.leeway.testkit.Depth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What brokers refuse is refused to the producer where that can be known, and never counts as delivered. */
@SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
class RefusedRecordsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String REST = "(msr=0.5;window=60s)";

    @TempDir
    static Path directory;

    private static KafkaServer kafka;
    private static Admin admin;

    /** Held, since a logger that nobody holds may be made anew. */
    private static final Logger WRITER = Logger.getLogger(TopicWriter.class.getName());

    private final ConcurrentLinkedQueue<String> logged = new ConcurrentLinkedQueue<>();
    private final Handler logging = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(record.getMessage());
        }

        @Override
        public void flush() {
            // Nothing waits.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    };

    private ApproxGateway gateway;
    private ApproxShim shim;

    @BeforeAll
    static void startBroker() throws Exception {
        KeyStores.make(directory, "dns:localhost,ip:127.0.0.1");
        kafka = KafkaServer.start("trips", "approx-reports");
        admin = Admin.create(Map.of("bootstrap.servers", kafka.address()));
    }

    @AfterAll
    static void stopBroker() throws Exception {
        admin.close();
        kafka.close();
    }

    @AfterEach
    void stop() {
        WRITER.removeHandler(logging);
        if (shim != null) {
            shim.close();
        }
        if (gateway != null) {
            gateway.close();
        }
    }

    private static void create(String topic, Map<String, String> configs) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(configs)))
                .all()
                .get(60, TimeUnit.SECONDS);
        // The controller has it; the broker hears of it later.
        await().atMost(PATIENCE).ignoreExceptions().until(() -> held(topic, 1) == 0);
    }

    /** How many records the brokers hold. */
    private static long held(String topic, int partitions) throws Exception {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (int i = 0; i < partitions; i++) {
            ends.put(new TopicPartition(topic, i), OffsetSpec.latest());
        }
        return admin.listOffsets(ends).all().get(60, TimeUnit.SECONDS).values().stream()
                .mapToLong(end -> end.offset())
                .sum();
    }

    private static ApproxOptions gatewayOptions(String... producer) throws Exception {
        Map<String, String> options = new HashMap<>(KeyStores.gateway(directory));
        options.put("approx.bootstrap", kafka.address());
        options.put("approx.gateway.listen", "127.0.0.1:0");
        Path file = Files.createTempFile(directory, "producer-", ".properties");
        Files.write(file, List.of(producer));
        options.put("approx.producer", file.toString());
        return ApproxOptions.of(options);
    }

    private void start(String topics, String... producer) throws Exception {
        WRITER.addHandler(logging);
        gateway = new ApproxGateway(gatewayOptions(producer));
        Map<String, String> options = new HashMap<>(KeyStores.shim(directory));
        options.put("approx.upstream", kafka.address());
        options.put("approx.gateway", "127.0.0.1:" + gateway.port());
        options.put("approx.topics", topics);
        options.put("approx.mode", "atp");
        options.put("approx.deadline", "10m");
        shim = new ApproxShim(ApproxOptions.of(options));
        await().atMost(PATIENCE).until(() -> shim.path().equals("datagrams"));
    }

    private KafkaProducer<String, String> producer(Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put("bootstrap.servers", shim.bootstrap());
        return new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    }

    private static void send(KafkaProducer<String, String> producer, String topic, int count, int length) {
        for (int i = 0; i < count; i++) {
            producer.send(new ProducerRecord<>(topic, "key " + i, i + "x".repeat(length)));
        }
        producer.flush();
    }

    private List<WindowReport> reports(String topic) {
        return gateway.reports().stream()
                .filter(report -> report.topic().equals(topic))
                .toList();
    }

    private long sum(String topic, ToLongFunction<WindowReport> number) {
        return reports(topic).stream().mapToLong(number).sum();
    }

    private void awaitRecords(String topic, long count) throws Exception {
        assertThat(shim.drain(60_000)).isTrue();
        await().atMost(PATIENCE).until(() -> sum(topic, WindowReport::records) == count);
    }

    @Test
    void aProducerIsToldByTheBrokersWhatTheyWillNotTake() throws Exception {
        create("small", Map.of("max.message.bytes", "2000"));
        create("latest", Map.of("cleanup.policy", "compact"));
        start("trips" + REST + ",small" + REST + ",latest" + REST);
        long tripsBefore = held("trips", 2);
        try (KafkaProducer<String, String> producer = producer(Map.of())) {
            for (String topic : List.of("trips", "small", "latest")) {
                send(producer, topic, 200, 100);
            }
            long future = System.currentTimeMillis() + Duration.ofHours(2).toMillis();
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("trips", 0, future, "key", "late"))
                            .get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(InvalidTimestampException.class);
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("small", "key", "x".repeat(5_000)))
                            .get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(RecordTooLargeException.class);
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("latest", null, "no key"))
                            .get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(InvalidRecordException.class);
            for (String topic : List.of("trips", "small", "latest")) {
                send(producer, topic, 200, 100);
                awaitRecords(topic, 400);
            }
        }
        assertThat(gateway.reports()).allMatch(WindowReport::kept).allMatch(report -> report.refused() == 0);
        assertThat(held("trips", 2) - tripsBefore).isEqualTo(sum("trips", WindowReport::delivered));
        assertThat(held("small", 1)).isEqualTo(sum("small", WindowReport::delivered));
        assertThat(held("latest", 1)).isEqualTo(sum("latest", WindowReport::delivered));
        assertThat(shim.passed()).isEqualTo(3);
        assertThat(gateway.failures()).isZero();
    }

    @Test
    void whatNobodyCouldKnowBeforehandIsLostAndReportedAndNotCountedAsDelivered() throws Exception {
        create("mixed", Map.of());
        // The gateway's own producer takes no long records.
        start("mixed" + REST, "max.request.size=2000");
        try (KafkaProducer<String, String> producer = producer(Map.of())) {
            send(producer, "mixed", 500, 100);
            send(producer, "mixed", 500, 5_000);
        }
        awaitRecords("mixed", 1_000);
        assertThat(held("mixed", 1)).isEqualTo(sum("mixed", WindowReport::delivered));
        assertThat(sum("mixed", WindowReport::refused)).isPositive();
        assertThat(reports("mixed"))
                .anyMatch(report ->
                        !report.kept() && report.refusedWhy().equals("RecordTooLargeException") && report.biased());
        assertThat(gateway.failures())
                .isEqualTo(gateway.reports().stream()
                        .mapToLong(WindowReport::refused)
                        .sum());
        assertThat(logged.stream().filter(line -> line.startsWith("APPROX-201") && line.contains("topic mixed")))
                .hasSize(1);
        assertThat(logged.stream().filter(line -> line.startsWith("{0}: of"))).hasSize(1);
        try (ApproxStatus status =
                new ApproxStatus(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, gateway)) {
            assertThat(get(status, "/status")).contains("brokers refused").contains(": RecordTooLargeException");
            assertThat(get(status, "/metrics"))
                    .contains("approx_window_refused_records{topic=\"mixed\"")
                    .contains("approx_records_failed_total " + (double) gateway.failures());
            assertThat(get(status, "/")).contains("RecordTooLargeException");
            assertThat(get(status, "/reports")).contains("\"refusedWhy\":\"RecordTooLargeException\"");
        }
    }

    private static String get(ApproxStatus status, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + status.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void recordsThatShareABatchWithOneThatIsRefusedAreWritten() throws Exception {
        create("shared", Map.of());
        ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
        int count = 1_000;
        CountDownLatch done = new CountDownLatch(count);
        long now = System.currentTimeMillis();
        try (TopicWriter writer = new TopicWriter(gatewayOptions("linger.ms=100"))) {
            for (int i = 0; i < count; i++) {
                boolean bad = i % 100 == 50;
                byte[] value = ("row " + i).getBytes(StandardCharsets.UTF_8);
                writer.write(RecordData.ofValue("shared", 0, bad ? now + 7_200_000 : now, value), why -> {
                    if (why != null) {
                        refused.add(why);
                    }
                    done.countDown();
                });
            }
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(refused).hasSize(10);
            assertThat(writer.records()).isEqualTo(count - 10);
            assertThat(writer.failures()).isEqualTo(10);
        }
        assertThat(held("shared", 1)).isEqualTo(count - 10);
    }

    @Test
    void aTopicThatTakesOnlyShortBatchesGetsAllItsRecords() throws Exception {
        Map<String, Integer> counts = new HashMap<>();
        for (int topic = 0; topic < 20; topic++) {
            create("short" + topic, Map.of("max.message.bytes", "2000"));
            // A full batch and a short one, each time another: how long a record becomes in a batch is Kafka's
            // business.
            counts.put("short" + topic, 570 + 2 * topic);
        }
        ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(
                counts.values().stream().mapToInt(count -> count).sum());
        // The short one leaves while the brokers look at the full one; what they take of a producer that is new to them
        // may begin anywhere, and what comes before it not any more.
        try (TopicWriter writer = new TopicWriter(gatewayOptions("linger.ms=1"))) {
            counts.forEach((topic, count) -> {
                for (int i = 0; i < count; i++) {
                    byte[] value = (i + "x".repeat(100)).getBytes(StandardCharsets.UTF_8);
                    writer.write(RecordData.ofValue(topic, 0, System.currentTimeMillis(), value), why -> {
                        if (why != null) {
                            refused.add(why);
                        }
                        done.countDown();
                    });
                }
            });
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(refused).isEmpty();
        for (Map.Entry<String, Integer> count : counts.entrySet()) {
            assertThat(held(count.getKey(), 1)).isEqualTo((long) count.getValue());
        }
    }

    @Test
    @Tag(Depth.DEEP) // waits for what Kafka's own clients wait for
    void aTopicThatIsDeletedIsRefusedToTheProducerAndHoldsNobodyElseUp() throws Exception {
        create("gone", Map.of());
        start(
                "trips" + REST + ",gone" + REST,
                "delivery.timeout.ms=5000",
                "request.timeout.ms=3000",
                "max.block.ms=5000",
                "linger.ms=5");
        Map<String, Object> impatient = Map.of(
                "delivery.timeout.ms",
                "10000",
                "request.timeout.ms",
                "5000",
                "max.block.ms",
                "10000",
                "linger.ms",
                "0");
        List<Integer> taken = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer(impatient)) {
            send(producer, "gone", 400, 100);
            awaitRecords("gone", 400);
            long delivered = sum("gone", WindowReport::delivered);
            assertThat(held("gone", 1)).isEqualTo(delivered);
            admin.deleteTopics(List.of("gone")).all().get(60, TimeUnit.SECONDS);
            AtomicReference<Throwable> told = new AtomicReference<>();
            await().atMost(Duration.ofMinutes(3)).until(() -> {
                try {
                    producer.send(new ProducerRecord<>("gone", "key", "too late"))
                            .get(60, TimeUnit.SECONDS);
                    taken.add(1);
                } catch (ExecutionException e) {
                    told.set(e.getCause());
                }
                return told.get() != null;
            });
            // Unknown topic, or that it was waited for in vain.
            assertThat(told.get()).isInstanceOf(RetriableException.class);
            send(producer, "trips", 400, 100);
            awaitRecords("trips", 400);
            assertThat(reports("trips")).allMatch(WindowReport::kept);
            awaitRecords("gone", 400 + taken.size());
            assertThat(sum("gone", WindowReport::delivered)).isEqualTo(delivered);
        }
    }
}
