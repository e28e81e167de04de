package io.leeway.approx.internal.shim;

import io.leeway.approx.internal.wire.RecordData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;
import org.jspecify.annotations.Nullable;

/** A PRODUCE request, split into what is approximate and what is not: producers put both into one. */
final class Produce {

    /** The approximate partitions of one topic. */
    record Part(String name, Uuid id, List<Integer> partitions) {}

    /** What is approximate of one partition. */
    private record Approximate(TakenBatches.Batch batch, List<RecordData> records) {}

    private final RequestHeader header;
    private final ProduceRequestData data;
    private final List<Part> parts = new ArrayList<>();
    private final List<Approximate> sampled = new ArrayList<>();
    /** Approximate topics by name; only of requests outside of transactions. */
    private final Map<String, TopicProduceData> topics = new LinkedHashMap<>();

    private int passed;

    private Produce(RequestHeader header, ProduceRequestData data) {
        this.header = header;
        this.data = data;
    }

    /**
     * Reads a request; {@link #split} looks into its records.
     *
     * @param request the request without its length
     * @param name the name of a topic by its number
     * @param approximate whether a topic is approximate
     */
    static Produce read(ByteBuffer request, Function<Uuid, @Nullable String> name, Predicate<String> approximate) {
        RequestHeader header = RequestHeader.parse(request);
        ProduceRequestData data = ProduceRequest.parse(new ByteBufferAccessor(request), header.apiVersion())
                .data();
        Produce produce = new Produce(header, data);
        if (data.transactionalId() == null) {
            for (TopicProduceData topic : data.topicData()) {
                String called = topic.name().isEmpty() ? name.apply(topic.topicId()) : topic.name();
                if (called != null && approximate.test(called)) {
                    produce.topics.put(called, topic);
                }
            }
        }
        return produce;
    }

    /** The approximate topics. */
    List<String> topics() {
        return List.copyOf(topics.keySet());
    }

    /**
     * Splits the request.
     *
     * @param takes whether records of a topic may be taken; a batch with those that may not stays in the exact part, where
     *     the broker refuses it as it would without a shim
     */
    void split(BiPredicate<String, List<RecordData>> takes) {
        topics.forEach((name, topic) -> look(name, topic, takes));
    }

    private void look(String name, TopicProduceData topic, BiPredicate<String, List<RecordData>> takes) {
        List<Integer> partitions = new ArrayList<>();
        for (PartitionProduceData partition : topic.partitionData()) {
            if (partition.records() instanceof MemoryRecords batches && BatchRecords.canBeSampled(batches)) {
                Optional<List<RecordData>> records = BatchRecords.read(name, partition.index(), batches);
                if (records.isPresent() && takes.test(name, records.get())) {
                    partitions.add(partition.index());
                    sampled.add(new Approximate(BatchRecords.batch(name, partition.index(), batches), records.get()));
                } else {
                    // Its broker has not seen all that came before.
                    BatchRecords.withoutSequence(batches);
                    passed += records.map(List::size).orElse(1);
                }
            }
        }
        if (!partitions.isEmpty()) {
            parts.add(new Part(topic.name(), topic.topicId(), partitions));
        }
    }

    /** How many records of approximate topics are in the exact part since the broker would refuse them, or a batch of theirs. */
    int passed() {
        return passed;
    }

    boolean hasApproximate() {
        return !parts.isEmpty();
    }

    List<Part> parts() {
        return parts;
    }

    /** How many records are approximate. */
    int approximateRecords() {
        return sampled.stream().mapToInt(each -> each.records().size()).sum();
    }

    /** The batches that are approximate, one a partition. */
    List<TakenBatches.Batch> batches() {
        return sampled.stream().map(Approximate::batch).toList();
    }

    /** The records of those of these batches. */
    List<RecordData> records(List<TakenBatches.Batch> batches) {
        return sampled.stream()
                .filter(each -> batches.contains(each.batch()))
                .flatMap(each -> each.records().stream())
                .toList();
    }

    boolean wantsAnswer() {
        return data.acks() != 0;
    }

    short version() {
        return header.apiVersion();
    }

    int correlation() {
        return header.correlationId();
    }

    /** The request without what is approximate; null if nothing is left. */
    @Nullable
    ByteBuffer exactPart() {
        for (Part part : parts) {
            TopicProduceData topic = data.topicData().find(part.name(), part.id());
            topic.partitionData().removeIf(partition -> part.partitions().contains(partition.index()));
        }
        data.topicData().removeIf(topic -> topic.partitionData().isEmpty());
        return data.topicData().isEmpty() ? null : serialize();
    }

    /** The whole request as exact traffic; what is approximate without sequence, of which the broker has not seen all. */
    ByteBuffer allExact() {
        for (Part part : parts) {
            TopicProduceData topic = data.topicData().find(part.name(), part.id());
            Iterator<PartitionProduceData> partitions = topic.partitionData().iterator();
            while (partitions.hasNext()) {
                PartitionProduceData partition = partitions.next();
                if (part.partitions().contains(partition.index())) {
                    BatchRecords.withoutSequence((MemoryRecords) partition.records());
                }
            }
        }
        return serialize();
    }

    private ByteBuffer serialize() {
        return RequestUtils.serialize(header.data(), header.headerVersion(), data, header.apiVersion());
    }
}
