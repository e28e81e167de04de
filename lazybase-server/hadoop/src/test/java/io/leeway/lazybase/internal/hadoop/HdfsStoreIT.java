package io.leeway.lazybase.internal.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** An HDFS that runs. */
@Timeout(300)
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Hadoop 3.4 calls what later ones refuse")
class HdfsStoreIT extends HadoopStoreContract {

    @TempDir
    private static Path directory;

    private static MiniDFSCluster cluster;
    private static int tests;

    private String location = "";

    @BeforeAll
    static void start() throws IOException {
        cluster = new MiniDFSCluster.Builder(new Configuration(), directory.toFile())
                .numDataNodes(1)
                .build();
        cluster.waitActive();
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.shutdown();
        }
    }

    @BeforeEach
    void ownPlace() {
        location = cluster.getURI() + "/lazybase-" + ++tests;
    }

    @Override
    String location() {
        return location;
    }

    @Test
    void whatWasSyncedIsThereWhenTheWriterIsGoneAndTheDataNodesWereStartedAnew() throws Exception {
        Store dead = open();
        Store.Writer writer = dead.create("scu-1.raw");
        write(writer, "acknowledged");
        // The writer is never heard of again: neither is its file closed nor its connection.
        assertThat(cluster.restartDataNode(0, true)).isTrue();
        cluster.waitActive();
        try (Store next = open()) {
            assertThat(read(next, "scu-1.raw")).isEqualTo("acknowledged");
        }
    }
}
