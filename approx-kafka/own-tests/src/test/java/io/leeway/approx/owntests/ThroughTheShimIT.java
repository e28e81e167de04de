package io.leeway.approx.owntests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.test.ClusterInstance;
import org.apache.kafka.common.test.api.ClusterTest;

/** Without this the other suites would prove nothing. */
class ThroughTheShimIT {

    @ClusterTest(brokers = 2)
    void everyBrokerThatAClientSeesIsTheShim(ClusterInstance cluster) throws ExecutionException, InterruptedException {
        assertThat(cluster.bootstrapServers()).startsWith("127.0.0.1:");
        try (Admin admin = cluster.admin()) {
            assertThat(admin.describeCluster().nodes().get())
                    .hasSize(2)
                    .noneMatch(node -> cluster.brokerBoundPorts().contains(node.port()));
        }
    }
}
