package io.leeway.lazytables.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.leeway.lazytables.internal.hadoop.HadoopStores;
import io.leeway.lazytables.spi.SnapshotStore;
import io.leeway.lazytables.spi.SnapshotStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots in an HDFS that runs. */
@Timeout(300)
@EnabledForJreRange(max = JRE.JAVA_22, disabledReason = "Hadoop 3.4 calls what later ones refuse")
class HdfsStoreIT extends SnapshotStoreContract {

    @TempDir
    private static Path directory;

    private static MiniDFSCluster cluster;

    private static int tests;

    private org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");

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
    void ownDirectory() throws IOException {
        root = new org.apache.hadoop.fs.Path(cluster.getURI() + "/snapshots-" + ++tests);
        files().mkdirs(root);
    }

    @Override
    protected SnapshotStore open(String place) throws IOException {
        return new HadoopStores().open(location(place));
    }

    @Override
    protected SnapshotStore openToRead(String place) throws IOException {
        return new HadoopStores().openToRead(location(place));
    }

    @Override
    protected void create(String place) throws IOException {
        files().mkdirs(new org.apache.hadoop.fs.Path(root, place));
    }

    /** The directory may take no further block. */
    @Override
    protected void refuseWrites(String place) throws IOException {
        files().setQuota(new org.apache.hadoop.fs.Path(root, place), HdfsConstants.QUOTA_DONT_SET, 1);
    }

    @Override
    protected void allowWrites(String place) throws IOException {
        files().setQuota(
                        new org.apache.hadoop.fs.Path(root, place),
                        HdfsConstants.QUOTA_DONT_SET,
                        HdfsConstants.QUOTA_RESET);
    }

    @Test
    void tablesOutliveTheInstance() throws IOException {
        create("a");
        for (int run = 0; run < 3; run++) {
            try (LazyTables tables = connect(Duration.ofMinutes(1))) {
                Table table = tables.table("t", TableSpec.dense(CellType.LONG, 3));
                Worker worker = tables.worker(0);
                assertThat(worker.clocks()).isEqualTo(run);
                assertThat(worker.getLong(table, 7, 1)).isEqualTo(run);
                worker.increment(table, 7, 1, 1);
                worker.clock();
            }
        }
    }

    @Test
    void aPlaceThatTakesNothingIsSaidAtOnce() throws IOException {
        create("a");
        refuseWrites("a");

        assertThatThrownBy(() -> connect(Duration.ofSeconds(3)))
                .isInstanceOfSatisfying(
                        LazyTablesException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT))
                .hasMessageContaining("Not all servers have stored that this process takes part");
    }

    private LazyTables connect(Duration limit) {
        return LazyTables.builder()
                .option("lazytables.snapshot.directory", location("a"))
                .option("lazytables.resume", "true")
                .timeout(limit)
                .connect();
    }

    private String location(String place) {
        return root + "/" + place;
    }

    private static DistributedFileSystem files() throws IOException {
        return cluster.getFileSystem();
    }
}
