package io.leeway.lazybase.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.LazyBaseNode;
import io.leeway.lazybase.LazyBaseOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who does not lead does stages for the leader. */
@Timeout(300)
class HelpersTest {

    @TempDir
    Path directory;

    private LazyBaseNode node(int port, CompletableFuture<String> leads) {
        return LazyBaseNode.start(
                LazyBaseOptions.of(Map.of(
                        "lazybase.directory", directory.toString(),
                        "lazybase.cluster.zookeeper", "127.0.0.1:" + port,
                        "lazybase.pg.port", "0",
                        "lazybase.web.port", "-1",
                        "lazybase.scu.age", "20ms",
                        "lazybase.merge.fan-out", "2",
                        "lazybase.authority.interval", "50ms",
                        "lazybase.authority.part-rows", "200")),
                line -> leads.complete(line.strip()));
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    @Test
    void everyStageIsAlsoDoneByAnotherProcess() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.startUnlessThere(port, directory.resolve("zookeeper"))) {
            assertThat(zooKeeper).isNotNull();
            var leads = new CompletableFuture<String>();
            try (LazyBaseNode leader = node(port, leads)) {
                String url = leads.get(60, TimeUnit.SECONDS);
                var second = new CompletableFuture<String>();
                try (LazyBaseNode helper = node(port, second);
                        Connection connection = DriverManager.getConnection(url, "me", "");
                        Statement statement = connection.createStatement()) {
                    statement.execute("CREATE TABLE t (id int8 PRIMARY KEY, n int8, said text)");
                    statement.execute("CREATE INDEX t_by_n ON t (n)");
                    int rounds = 0;
                    while (number(statement, "SELECT count(*) FROM lazybase.stages WHERE helped > 0") < 3) {
                        for (int i = 0; i < 50; i++) {
                            statement.addBatch(
                                    "INSERT INTO t VALUES (" + (rounds * 37L + i * 1_000L) + ", " + rounds + ", 'x')");
                        }
                        statement.executeBatch();
                        rounds++;
                    }
                    long rows = number(statement, "SELECT count(*) FROM t");
                    assertThat(number(statement, "SELECT count(*) FROM t WHERE n >= 0"))
                            .isEqualTo(rows);
                    assertThat(number(statement, "SELECT max(n) FROM t")).isEqualTo(rounds - 1L);
                    assertThat(helper.isLeading()).isFalse();
                    assertThat(leader.isLeading()).isTrue();
                }
            }
        }
    }
}
