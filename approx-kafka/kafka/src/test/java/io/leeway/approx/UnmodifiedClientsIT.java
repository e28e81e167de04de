package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.approx.estimate.Ratio;
import io.leeway.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
class UnmodifiedClientsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    static Path directory;

    private static KafkaServer kafka;

    private ApproxGateway gateway;
    private final List<ApproxShim> shims = new ArrayList<>();

    @BeforeAll
    static void startBroker() throws Exception {
        KeyStores.make(directory, "dns:localhost,ip:127.0.0.1");
        kafka = KafkaServer.start(
                "trips",
                "trips-down",
                "trips-any",
                "exact",
                "tx",
                "approx-reports",
                "clicks",
                "doubled",
                "counts",
                "rides",
                "shares",
                "fares");
    }

    @AfterAll
    static void stopBroker() throws Exception {
        kafka.close();
    }

    @AfterEach
    void stop() {
        shims.forEach(ApproxShim::close);
        if (gateway != null) {
            gateway.close();
        }
    }

    private void startGateway() {
        Map<String, String> options = new HashMap<>(KeyStores.gateway(directory));
        options.put("approx.bootstrap", kafka.address());
        options.put("approx.gateway.listen", "127.0.0.1:0");
        gateway = new ApproxGateway(ApproxOptions.of(options));
    }

    /** The parameters of the provider; short names, as people write them. */
    private Map<String, String> parameters(String topics) {
        Map<String, String> parameters = new TreeMap<>(KeyStores.shim(directory));
        parameters.put("upstream", kafka.address());
        parameters.put("topics", topics);
        parameters.put("mode", "atp");
        // No window ends without its promise because the machine is slow.
        parameters.put("deadline", "10m");
        if (gateway != null) {
            parameters.put("gateway", "127.0.0.1:" + gateway.port());
        }
        return parameters;
    }

    private Map<String, Object> client(Map<String, String> parameters) {
        Map<String, Object> client = new HashMap<>();
        client.put("config.providers", "approx");
        client.put("config.providers.approx.class", ApproxConfigProvider.class.getName());
        parameters.forEach((key, value) -> client.put("config.providers.approx.param." + key, value));
        client.put("bootstrap.servers", "${approx:bootstrap}");
        client.put("key.serializer", StringSerializer.class.getName());
        client.put("value.serializer", StringSerializer.class.getName());
        client.put("key.deserializer", StringDeserializer.class.getName());
        client.put("value.deserializer", StringDeserializer.class.getName());
        client.put("auto.offset.reset", "earliest");
        return client;
    }

    private ApproxShim shimOf(Map<String, String> parameters) {
        Map<String, String> given = new TreeMap<>();
        parameters.forEach((key, value) -> given.put(key.startsWith("approx.") ? key : "approx." + key, value));
        ApproxShim shim = ApproxConfigProvider.shim(given);
        shims.add(shim);
        return shim;
    }

    private static List<ConsumerRecord<String, String>> read(Map<String, Object> client, String topic, int least) {
        Map<String, Object> config = new HashMap<>(client);
        config.put("group.id", "readers-" + System.nanoTime());
        List<ConsumerRecord<String, String>> all = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(config)) {
            consumer.subscribe(List.of(topic));
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(200)).records(topic).forEach(all::add);
                return all.size() >= least;
            });
            consumer.poll(Duration.ofMillis(500)).records(topic).forEach(all::add);
            consumer.commitSync();
        }
        return all;
    }

    private List<WindowReport> reports(String topic) {
        return gateway.reports().stream()
                .filter(report -> report.topic().equals(topic))
                .toList();
    }

    @Test
    void halfOfTheRecordsOfAnApproximateTopicArriveAndAllOfAnExactOne() throws Exception {
        startGateway();
        Map<String, String> parameters = parameters("trips(msr=0.5;window=60s)");
        Map<String, Object> client = client(parameters);
        int count = 4_000;
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(client)) {
            ApproxShim shim = shimOf(parameters);
            await().atMost(PATIENCE).until(() -> shim.path().equals("datagrams"));
            for (int i = 0; i < count; i++) {
                ProducerRecord<String, String> record = new ProducerRecord<>("trips", "key " + i % 7, "trip " + i);
                record.headers().add("h", "header".getBytes(StandardCharsets.UTF_8));
                sent.add(producer.send(record));
                producer.send(new ProducerRecord<>("exact", "key " + i, "row " + i));
            }
            producer.flush();
            for (Future<RecordMetadata> each : sent) {
                assertThat(each.get().hasOffset()).isFalse();
            }
            assertThat(shim.drain(60_000)).isTrue();
            assertThat(shim.accepted()).isEqualTo(count);
        }
        await().atMost(PATIENCE)
                .until(() -> reports("trips").stream()
                                .mapToLong(WindowReport::records)
                                .sum()
                        == count);
        long delivered =
                reports("trips").stream().mapToLong(WindowReport::delivered).sum();
        assertThat(delivered).isBetween(count / 2L, count / 2L + 200);
        assertThat(reports("trips")).allMatch(WindowReport::kept).noneMatch(WindowReport::biased);

        List<ConsumerRecord<String, String>> trips = read(client, "trips", (int) delivered);
        assertThat(trips).hasSize((int) delivered);
        assertThat(trips.stream().map(ConsumerRecord::value).collect(Collectors.toSet()))
                .hasSameSizeAs(trips);
        assertThat(trips).allSatisfy(record -> {
            assertThat(record.key())
                    .isEqualTo("key " + Integer.parseInt(record.value().substring(5)) % 7);
            assertThat(record.headers().lastHeader("h").value()).asString().isEqualTo("header");
        });
        assertThat(new HashSet<>(read(client, "exact", count))).hasSize(count);
        List<ConsumerRecord<String, String>> told = read(client, "approx-reports", 1);
        assertThat(WindowReport.fromJson(told.get(0).value()).topic()).isNotEmpty();
    }

    /** Of each answer as many records come as its error needs, from the second window on. */
    @Test
    void anErrorOfEachAnswerIsHeldByGroups() throws Exception {
        startGateway();
        Map<String, String> parameters = parameters("shares(error.max=0.05;answer=count;groups=header:city;window=60s),"
                + "fares(error.max=0.02;answer=ratio;value=csv:0;per=csv:1;groups=header:city;window=60s)");
        Map<String, Object> client = client(parameters);
        int windows = 4;
        int each = 3_000;
        long first = (System.currentTimeMillis() / 60_000 - 60) * 60_000;
        ApproxShim shim = shimOf(parameters);
        await().atMost(PATIENCE).until(() -> shim.path().equals("datagrams"));
        var random = Seeds.random("errors-of-answers");
        double[] fares = new double[windows];
        double[] miles = new double[windows];
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(client)) {
            for (int i = 0; i < windows * each; i++) {
                int window = i / each;
                long time = first + window * 120_000L + i % each * 20L;
                double mile = 1 + 9 * random.nextDouble();
                double fare = 3 * mile + 6 * random.nextGaussian();
                miles[window] += mile;
                fares[window] += fare;
                producer.send(ride("shares", time, i % 3 == 0 ? "a" : "b", "ride " + i));
                producer.send(ride("fares", time, "c", fare + "," + mile));
                if (i % each == each - 1) {
                    // A window learns from those before it that have ended; this one ends when a later one begins.
                    producer.send(ride("shares", first + window * 120_000L + 62_000, "end", "later"));
                    producer.send(ride("fares", first + window * 120_000L + 62_000, "end", "1,1"));
                    producer.flush();
                    long sent = i + 1L;
                    await().atMost(PATIENCE)
                            .until(() -> ended("shares")
                                                    .mapToLong(WindowReport::records)
                                                    .sum()
                                            == sent
                                    && ended("fares")
                                                    .mapToLong(WindowReport::records)
                                                    .sum()
                                            == sent);
                }
            }
        }
        assertThat(shim.drain(60_000)).isTrue();
        assertThat(ended("shares")).allMatch(WindowReport::kept).hasSize(2 * windows);
        assertThat(ended("fares")).allMatch(WindowReport::kept).hasSize(windows);
        for (WindowReport report : ended("shares").toList()) {
            // 385 of an endless window: 278 of 1,000, 323 of 2,000; hardly more come than have to.
            long need = report.group().equals("a") ? 278 : 323;
            assertThat(report.delivered())
                    .isBetween(
                            report.from() == first ? report.records() : need,
                            report.from() == first ? report.records() : need + 100);
        }
        Map<Long, List<String>> sampled =
                read(client, "fares", (int) sum(reports("fares"), WindowReport::delivered)).stream()
                        .filter(record -> !record.value().equals("1,1"))
                        .collect(Collectors.groupingBy(
                                record -> (record.timestamp() - first) / 60_000 / 2,
                                Collectors.mapping(ConsumerRecord::value, Collectors.toList())));
        for (WindowReport report : ended("fares").toList()) {
            int window = (int) ((report.from() - first) / 60_000 / 2);
            List<String> values = sampled.get((long) window);
            assertThat(values).hasSize((int) report.delivered());
            double[] y = values.stream()
                    .mapToDouble(value -> Double.parseDouble(value.split(",")[0]))
                    .toArray();
            double[] x = values.stream()
                    .mapToDouble(value -> Double.parseDouble(value.split(",")[1]))
                    .toArray();
            // At a level that four windows do not miss by chance.
            var ratio = Ratio.of(y, x, report.records(), 0.999_999);
            assertThat(fares[window] / miles[window]).isBetween(ratio.low(), ratio.high());
            if (window > 0) {
                // 1,270 of an endless window, so 892 of 3,000; the rate falls by a quarter a window from 0.98.
                assertThat(report.delivered())
                        .isBetween(800L, (long) (each * 0.98 / Math.pow(1.25, window - 1.0)) + 150);
            }
        }
    }

    private static ProducerRecord<String, String> ride(String topic, long time, String city, String value) {
        var record = new ProducerRecord<String, String>(topic, 0, time, null, value);
        record.headers().add("city", city.getBytes(StandardCharsets.UTF_8));
        return record;
    }

    /** The reports of a topic, without what only ends windows. */
    private Stream<WindowReport> ended(String topic) {
        return reports(topic).stream().filter(report -> !report.group().equals("end"));
    }

    @Test
    void aQuotaIsHeldForEachGroupOfEachWindowButTheFirst() throws Exception {
        startGateway();
        Map<String, String> parameters = parameters("rides(quota=100;groups=header:city;window=60s)");
        Map<String, Object> client = client(parameters);
        Map<String, Integer> sizes = new TreeMap<>(Map.of("large", 2_000, "medium", 400, "small", 60));
        int windows = 4;
        // In the past, so that one window follows the other without waiting for the clock.
        long first = (System.currentTimeMillis() / 60_000 - 60) * 60_000;
        ApproxShim shim = shimOf(parameters);
        await().atMost(PATIENCE).until(() -> shim.path().equals("datagrams"));
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(client)) {
            for (int window = 0; window < windows; window++) {
                for (int i = 0; i < 2_000; i++) {
                    for (Map.Entry<String, Integer> city : sizes.entrySet()) {
                        if (i < city.getValue()) {
                            ProducerRecord<String, String> record = new ProducerRecord<>(
                                    "rides", 0, first + window * 60_000L + i * 30L, null, "ride " + i);
                            record.headers().add("city", city.getKey().getBytes(StandardCharsets.UTF_8));
                            producer.send(record);
                        }
                    }
                }
            }
            producer.flush();
        }
        assertThat(shim.drain(60_000)).isTrue();
        int count = windows * sizes.values().stream().mapToInt(each -> each).sum();
        await().atMost(PATIENCE).until(() -> sum(reports("rides"), WindowReport::records) == count);
        assertThat(reports("rides")).allMatch(WindowReport::kept).hasSize(windows * sizes.size());
        for (WindowReport report : reports("rides")) {
            int size = sizes.get(report.group());
            assertThat(report.records()).isEqualTo(size);
            if (report.from() == first || size <= 100) {
                assertThat(report.delivered()).isEqualTo(size);
            } else {
                // The rate follows from the window before, of the same size here; a sample is hardly more than it has
                // to be.
                assertThat(report.delivered()).isBetween(100L, 200L);
            }
        }
        Map<String, Long> delivered = reports("rides").stream()
                .collect(Collectors.toMap(
                        report -> report.group() + (report.from() - first) / 60_000, WindowReport::delivered));
        Map<String, Long> inTheTopic =
                read(client, "rides", (int) sum(reports("rides"), WindowReport::delivered)).stream()
                        .collect(Collectors.groupingBy(
                                record -> new String(
                                                record.headers()
                                                        .lastHeader("city")
                                                        .value(),
                                                StandardCharsets.UTF_8)
                                        + (record.timestamp() - first) / 60_000,
                                Collectors.counting()));
        assertThat(inTheTopic).isEqualTo(delivered);
    }

    @Test
    void everyRecordTravelsAsAnExactOneWhileThereIsNoGateway() throws Exception {
        Map<String, String> parameters = parameters("trips-down(msr=0.1)");
        Map<String, Object> client = client(parameters);
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(client)) {
            for (int i = 0; i < 500; i++) {
                producer.send(new ProducerRecord<>("trips-down", "trip " + i));
            }
            producer.flush();
        }
        assertThat(shimOf(parameters).path()).startsWith("exact: ");
        assertThat(shimOf(parameters).passed()).isGreaterThanOrEqualTo(500);
        assertThat(read(client, "trips-down", 500)).hasSize(500);
    }

    @Test
    void transactionsAreLeftAlone() throws Exception {
        startGateway();
        Map<String, String> parameters = parameters("tx*(msr=0.1)");
        Map<String, Object> client = client(parameters);
        client.put("transactional.id", "t");
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(client)) {
            await().atMost(PATIENCE).until(() -> shimOf(parameters).path().equals("datagrams"));
            producer.initTransactions();
            producer.beginTransaction();
            for (int i = 0; i < 100; i++) {
                producer.send(new ProducerRecord<>("tx", "kept " + i));
            }
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("tx", "taken back"));
            producer.abortTransaction();
        }
        client.remove("transactional.id");
        client.put("isolation.level", "read_committed");
        assertThat(read(client, "tx", 100))
                .hasSize(100)
                .allMatch(record -> record.value().startsWith("kept"));
    }

    @Test
    void aTopologyOfKafkaStreamsReadsASampleAndWritesExactAndApproximateTopics() throws Exception {
        startGateway();
        Map<String, String> parameters = parameters("clicks(msr=0.5;window=60s),doubled(msr=0.5;window=60s)");
        Map<String, Object> client = client(parameters);
        StreamsBuilder builder = new StreamsBuilder();
        KStream<String, String> clicks = builder.stream("clicks", Consumed.with(Serdes.String(), Serdes.String()));
        clicks.mapValues(value -> value + value).to("doubled", Produced.with(Serdes.String(), Serdes.String()));
        // Grouping by another key goes through a topic of Streams' own, and the store has one that it is logged to.
        clicks.groupBy((key, value) -> "all", Grouped.with(Serdes.String(), Serdes.String()))
                .count(Materialized.as(Stores.inMemoryKeyValueStore("counts-store")))
                .toStream()
                .mapValues(count -> Long.toString(count))
                .to("counts", Produced.with(Serdes.String(), Serdes.String()));
        Properties streams = new Properties();
        parameters.forEach((key, value) -> streams.put("config.providers.approx.param." + key, value));
        streams.put("config.providers", "approx");
        streams.put("config.providers.approx.class", ApproxConfigProvider.class.getName());
        streams.put("bootstrap.servers", "${approx:bootstrap}");
        streams.put("application.id", "topology");
        streams.put("state.dir", directory.resolve("streams").toString());
        streams.put("auto.offset.reset", "earliest");
        streams.put("commit.interval.ms", "100");
        int count = 1_000;
        ApproxShim shim = shimOf(parameters);
        await().atMost(PATIENCE).until(() -> shim.path().equals("datagrams"));
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(client)) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>("clicks", "key " + i % 5, "click " + i));
            }
        }
        assertThat(shim.drain(60_000)).isTrue();
        await().atMost(PATIENCE).until(() -> sum(reports("clicks"), WindowReport::records) == count);
        long sampled = sum(reports("clicks"), WindowReport::delivered);
        try (KafkaStreams topology = new KafkaStreams(builder.build(), streams)) {
            topology.start();
            List<ConsumerRecord<String, String>> counts = new ArrayList<>();
            Map<String, Object> reader = new HashMap<>(client);
            reader.put("group.id", "readers-of-counts");
            try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(reader)) {
                consumer.subscribe(List.of("counts"));
                await().atMost(PATIENCE).until(() -> {
                    consumer.poll(Duration.ofMillis(200)).records("counts").forEach(counts::add);
                    return !counts.isEmpty()
                            && counts.get(counts.size() - 1).value().equals(Long.toString(sampled));
                });
            }
        }
        assertThat(shim.drain(60_000)).isTrue();
        await().atMost(PATIENCE).until(() -> sum(reports("doubled"), WindowReport::records) == sampled);
        assertThat(reports("doubled")).allMatch(WindowReport::kept);
        long doubled = sum(reports("doubled"), WindowReport::delivered);
        assertThat(doubled).isBetween(sampled / 2, sampled - 1);
        assertThat(read(client, "doubled", (int) doubled))
                .hasSize((int) doubled)
                .allMatch(record -> record.value().matches("(click \\d+)\\1"));
    }

    private static long sum(List<WindowReport> reports, ToLongFunction<WindowReport> number) {
        return reports.stream().mapToLong(number).sum();
    }

    @Test
    void administratorsSeeTheClusterThroughTheShim() throws Exception {
        Map<String, Object> client = client(parameters("trips(msr=0.5)"));
        try (Admin admin = Admin.create(client)) {
            int port = admin.describeCluster().nodes().get().iterator().next().port();
            assertThat(port).isNotEqualTo(Integer.parseInt(kafka.address().split(":")[1]));
            assertThat(admin.listTopics().names().get()).containsAll(Arrays.asList("trips", "exact"));
        }
    }
}
