package io.leeway.approx.internal.shim;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;
import org.jspecify.annotations.Nullable;

/**
 * Brokers' answers that the shim has to change: those with addresses of brokers, which clients would go to past the shim,
 * and the versions that it understands. All others are not looked into.
 */
final class Responses {

    /** From 16 on an answer to FETCH has addresses in it: it is not worth being parsed for them. */
    private static final short LAST_FETCH_WITHOUT_ADDRESSES = 15;

    private static final Set<ApiKeys> PARSED = Set.of(
            ApiKeys.PRODUCE,
            ApiKeys.METADATA,
            ApiKeys.FIND_COORDINATOR,
            ApiKeys.DESCRIBE_CLUSTER,
            ApiKeys.SHARE_FETCH,
            ApiKeys.SHARE_ACKNOWLEDGE);

    private final Endpoints endpoints;
    private final Map<Uuid, String> topicNames = new ConcurrentHashMap<>();
    /** The newest versions of what a shim itself asks that brokers and this know; below 0 as long as no broker has said. */
    private volatile short metadataVersion = -1;

    private volatile short configsVersion = -1;

    Responses(Endpoints endpoints) {
        this.endpoints = endpoints;
    }

    /** The name of a topic that a client has asked about; null if none has. */
    @Nullable
    String topicName(Uuid id) {
        return topicNames.get(id);
    }

    short metadataVersion() {
        return metadataVersion;
    }

    short configsVersion() {
        return configsVersion;
    }

    static boolean isChanged(short api) {
        return api == ApiKeys.API_VERSIONS.id || ApiKeys.hasId(api) && PARSED.contains(ApiKeys.forId(api));
    }

    /** The changed answer; null if it can stay as it is. The buffer is that of the answer without its length. */
    @Nullable
    ByteBuffer change(short api, short version, ByteBuffer response) {
        ApiKeys key = ApiKeys.forId(api);
        short headerVersion = key.responseHeaderVersion(version);
        ResponseHeader header = ResponseHeader.parse(response, headerVersion);
        ApiMessage data = AbstractResponse.parseResponse(key, new ByteBufferAccessor(response), version)
                .data();
        if (!change(data)) {
            return null;
        }
        return RequestUtils.serialize(header.data(), headerVersion, data, version);
    }

    private boolean change(ApiMessage data) {
        if (data instanceof MetadataResponseData metadata) {
            changeMetadata(metadata);
        } else if (data instanceof FindCoordinatorResponseData coordinator) {
            changeCoordinator(coordinator);
        } else if (data instanceof org.apache.kafka.common.message.DescribeClusterResponseData cluster) {
            for (DescribeClusterBroker broker : cluster.brokers()) {
                InetSocketAddress mine = endpoints.of(broker.host(), broker.port());
                broker.setHost(mine.getHostString()).setPort(mine.getPort());
            }
        } else if (data instanceof org.apache.kafka.common.message.ApiVersionsResponseData versions) {
            if (versions.errorCode() != Errors.NONE.code()) {
                return false;
            }
            learn(versions);
            return cap(versions);
        } else if (data instanceof ProduceResponseData produce) {
            produce.nodeEndpoints().forEach(node -> {
                InetSocketAddress mine = endpoints.of(node.host(), node.port());
                node.setHost(mine.getHostString()).setPort(mine.getPort());
            });
            return !produce.nodeEndpoints().isEmpty();
        } else if (data instanceof ShareFetchResponseData share) {
            share.nodeEndpoints().forEach(node -> {
                InetSocketAddress mine = endpoints.of(node.host(), node.port());
                node.setHost(mine.getHostString()).setPort(mine.getPort());
            });
            return !share.nodeEndpoints().isEmpty();
        } else if (data instanceof ShareAcknowledgeResponseData share) {
            share.nodeEndpoints().forEach(node -> {
                InetSocketAddress mine = endpoints.of(node.host(), node.port());
                node.setHost(mine.getHostString()).setPort(mine.getPort());
            });
            return !share.nodeEndpoints().isEmpty();
        }
        return true;
    }

