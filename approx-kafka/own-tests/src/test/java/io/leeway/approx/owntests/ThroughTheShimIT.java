package io.leeway.approx.owntests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.test.ClusterInstance;
import org.apache.kafka.common.test.api.ClusterTest;

/** Without this the other suites would prove nothing. */
class ThroughTheShimIT {

    @ClusterTest(brokers = 2)
    void everyBrokerThatAClientSeesIsTheShim(ClusterInstance cluster) throws ExecutionException, InterruptedException {
        assertThat(cluster.bootstrapServers())
                .startsWith("127.0.0.1:")
                .isNotEqualTo(cluster.getUnderlying().bootstrapServers());
        try (Admin admin = cluster.admin()) {
            assertThat(admin.describeCluster().nodes().get())
                    .hasSize(2)
                    .allSatisfy(node -> assertThat(cluster.getUnderlying().bootstrapServers())
                            .doesNotContain(":" + port(node)));
        }
    }

    private static int port(Node node) {
        return node.port();
    }
}
