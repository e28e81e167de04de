package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Depth;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The experiment of the source (James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014, section 3.4.4): a commit
 * adds one to one row and takes one from another; a reader polls both.
 */
class TwoRowsTest {

    @Test
    void theSumIsAlwaysZeroAndNothingGoesBack(@TempDir Path directory) throws Exception {
        var options = Map.of(
                "lazybase.directory", directory.toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1",
                "lazybase.scu.age", "20ms",
                "lazybase.merge.fan-out", "3",
                "lazybase.authority.interval", "50ms");
        try (LazyBaseServer server = LazyBaseServer.start(LazyBaseOptions.of(options));
                Connection writing = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                Connection reading = DriverManager.getConnection(server.jdbcUrl(), "me", "")) {
            try (Statement statement = writing.createStatement()) {
                statement.execute("CREATE TABLE two (k int4 PRIMARY KEY, n int8)");
                statement.execute("INSERT INTO two VALUES (1, 0), (2, 0)");
            }
            var done = new AtomicBoolean();
            var writer = CompletableFuture.runAsync(() -> write(writing, Depth.of(300, 20_000)))
                    .whenComplete((nothing, error) -> done.set(true));
            read(reading, done);
            writer.get(120, TimeUnit.SECONDS);
        }
    }

    private static void write(Connection connection, int commits) {
        try {
            connection.setAutoCommit(false);
            try (PreparedStatement update = connection.prepareStatement("UPDATE two SET n = n + ? WHERE k = ?")) {
                for (int i = 0; i < commits; i++) {
                    for (int k = 1; k <= 2; k++) {
                        update.setLong(1, k == 1 ? 1 : -1);
                        update.setInt(2, k);
                        update.addBatch();
                    }
                    update.executeBatch();
                    connection.commit();
                }
            }
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void read(Connection connection, AtomicBoolean done) throws Exception {
        String[] bounds = {"0 s", "30 ms", "200 ms", "any"};
        long last = 0;
        int reads = 0;
        while (!done.get() || reads < 40) {
            String bound = bounds[reads++ % bounds.length];
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("SELECT /*+ freshness('" + bound + "') */ n FROM two ORDER BY k")) {
                assertThat(rows.next()).isTrue();
                long first = rows.getLong(1);
                assertThat(rows.next()).isTrue();
                assertThat(first + rows.getLong(1)).as("the sum at %s", bound).isZero();
                assertThat(first).as("never back in time").isGreaterThanOrEqualTo(last);
                last = first;
            }
        }
    }
}
