package io.leeway.demo.approx;

import io.leeway.approx.flink.ApproxKafkaSource;
import io.leeway.approx.flink.WindowAnswer;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** A job of Flink that tells the mean fare of each hour while the day passes. Runs until it is stopped. */
public final class TripJob {

    private TripJob() {}

    /** Argument: a file of properties. Each line is an answer: from, revision, records, delivered, mean, low, high. */
    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(arguments[0]))) {
            properties.load(file);
        }
        Configuration small = new Configuration();
        small.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(8));
        small.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(8));
        small.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(8));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1, small);
        environment.enableCheckpointing(1_000);
        // Rules and topics are in the properties.
        properties.putIfAbsent("partition.discovery.interval.ms", "1000");
        ApproxKafkaSource source =
                ApproxKafkaSource.builder().properties(properties).build();
        try (CloseableIterator<WindowAnswer> answers =
                source.answers(environment, "trips").executeAndCollect("mean fares")) {
            System.out.println("running");
            while (answers.hasNext()) {
                WindowAnswer answer = answers.next();
                System.out.printf(
                        Locale.ROOT,
                        "answer %d %d %d %d %.4f %.4f %.4f%n",
                        answer.from(),
                        answer.revision(),
                        answer.records(),
                        answer.delivered(),
                        answer.mean(),
                        answer.meanLow(),
                        answer.meanHigh());
            }
        }
    }
}
