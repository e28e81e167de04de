package io.leeway.approx.flink;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.ApproxOption;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.TopicRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * Reads approximate topics together with the reports of their windows. {@link #answers} turns both into one
 * {@link WindowAnswer} for each group of each window.
 *
 * <pre>{@code
 * ApproxKafkaSource source = ApproxKafkaSource.builder()
 *         .properties(clientProperties)
 *         .topics("trips(msr=0.5;value=csv:2;window=60s)")
 *         .build();
 * DataStream<WindowAnswer> answers = source.answers(env, "trips");
 * }</pre>
 *
 * <p>It is Flink's own source for Kafka underneath: splits, offsets and checkpoints are its. What an answer is made of is
 * state of the job, so after a failure each record and each report counts once, as far as checkpoints are exactly-once.
 */
public final class ApproxKafkaSource
        implements Source<ApproxEvent, KafkaPartitionSplit, KafkaSourceEnumState>, ResultTypeQueryable<ApproxEvent> {

    private static final long serialVersionUID = 1L;

    private final KafkaSource<ApproxEvent> kafka;
    private final double confidence;

    private ApproxKafkaSource(KafkaSource<ApproxEvent> kafka, double confidence) {
        this.kafka = kafka;
        this.confidence = confidence;
    }

    /** A source that is to be described. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * One answer for each group of each window, by the defaults of {@link ApproxWindows}.
     *
     * @param name what the source is called in the job
     */
    public DataStream<WindowAnswer> answers(StreamExecutionEnvironment environment, String name) {
        DataStream<ApproxEvent> events = environment.fromSource(this, WatermarkStrategy.noWatermarks(), name);
        return ApproxWindows.of(events).confidence(confidence).answers();
    }

    @Override
    public Boundedness getBoundedness() {
        return kafka.getBoundedness();
    }

    @Override
    public SourceReader<ApproxEvent, KafkaPartitionSplit> createReader(SourceReaderContext context) throws Exception {
        return kafka.createReader(context);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        return kafka.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state) throws Exception {
        return kafka.restoreEnumerator(context, state);
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
        return kafka.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
        return kafka.getEnumeratorCheckpointSerializer();
    }

    @Override
    public TypeInformation<ApproxEvent> getProducedType() {
        return TypeInformation.of(ApproxEvent.class);
    }

    /** Describes a source. Not thread-safe. */
    public static final class Builder {

        private static final String PARAMETER = "config.providers.approx.param.";
        private static final String DISCOVERY = "partition.discovery.interval.ms";

        private final Properties properties = new Properties();
        private @Nullable String topics;
        private @Nullable String reports;
        private double confidence = 0.95;
        private OffsetsInitializer start = OffsetsInitializer.earliest();
        private @Nullable OffsetsInitializer end;

        private Builder() {}

        /**
         * Properties of the consumer, as for any client of Kafka. If they turn a shim on ({@code config.providers.approx...}),
         * topics and reports are taken from its parameters where they are not given otherwise.
         */
        public Builder properties(Properties given) {
            given.stringPropertyNames().forEach(name -> properties.put(name, given.getProperty(name)));
            return this;
        }

        /** Which topics, and what holds for them: as the option {@code approx.topics}. */
        public Builder topics(String rules) {
            topics = rules;
            return this;
        }

        /** The topic of reports, if it is not {@code approx-reports}. */
        public Builder reports(String topic) {
            reports = topic;
            return this;
        }

        /** The level of intervals, above 0 and below 1; 0.95 if it is not given. */
        public Builder confidence(double level) {
            confidence = ApproxWindows.checkedLevel(level);
            return this;
        }

        /** Where reading starts; at the earliest if it is not given. A window that is read in part has answers with a warning. */
        public Builder startingOffsets(OffsetsInitializer offsets) {
            start = offsets;
            return this;
        }

        /** Where reading ends; never if it is not given. */
        public Builder bounded(OffsetsInitializer offsets) {
            end = offsets;
            return this;
        }

        /**
         * The source.
         *
         * @throws ApproxException if there are no topics, or their rules cannot be read
         */
        public ApproxKafkaSource build() {
            Map<String, String> options = new HashMap<>();
            options.put(ApproxOption.TOPICS.key(), given(topics, ApproxOption.TOPICS));
            List<TopicRule> rules = ApproxOptions.of(options).topicRules();
            if (rules.isEmpty()) {
                throw new ApproxException(
                        ApproxError.OPTIONS, ApproxOption.TOPICS.key() + " is missing: " + ApproxOption.TOPICS.text());
            }
            String ofReports = given(reports, ApproxOption.REPORTS);
            KafkaSourceBuilder<ApproxEvent> builder = KafkaSource.<ApproxEvent>builder()
                    .setProperties(properties)
                    .setTopicPattern(pattern(rules, ofReports))
                    .setStartingOffsets(start)
                    .setDeserializer(new EventReader(options, ofReports));
            if (end != null) {
                builder.setBounded(end);
            } else if (!properties.containsKey(DISCOVERY)) {
                // The topic of reports is there only when the first window is over.
                builder.setProperty(DISCOVERY, "10000");
            }
            return new ApproxKafkaSource(builder.build(), confidence);
        }

        private String given(@Nullable String value, ApproxOption option) {
            if (value != null) {
                return value;
            }
            String name = option.key().substring(ApproxOptions.PREFIX.length());
            String whole = properties.getProperty(PARAMETER + option.key(), option.fallback());
            return properties.getProperty(PARAMETER + name, whole);
        }

        private static Pattern pattern(List<TopicRule> rules, String reports) {
            return Pattern.compile(Stream.concat(
                            rules.stream().map(TopicRule::pattern).map(Builder::expression),
                            Stream.of(Pattern.quote(reports)))
                    .collect(Collectors.joining("|")));
        }

        private static String expression(String topic) {
            return topic.endsWith("*")
                    ? Pattern.quote(topic.substring(0, topic.length() - 1)) + ".*"
                    : Pattern.quote(topic);
        }
    }
}
