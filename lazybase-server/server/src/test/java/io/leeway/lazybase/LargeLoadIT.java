package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Depth;
import io.leeway.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** More rows than memory, in a server of little memory, under a secondary view and under one that is added afterwards. */
@Tag(Depth.DEEP)
class LargeLoadIT {

    private static final int COMMITS = 40;
    private static final int ROWS = 50_000;
    private static final int AUTHORS = 1_000;

    /** Rows of one commit as CSV, made as they are read. */
    private static final class Rows extends InputStream {

        private final int commit;
        private int row;
        private byte[] line = {};
        private int at;

        Rows(int commit) {
            this.commit = commit;
        }

        private boolean hasMore() {
            if (at == line.length && row < ROWS) {
                long id = (long) row * COMMITS + commit;
                line = (id + "," + id % AUTHORS + ",what number " + id + " said on that day and later\n")
                        .getBytes(StandardCharsets.US_ASCII);
                at = 0;
                row++;
            }
            return at < line.length;
        }

        @Override
        public int read() {
            return hasMore() ? line[at++] : -1;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            int count = 0;
            while (count < length && hasMore()) {
                int some = Math.min(length - count, line.length - at);
                System.arraycopy(line, at, into, from + count, some);
                at += some;
                count += some;
            }
            return count == 0 ? -1 : count;
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    private static void awaitAuthority(Statement statement) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(500))
                .until(() ->
                        number(statement, "SELECT /*+ freshness('any') */ count(*) FROM t") == (long) COMMITS * ROWS);
    }

    @Test
    void goesThroughAllStages(@TempDir Path directory) throws SQLException, IOException {
        List<String> command = JavaProcess.command(
                System.getProperty("java.class.path"),
                LazyBaseCommand.class.getName(),
                List.of(
                        "start",
                        "--directory=" + directory,
                        "--pg.port=0",
                        "--web.port=-1",
                        "--cache=16MB",
                        "--commit.backlog=32MB",
                        "--scu.rows=100000",
                        // All of it in one renewal.
                        "--authority.interval=20s"));
        command.add(1, "-Xmx256m");
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                Connection connection =
                        DriverManager.getConnection(out.readLine().split(" ")[0], "me", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id int8 PRIMARY KEY, author int8, said text)");
            statement.execute("CREATE INDEX t_by_author ON t (author)");
            statement.execute("SET lazybase.monotonic = off");
            for (int commit = 0; commit < COMMITS; commit++) {
                connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY t FROM STDIN CSV", new Rows(commit));
            }
            awaitAuthority(statement);
            assertThat(number(statement, "SELECT count(*) FROM t WHERE author = 7"))
                    .isEqualTo((long) COMMITS * ROWS / AUTHORS);
            statement.execute("CREATE INDEX t_by_said ON t (said)");
            assertThat(number(statement, "SELECT id FROM t WHERE said = 'what number 123 said on that day and later'"))
                    .isEqualTo(123);
            assertThat(number(statement, "SELECT sum(failures) FROM lazybase.stages"))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