    private void changeMetadata(MetadataResponseData metadata) {
        for (MetadataResponseData.MetadataResponseBroker broker : metadata.brokers()) {
            InetSocketAddress mine = endpoints.of(broker.host(), broker.port());
            broker.setHost(mine.getHostString()).setPort(mine.getPort());
        }
        for (MetadataResponseData.MetadataResponseTopic topic : metadata.topics()) {
            if (topic.name() != null && !topic.topicId().equals(Uuid.ZERO_UUID)) {
                topicNames.put(topic.topicId(), topic.name());
            }
        }
    }

    private void changeCoordinator(FindCoordinatorResponseData coordinator) {
        // An answer without coordinator has an empty host.
        if (!coordinator.host().isEmpty()) {
            InetSocketAddress mine = endpoints.of(coordinator.host(), coordinator.port());
            coordinator.setHost(mine.getHostString()).setPort(mine.getPort());
        }
        for (FindCoordinatorResponseData.Coordinator each : coordinator.coordinators()) {
            if (!each.host().isEmpty()) {
                InetSocketAddress mine = endpoints.of(each.host(), each.port());
                each.setHost(mine.getHostString()).setPort(mine.getPort());
            }
        }
    }

    private void learn(org.apache.kafka.common.message.ApiVersionsResponseData versions) {
        for (ApiVersion range : versions.apiKeys()) {
            if (range.apiKey() == ApiKeys.METADATA.id) {
                metadataVersion = (short) Math.min(range.maxVersion(), ApiKeys.METADATA.latestVersion());
            } else if (range.apiKey() == ApiKeys.DESCRIBE_CONFIGS.id) {
                configsVersion = (short) Math.min(range.maxVersion(), ApiKeys.DESCRIBE_CONFIGS.latestVersion());
            }
        }
    }

    private static boolean cap(org.apache.kafka.common.message.ApiVersionsResponseData versions) {
        boolean changed = false;
        for (ApiVersion range : versions.apiKeys()) {
            short most = range.maxVersion();
            if (range.apiKey() == ApiKeys.FETCH.id) {
                most = (short) Math.min(most, LAST_FETCH_WITHOUT_ADDRESSES);
            } else if (isChanged(range.apiKey())) {
                most = (short) Math.min(most, ApiKeys.forId(range.apiKey()).latestVersion());
            }
            changed |= most != range.maxVersion();
            range.setMaxVersion(most);
        }
        return changed;
    }

    /** The answer to the part of a PRODUCE request that the shim took. */
    static List<TopicProduceResponse> taken(List<Produce.Part> parts, Errors error) {
        List<TopicProduceResponse> topics = new ArrayList<>();
        for (Produce.Part part : parts) {
            TopicProduceResponse topic =
                    new TopicProduceResponse().setName(part.name()).setTopicId(part.id());
            for (int partition : part.partitions()) {
                topic.partitionResponses()
                        .add(new PartitionProduceResponse()
                                .setIndex(partition)
                                .setErrorCode(error.code())
                                .setBaseOffset(-1)
                                .setLogAppendTimeMs(-1)
                                .setLogStartOffset(-1));
            }
            topics.add(topic);
        }
        return topics;
    }

    /** The whole answer to a PRODUCE request of which a broker answered a part, or none. */
    ByteBuffer produced(
            int correlation, short version, List<TopicProduceResponse> taken, @Nullable ByteBuffer ofBroker) {
        short headerVersion = ApiKeys.PRODUCE.responseHeaderVersion(version);
        ProduceResponseData data = new ProduceResponseData();
        if (ofBroker != null) {
            ResponseHeader.parse(ofBroker, headerVersion);
            data = (ProduceResponseData)
                    AbstractResponse.parseResponse(ApiKeys.PRODUCE, new ByteBufferAccessor(ofBroker), version)
                            .data();
            change(data);
        }
        taken.forEach(data.responses()::add);
        return RequestUtils.serialize(
                new ResponseHeader(correlation, headerVersion).data(), headerVersion, data, version);
    }
}
