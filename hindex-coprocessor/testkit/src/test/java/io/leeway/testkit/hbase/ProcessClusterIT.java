package io.leeway.testkit.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.Depth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.DEEP)
class ProcessClusterIT {

    private static final byte[] FAMILY = bytes("f");
    private static final byte[] QUALIFIER = bytes("q");
    private static final int ROWS = 300;

    @SuppressWarnings("NullAway.Init") // by the set-up
    private static ProcessCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestClusters.processes(2, Map.of());
    }

    @AfterAll
    static void stop() {
        cluster.close();
        assertThat(cluster.servers()).noneMatch(ServerProcess::isAlive);
    }

    @Test
    void aKilledRegionServerLosesNoAcknowledgedRow() throws Exception {
        TableName name = table();
        List<String> written = write(name, "a");
        ServerProcess server = cluster.serverOf(name, bytes("a000"));

        cluster.kill(server);

        assertThat(server.isAlive()).isFalse();
        assertThat(rows(name)).isEqualTo(written);
        assertThat(cluster.serverOf(name, bytes("a000"))).isNotSameAs(server);
        cluster.restart(server);
        cluster.awaitReady();
    }

    @Test
    void aRegionServerThatComesBackAtOnceLosesNoAcknowledgedRow() throws Exception {
        TableName name = table();
        List<String> written = write(name, "a");
        ServerProcess server = cluster.serverOf(name, bytes("a000"));

        cluster.kill(server);
        cluster.restart(server);

        assertThat(rows(name)).isEqualTo(written);
        cluster.awaitReady();
    }

    @Test
    void allKilledAtOnceLoseNoAcknowledgedRow() throws Exception {
        TableName name = table();
        List<String> written = write(name, "a");

        for (ServerProcess server : cluster.servers()) {
            cluster.kill(server);
        }
        for (ServerProcess server : cluster.servers()) {
            cluster.restart(server);
        }
        cluster.awaitReady();

        assertThat(rows(name)).isEqualTo(written);
    }

    @Test
    void rowsAreWrittenWithoutAMasterAndTablesCreatedByTheNext() throws Exception {
        TableName name = table();
        List<String> written = write(name, "a");

        cluster.kill(cluster.master());
        written.addAll(write(name, "b"));
        cluster.restart(cluster.master());
        cluster.awaitReady();

        assertThat(rows(name)).isEqualTo(written);
        assertThat(write(table(), "c")).hasSize(ROWS);
    }

    @Test
    void aStartThatFailsSaysWhy() {
        assertThatThrownBy(() -> TestClusters.processes(1, Map.of("hbase.rootdir", "nosuch://files/")))
                .hasMessageContaining("ended by themselves")
                .hasMessageContaining("nosuch");
    }

    /** In two regions, a server each. */
    private static TableName table() {
        TableName name = cluster.freshName("rows");
        try (var admin = cluster.connection().getAdmin()) {
            admin.createTable(
                    TableDescriptorBuilder.newBuilder(name)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                            .build(),
                    new byte[][] {bytes("a150")});
            return name;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One after the other; when this returns, all have been acknowledged. */
    private static List<String> write(TableName name, String prefix) throws IOException {
        var written = new ArrayList<String>();
        try (Table table = cluster.connection().getTable(name)) {
            for (int i = 0; i < ROWS; i++) {
                String row = "%s%03d".formatted(prefix, i);
                table.put(new Put(bytes(row)).addColumn(FAMILY, QUALIFIER, bytes("v")));
                written.add(row);
            }
        }
        return written;
    }

    private static List<String> rows(TableName name) throws IOException {
        var rows = new ArrayList<String>();
        try (Table table = cluster.connection().getTable(name);
                ResultScanner scanner = table.getScanner(new Scan())) {
            for (Result result : scanner) {
                rows.add(new String(result.getRow(), StandardCharsets.UTF_8));
            }
        }
        return rows;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
