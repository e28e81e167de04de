package io.leeway.approx.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.approx.ApproxConfigProvider;
import io.leeway.approx.ApproxGateway;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.KafkaServer;
import io.leeway.approx.KeyStores;
import io.leeway.approx.WindowReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.assertj.core.data.Percentage;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of Flink on a real broker: one that only its properties tell from any other, and one with the source of our own. */
@SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
class FlinkJobsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long WINDOW = 60_000;

    @TempDir
    static Path directory;

    private static KafkaServer kafka;

    private ApproxGateway gateway;

    @BeforeAll
    static void startBroker() throws Exception {
        KeyStores.make(directory, "dns:localhost,ip:127.0.0.1");
        kafka = KafkaServer.start("clicks", "doubled", "copied", "fares", "approx-reports");
    }

    @AfterAll
    static void stopBroker() throws Exception {
        kafka.close();
    }

    @BeforeEach
    void startGateway() {
        Map<String, String> options = new HashMap<>(KeyStores.gateway(directory));
        options.put("approx.bootstrap", kafka.address());
        options.put("approx.gateway.listen", "127.0.0.1:0");
        options.put("approx.mark", "on");
        gateway = new ApproxGateway(ApproxOptions.of(options));
    }

    @AfterEach
    void stopGateway() {
        gateway.close();
    }

    /** What a user adds to the properties of a client, in a producer's program as in a job. */
    private Properties client(String topics) {
        Properties client = new Properties();
        String parameter = "config.providers.approx.param.";
        KeyStores.shim(directory).forEach((key, value) -> client.put(parameter + key, value));
        client.put(parameter + "upstream", kafka.address());
        client.put(parameter + "topics", topics);
        client.put(parameter + "gateway", "127.0.0.1:" + gateway.port());
        client.put(parameter + "mode", "atp");
        // No window ends without its promise because the machine is slow; and idle ones end soon.
        client.put(parameter + "deadline", "10m");
        client.put(parameter + "window.grace", "0s");
        client.put("config.providers", "approx");
        client.put("config.providers.approx.class", ApproxConfigProvider.class.getName());
        client.put("bootstrap.servers", "${approx:bootstrap}");
        return client;
    }

    private static KafkaProducer<String, String> producer(Properties client) {
        return new KafkaProducer<>(client, new StringSerializer(), new StringSerializer());
    }

    private static StreamExecutionEnvironment environment() {
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.NUM_TASK_SLOTS, 4);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
        environment.enableCheckpointing(200);
        return environment;
    }

    private long sum(String topic, ToLongFunction<WindowReport> number) {
        return gateway.reports().stream()
                .filter(report -> report.topic().equals(topic))
                .mapToLong(number)
                .sum();
    }

    /** Until the gateway is known, records travel as exact ones, with an offset: what a test counts is sent afterwards. */
    private static void awaitSampling(KafkaProducer<String, String> producer, String topic) {
        await().atMost(PATIENCE)
                .until(() -> !producer.send(new ProducerRecord<>(topic, null, 1L, "a", "early"))
                        .get()
                        .hasOffset());
    }

    @Test
    void aJobThatOnlyItsPropertiesTellFromOthersReadsASampleAndWritesExactAndApproximateTopics() throws Exception {
        Properties client = client("clicks(msr=0.5;window=1s),doubled(msr=0.5;window=1s)");
        int count = 2_000;
        try (KafkaProducer<String, String> producer = producer(client)) {
            awaitSampling(producer, "clicks");
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>("clicks", null, WINDOW, "key " + i % 5, "click " + i));
            }
            producer.flush();
            await().atMost(PATIENCE)
                    .until(() -> gateway.reports().stream()
                                    .filter(report -> report.from() == WINDOW)
                                    .mapToLong(WindowReport::records)
                                    .sum()
                            == count);
        }
        long sampled = gateway.reports().stream()
                .filter(report -> report.from() == WINDOW)
                .mapToLong(WindowReport::delivered)
                .sum();
        assertThat(sampled).isBetween(count / 2L, count - 1L);

        StreamExecutionEnvironment environment = environment();
        KafkaSource<String> source = KafkaSource.<String>builder()
                .setProperties(client)
                .setTopics("clicks")
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setBounded(OffsetsInitializer.latest())
                .setValueOnlyDeserializer(new SimpleStringSchema())
                .build();
        DataStream<String> clicks = environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "clicks")
                .filter(value -> value.startsWith("click "));
        clicks.map(value -> value + value).sinkTo(sink(client, "doubled"));
        clicks.sinkTo(sink(client, "copied"));
        environment.execute("doubling");

        List<String> copied = read(client, "copied", (int) sampled);
        assertThat(copied).hasSize((int) sampled).doesNotHaveDuplicates();
        await().atMost(PATIENCE).until(() -> sum("doubled", WindowReport::records) == sampled);
        assertThat(gateway.reports()).allMatch(WindowReport::kept);
        long doubled = sum("doubled", WindowReport::delivered);
        assertThat(doubled).isBetween(sampled / 2, sampled - 1);
        assertThat(read(client, "doubled", (int) doubled))
                .hasSize((int) doubled)
                .allMatch(value -> value.matches("(click \\d+)\\1"));
    }

    private static KafkaSink<String> sink(Properties client, String topic) {
        return KafkaSink.<String>builder()
                .setBootstrapServers(client.getProperty("bootstrap.servers"))
                .setKafkaProducerConfig(client)
                .setRecordSerializer(KafkaRecordSerializationSchema.<String>builder()
                        .setTopic(topic)
                        .setValueSerializationSchema(new SimpleStringSchema())
                        .build())
                .build();
    }

    private static List<String> read(Properties client, String topic, int least) {
        Properties reader = new Properties();
        reader.putAll(client);
        reader.put("group.id", "readers-of-" + topic);
        reader.put("auto.offset.reset", "earliest");
        List<String> all = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(reader, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            try {
                await().atMost(PATIENCE).until(() -> {
                    consumer.poll(Duration.ofMillis(200)).forEach(record -> all.add(record.value()));
                    return all.size() >= least;
                });
            } catch (ConditionTimeoutException e) {
                // Whether the topic has too few, or the reader does not get them.
                throw new AssertionError(
                        topic + ": " + all.size() + " of " + least + " were read from " + consumer.assignment()
                                + ", which end at " + consumer.endOffsets(consumer.assignment()),
                        e);
            }
            consumer.poll(Duration.ofMillis(500)).forEach(record -> all.add(record.value()));
        }
        return all;
    }

    /** Fails once, after a checkpoint that has seen events. */
    private static final class FailingOnce implements MapFunction<ApproxEvent, ApproxEvent>, CheckpointListener {
        private static final long serialVersionUID = 1L;
        static final AtomicInteger FAILURES = new AtomicInteger();
        static final AtomicBoolean SECURED = new AtomicBoolean();

        private boolean seen;

        @Override
        public ApproxEvent map(ApproxEvent event) {
            seen = true;
            if (SECURED.get() && FAILURES.compareAndSet(0, 1)) {
                throw new IllegalStateException("a failure of the test");
            }
            return event;
        }

        @Override
        public void notifyCheckpointComplete(long checkpoint) {
            if (seen) {
                SECURED.set(true);
            }
        }
    }

    @Test
    void answersOfWindowsAreExactInCountAndCoverTheTruthAlsoWhenTheJobFailsInBetween() throws Exception {
        FailingOnce.FAILURES.set(0);
        FailingOnce.SECURED.set(false);
        Properties client = client("fares(msr=0.4;window=60s;groups=key:2;value=csv:0;msr.key-0=0.8)");
        int windows = 3;
        int each = 3_000;
        // At a level that three windows of two groups do not miss by chance.
        ApproxKafkaSource source = ApproxKafkaSource.builder()
                .properties(client)
                .topics("fares(msr=0.4;window=60s;groups=key:2;value=csv:0)")
                .confidence(0.999_999)
                .build();
        StreamExecutionEnvironment environment = environment();
        DataStream<ApproxEvent> events = environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "fares")
                .map(new FailingOnce());
        Map<String, Double> truth = new HashMap<>();
        Map<String, WindowAnswer> last = new HashMap<>();
        Map<String, Long> produced = new HashMap<>();
        try (KafkaProducer<String, String> producer = producer(client);
                CloseableIterator<WindowAnswer> answers = ApproxWindows.of(events)
                        .confidence(0.999_999)
                        .settle(Duration.ofMillis(200))
                        .answers()
                        .executeAndCollect("answers")) {
            awaitSampling(producer, "fares");
            for (int window = 1; window <= windows; window++) {
                for (int i = 0; i < each; i++) {
                    double fare = 5 + (i * 7919L % 1_000) / 20.0 + window;
                    String key = i % 3 == 0 ? "a" : "b";
                    producer.send(new ProducerRecord<>("fares", null, window * WINDOW + i, key, fare + ",cash"));
                    String of = window * WINDOW + (i % 3 == 0 ? " key-0" : " key-1");
                    truth.merge(of, fare, Double::sum);
                    produced.merge(of, 1L, Long::sum);
                }
                producer.flush();
            }
            // On a slow machine all may be there before the job begins: something has to come after its first
            // checkpoint.
            await().atMost(PATIENCE).untilTrue(FailingOnce.SECURED);
            // What ends the last window.
            producer.send(new ProducerRecord<>("fares", null, (windows + 1) * WINDOW + 1, "a", "1,cash"));
            producer.flush();
            while (last.size() < truth.size()
                    || last.values().stream().mapToLong(WindowAnswer::records).sum() < windows * (long) each) {
                WindowAnswer answer = answers.next();
                String of = answer.from() + " " + answer.group();
                if (truth.containsKey(of)) {
                    last.put(of, answer);
                }
            }
        }
        assertThat(FailingOnce.FAILURES).hasValue(1);
        assertThat(last).hasSameSizeAs(truth);
        last.forEach((of, answer) -> {
            assertThat(answer.warnings()).as(of).isEmpty();
            assertThat(answer.records()).as(of).isEqualTo(produced.get(of));
            assertThat(answer.values()).as(of).isEqualTo(answer.delivered());
            assertThat(answer.kept()).as(of).isTrue();
            assertThat(answer.exactSum()).as(of).isCloseTo(truth.get(of), Percentage.withPercentage(1e-6));
            assertThat(truth.get(of)).as(of).isBetween(answer.sumLow(), answer.sumHigh());
            assertThat(truth.get(of) / produced.get(of)).as(of).isBetween(answer.meanLow(), answer.meanHigh());
        });
    }
}
