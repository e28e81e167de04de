package io.leeway.benchmarks.approx;

import io.leeway.approx.flink.ApproxEvent;
import io.leeway.approx.flink.ApproxKafkaSource;
import io.leeway.approx.flink.ApproxWindows;
import io.leeway.approx.flink.WindowAnswer;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A job of Flink that tells how far trips go in the mean, hour by hour: of the approximate topic by the source that
 * answers for each window, of the two others by Flink's own source and windows of as many records as an hour has. Each
 * line is an answer: topic, beginning of the window, records, mean, when it was told, in microseconds.
 */
public final class Flinking {

    private static final Duration SETTLE = Duration.ofMillis(100);

    private Flinking() {}

    /** Arguments: a file of properties of the approximate source, the brokers. Runs until it is stopped. */
    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(arguments[0]), StandardCharsets.UTF_8)) {
            properties.load(file);
        }
        Configuration small = new Configuration();
        small.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(16));
        small.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(16));
        small.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(8));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1, small);
        environment.enableCheckpointing(1_000);
        DataStream<ApproxEvent> events = environment.fromSource(
                ApproxKafkaSource.builder()
                        .properties(properties)
                        .startingOffsets(OffsetsInitializer.earliest())
                        .build(),
                WatermarkStrategy.noWatermarks(),
                "trips");
        ApproxWindows.of(events)
                // There is one producer: nothing is to be waited for when its report agrees.
                .settle(SETTLE)
                .answers()
                .map(new Answer())
                .union(
                        hours(environment, arguments[1], "exact", Source.RECORDS),
                        hours(environment, arguments[1], "sampled", Source.RECORDS / 2))
                // Told at once: what a job collects waits for its checkpoints.
                .map(new Tell())
                .sinkTo(new DiscardingSink<>());
        environment.executeAsync("mean distances");
        System.out.println("running");
        new CountDownLatch(1).await();
    }

    private static DataStream<String> hours(
            StreamExecutionEnvironment environment, String brokers, String topic, long records) {
        KafkaSource<String> source = KafkaSource.<String>builder()
                .setBootstrapServers(brokers)
                .setTopics(topic)
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setValueOnlyDeserializer(new SimpleStringSchema())
                .build();
        return environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), topic)
                .countWindowAll(records)
                .aggregate(new Mean())
                .map(new Line(topic, records));
    }

    /** Adds up distances. */
    private static final class Mean implements AggregateFunction<String, Tuple2<Long, Double>, Double> {
        private static final long serialVersionUID = 1L;

        @Override
        public Tuple2<Long, Double> createAccumulator() {
            return Tuple2.of(0L, 0.0);
        }

        @Override
        public Tuple2<Long, Double> add(String value, Tuple2<Long, Double> sums) {
            return Tuple2.of(sums.f0 + 1, sums.f1 + Trips.miles(value));
        }

        @Override
        public Double getResult(Tuple2<Long, Double> sums) {
            return sums.f1 / sums.f0;
        }

        @Override
        public Tuple2<Long, Double> merge(Tuple2<Long, Double> one, Tuple2<Long, Double> other) {
            return Tuple2.of(one.f0 + other.f0, one.f1 + other.f1);
        }
    }

    /** What is told of an hour of a topic of exact traffic. */
    private static final class Line implements MapFunction<Double, String> {
        private static final long serialVersionUID = 1L;
        private final String topic;
        private final long records;

        Line(String topic, long records) {
            this.topic = topic;
            this.records = records;
        }

        @Override
        public String map(Double mean) {
            return topic + " 0 " + records + " " + mean;
        }
    }

    /** Prints. */
    private static final class Tell implements MapFunction<String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String map(String line) {
            System.out.println(line + " " + System.nanoTime() / 1_000);
            return line;
        }
    }

    /** What is told of a window of the approximate topic. */
    private static final class Answer implements MapFunction<WindowAnswer, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String map(WindowAnswer answer) {
            return "approx " + answer.from() + " " + answer.records() + " " + answer.mean();
        }
    }
}
