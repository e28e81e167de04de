package io.leeway.approx.internal.shim;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;
import org.jspecify.annotations.Nullable;

/**
 * What a shim asks a broker about topics, on a client's connection and so with its rights: whether they are there and may
 * be written into (METADATA), and what they take (DESCRIBE_CONFIGS, which not every client may ask). Not thread-safe.
 */
final class LimitsQuestion {

    /** From here on an answer tells what the client may do. */
    static final short LEAST_METADATA = 8;

    static final short LEAST_CONFIGS = 1;

    private static final String CLIENT = "approx-shim";

    /** Of older brokers: one limit for both directions. */
    private static final String DIFFERENCE = "message.timestamp.difference.max.ms";

    private static final List<String> KEYS = List.of(
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
            TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
            TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
            TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG,
            DIFFERENCE,
            TopicConfig.CLEANUP_POLICY_CONFIG);

    private static final Set<Errors> NOT_WRITABLE = Set.of(
            Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.TOPIC_AUTHORIZATION_FAILED, Errors.INVALID_TOPIC_EXCEPTION);

    private final List<String> topics;
    private final Map<String, Boolean> writable = new HashMap<>();
    private @Nullable Map<String, Map<String, String>> configs;
    private boolean metadataCame;

    LimitsQuestion(List<String> topics) {
        this.topics = List.copyOf(topics);
    }

    List<String> topics() {
        return topics;
    }

    ByteBuffer metadata(short version) {
        MetadataRequestData data =
                new MetadataRequestData().setAllowAutoTopicCreation(false).setIncludeTopicAuthorizedOperations(true);
        for (String topic : topics) {
            data.topics().add(new MetadataRequestData.MetadataRequestTopic().setName(topic));
        }
        return request(ApiKeys.METADATA, version, data);
    }

    ByteBuffer configs(short version) {
        DescribeConfigsRequestData data = new DescribeConfigsRequestData();
        for (String topic : topics) {
            data.resources()
                    .add(new DescribeConfigsRequestData.DescribeConfigsResource()
                            .setResourceType(ConfigResource.Type.TOPIC.id())
                            .setResourceName(topic)
                            .setConfigurationKeys(KEYS));
        }
        return request(ApiKeys.DESCRIBE_CONFIGS, version, data);
    }

    private static ByteBuffer request(ApiKeys key, short version, ApiMessage data) {
        RequestHeader header = new RequestHeader(key, version, CLIENT, 0);
        return RequestUtils.serialize(header.data(), header.headerVersion(), data, version);
    }

    /** One of the two answers, without its length. */
    void answered(short api, short version, ByteBuffer answer) {
        ApiKeys key = ApiKeys.forId(api);
        ResponseHeader.parse(answer, key.responseHeaderVersion(version));
        ApiMessage data = AbstractResponse.parseResponse(key, new ByteBufferAccessor(answer), version)
                .data();
        if (data instanceof MetadataResponseData metadata) {
            metadataCame = true;
            metadata.topics().forEach(topic -> writable.put(topic.name(), isWritable(topic)));
        } else if (data instanceof DescribeConfigsResponseData described) {
            Map<String, Map<String, String>> read = new HashMap<>();
            described.results().forEach(result -> read.put(result.resourceName(), values(result)));
            configs = read;
        }
    }

    private static boolean isWritable(MetadataResponseTopic topic) {
        int may = topic.topicAuthorizedOperations();
        boolean mayWrite = may == Integer.MIN_VALUE || (may & 1 << AclOperation.WRITE.code()) != 0;
        return mayWrite && !NOT_WRITABLE.contains(Errors.forCode(topic.errorCode()));
    }

    private static Map<String, String> values(DescribeConfigsResult result) {
        Map<String, String> values = new HashMap<>();
        for (DescribeConfigsResourceResult config : result.configs()) {
            if (config.value() != null) {
                values.put(config.name(), config.value());
            }
        }
        return values;
    }

    boolean isAnswered() {
        return metadataCame && configs != null;
    }

    /** What the answers tell of a topic. */
    TopicLimits limits(String topic) {
        Map<String, String> of = configs == null ? Map.of() : configs.getOrDefault(topic, Map.of());
        boolean byProducers = !of.getOrDefault(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime")
                .equals("LogAppendTime");
        long difference = number(of, DIFFERENCE);
        return new TopicLimits(
                writable.getOrDefault(topic, true),
                number(of, TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                byProducers
                        ? Math.min(difference, number(of, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG))
                        : Long.MAX_VALUE,
                byProducers
                        ? Math.min(difference, number(of, TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG))
                        : Long.MAX_VALUE,
                of.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "").contains(TopicConfig.CLEANUP_POLICY_COMPACT));
    }

    private static long number(Map<String, String> values, String key) {
        try {
            return Long.parseLong(values.getOrDefault(key, "" + Long.MAX_VALUE));
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
