package io.leeway.approx.flink;

import io.leeway.approx.ApproxOptions;
import io.leeway.approx.TopicRule;
import io.leeway.approx.WindowReport;
import io.leeway.approx.internal.window.Grouping;
import io.leeway.approx.internal.window.ValueReader;
import io.leeway.approx.internal.wire.RecordData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Tells records of approximate topics from reports, and puts each into its window and group by the rule of its topic. */
final class EventReader implements KafkaRecordDeserializationSchema<ApproxEvent> {

    private static final long serialVersionUID = 1L;

    /** A rule, ready to be applied. */
    private record Placing(boolean counted, long window, Grouping grouping, ValueReader values) {}

    private final HashMap<String, String> options;
    private final String reports;
    private transient List<TopicRule> rules = List.of();
    private transient Map<String, Placing> placings = new HashMap<>();

    EventReader(Map<String, String> options, String reports) {
        this.options = new HashMap<>(options);
        this.reports = reports;
    }

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
        rules = ApproxOptions.of(options).topicRules();
        placings = new HashMap<>();
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<ApproxEvent> out) {
        if (record.topic().equals(reports)) {
            WindowReport report = report(record.value());
            TopicRule rule = report == null ? null : rule(report.topic());
            if (report != null && rule != null) {
                out.collect(new ApproxEvent(
                        report.topic(),
                        report.from(),
                        report.to(),
                        report.group(),
                        rule.windowRecords() > 0,
                        report.source(),
                        report.to(),
                        null,
                        null,
                        Double.NaN,
                        report.toJson()));
            }
        } else {
            out.collect(place(record));
        }
    }

    /** A topic of reports that somebody else wrote into must not end a job. */
    private static @Nullable WindowReport report(byte @Nullable [] value) {
        try {
            return value == null ? null : WindowReport.fromJson(new String(value, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private ApproxEvent place(ConsumerRecord<byte[], byte[]> record) {
        Placing placing = placings.computeIfAbsent(record.topic(), this::placing);
        List<RecordData.Header> headers = new ArrayList<>();
        String source = "";
        for (Header header : record.headers()) {
            if (header.key().equals(WindowReport.SOURCE_HEADER) && header.value() != null) {
                source = new String(header.value(), StandardCharsets.UTF_8);
            } else {
                headers.add(new RecordData.Header(header.key(), header.value()));
            }
        }
        RecordData data = new RecordData(
                record.topic(), record.partition(), record.timestamp(), record.key(), record.value(), headers);
        long from = placing.counted ? 0 : Math.floorDiv(record.timestamp(), placing.window) * placing.window;
        return new ApproxEvent(
                record.topic(),
                from,
                placing.counted ? 0 : from + placing.window,
                placing.grouping.of(data),
                placing.counted,
                source,
                record.timestamp(),
                record.key(),
                record.value(),
                placing.values.read(data).orElse(Double.NaN),
                null);
    }

    private Placing placing(String topic) {
        TopicRule rule = rule(topic);
        if (rule == null) {
            // Of a topic whose name only begins like one that was asked for: patterns are matched as a whole, so there
            // is none.
            throw new IllegalArgumentException("no rule is for " + topic);
        }
        return new Placing(
                rule.windowRecords() > 0,
                rule.window().toMillis(),
                Grouping.of(rule.groups()),
                ValueReader.of(rule.value()));
    }

    private @Nullable TopicRule rule(String topic) {
        return rules.stream()
                .filter(candidate -> candidate.matches(topic))
                .findFirst()
                .orElse(null);
    }

    @Override
    public TypeInformation<ApproxEvent> getProducedType() {
        return TypeInformation.of(ApproxEvent.class);
    }
}
