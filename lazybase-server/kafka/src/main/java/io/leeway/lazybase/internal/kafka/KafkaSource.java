package io.leeway.lazybase.internal.kafka;

import io.leeway.lazybase.spi.Source;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A topic, read without a consumer group: partitions are assigned and offsets sought, since LazyBase keeps them with the rows. Of
 * transactions only those that were committed are read. For one thread.
 */
final class KafkaSource implements Source {

    private static final String PROPERTIES = "kafka.properties";
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final int RECORDS = 20_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String topic;

    private KafkaSource(KafkaConsumer<byte[], byte[]> consumer, String topic) {
        this.consumer = consumer;
        this.topic = topic;
    }

    /** Connects to brokers. */
    public static final class Provider implements Source.Provider {

        /** For the loader of services. */
        public Provider() {}

        @Override
        public String kind() {
            return "kafka";
        }

        @Override
        public Source open(String address, String topic, Path directory) throws IOException {
            var settings = new Properties();
            settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS);
            settings.put(ConsumerConfig.CLIENT_ID_CONFIG, "lazybase");
            if (Files.exists(directory.resolve(PROPERTIES))) {
                try (Reader in = Files.newBufferedReader(directory.resolve(PROPERTIES))) {
                    settings.load(in);
                }
            }
            // What exactly once stands on is nobody's choice.
            settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address);
            settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
            settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
            settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) WAIT.toMillis());
            try {
                var bytes = new ByteArrayDeserializer();
                return new KafkaSource(new KafkaConsumer<>(settings, bytes, bytes), topic);
            } catch (KafkaException e) {
                throw told(e);
            }
        }
    }

    private static IOException told(KafkaException e) {
        Throwable cause = e.getCause();
        return new IOException("Kafka: " + e.getMessage() + (cause == null ? "" : ": " + cause.getMessage()), e);
    }

    @Override
    public List<Integer> partitions() throws IOException {
        try {
            List<PartitionInfo> found = consumer.partitionsFor(topic);
            if (found == null || found.isEmpty()) {
                throw new IOException("Kafka: there is no topic " + topic);
            }
            return found.stream().map(PartitionInfo::partition).sorted().toList();
        } catch (KafkaException e) {
            throw told(e);
        }
    }

    @Override
    public long edge(int partition, boolean end) throws IOException {
        var where = new TopicPartition(topic, partition);
        try {
            Map<TopicPartition, Long> edges =
                    end ? consumer.endOffsets(Set.of(where)) : consumer.beginningOffsets(Set.of(where));
            return edges.getOrDefault(where, 0L);
        } catch (KafkaException e) {
            throw told(e);
        }
    }

    @Override
    public void seek(Map<Integer, Long> offsets) throws IOException {
        try {
            consumer.assign(offsets.keySet().stream()
                    .map(partition -> new TopicPartition(topic, partition))
                    .toList());
            offsets.forEach((partition, offset) -> consumer.seek(new TopicPartition(topic, partition), offset));
        } catch (KafkaException e) {
            throw told(e);
        }
    }

    @Override
    public List<Message> poll(Duration wait) throws IOException {
        try {
            var messages = new ArrayList<Message>();
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(wait)) {
                messages.add(new Message(message.partition(), message.offset(), message.value()));
            }
            return messages;
        } catch (OffsetOutOfRangeException e) {
            throw new IOException(
                    "Kafka: what comes next is not kept any more: " + e.offsetOutOfRangePartitions()
                            + "; if it may be left out, set next_offset in lazybase_offsets",
                    e);
        } catch (KafkaException e) {
            throw told(e);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
