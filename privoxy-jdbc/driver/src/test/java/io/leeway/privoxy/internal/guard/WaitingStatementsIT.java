package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A statement is decided on before it is sent; what happens to the schema before its answer is here is noticed. */
class WaitingStatementsIT extends Cases {

    private static final String AUTHORS = "SELECT p.id FROM posts p JOIN users u ON u.id = p.author ORDER BY p.id";

    /** Whose change others wait for. */
    private Connection changer;

    private Connection keyed(On where) throws SQLException {
        keyed(
                where,
                "CREATE VIEW tt AS SELECT id, v FROM t;",
                "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
                "INSERT INTO t VALUES (1, 1)");
        Connection connection = connect();
        request(1);
        return connection;
    }

    /** Who commits need not be who has changed: the server has done so before its answer is here. */
    @Test
    void aPreparedChangeIsUnderWayUntilItsCommitIsAnswered() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        Connection changing = connect();
        changing.setAutoCommit(false);
        run(changing, "ALTER TABLE posts DROP CONSTRAINT fk", "PREPARE TRANSACTION 'waiting'");
        assertThat(rows(other, "SELECT id FROM z")).isEmpty();
        URI server = URI.create(database.url().substring("jdbc:privoxy:".length()));
        try (HeldAnswers held = new HeldAnswers(server);
                Connection committing = held.connect(database)) {
            assertThat(rows(committing, "SELECT id FROM z")).isEmpty();
            held.hold();
            var committed = background(() -> run(committing, "COMMIT PREPARED 'waiting'"));
            try (Connection plain = database.plain()) {
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> CheckedDatabase.rows(plain, "SELECT gid FROM pg_prepared_xacts")
                                .isEmpty());
            }
            run(other, "DELETE FROM users WHERE id = 2");
            assertRefused(other, AUTHORS);
            held.release();
            committed.get(1, TimeUnit.MINUTES);
        }
    }

    static final String WAITING_ON_POSTGRESQL = "SELECT 1 FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
            + " WHERE NOT l.granted AND a.datname = current_database()";

    /** Until so many statements wait in the server. */
    private void awaitWaiting(String query, int count) throws SQLException {
        awaitWaiting(database, query, count);
    }

    static void awaitWaiting(CheckedDatabase database, String query, int count) throws SQLException {
        try (Connection plain = database.plain()) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> CheckedDatabase.rows(plain, query).size() == count);
        }
    }

    /** What another connection is answered to a statement that waits for the end of a change; not null if it is an error. */
    private @Nullable SQLException answerAfter(Work ending, Work statement, String... change) throws Exception {
        Connection changing = changer;
        changing.setAutoCommit(false);
        run(changing, change);
        return whileItWaits(database, statement, ending);
    }

    /** The error of what waits on PostgreSQL until something has been done, or null. */
    static @Nullable SQLException whileItWaits(CheckedDatabase database, Work waiting, Work meanwhile)
            throws Exception {
        var answered = background(waiting);
        awaitWaiting(database, WAITING_ON_POSTGRESQL, 1);
        meanwhile.run();
        return failure(answered);
    }

    static @Nullable SQLException failure(CompletableFuture<Void> answered) throws Exception {
        try {
            answered.get(1, TimeUnit.MINUTES);
            return null;
        } catch (ExecutionException failed) {
            return (SQLException) failed.getCause();
        }
    }

    private static void assertWithheld(@Nullable SQLException error, PrivoxyErrorCode code) {
        assertThat((Throwable) error).isInstanceOf(PrivoxyException.class);
        assertThat(error.getErrorCode()).isEqualTo(code.number());
        assertThat(error.getSQLState()).isEqualTo(code.sqlState());
    }

    @Test
    void noRowsAreShownThatAKeyWasToHold() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        changer = connect();
        var shown = new ArrayList<String>();
        SQLException error = answerAfter(
                () -> {
                    run(changer, "DELETE FROM users WHERE id = 2");
                    changer.commit();
                },
                () -> shown.addAll(rows(other, AUTHORS)),
                "ALTER TABLE posts DROP CONSTRAINT fk");
        assertThat(shown).isEmpty();
        assertWithheld(error, PrivoxyErrorCode.SCHEMA_OF_STATEMENT);
        assertRefused(other, AUTHORS);
    }

    @Test
    void noColumnIsShownThatWasNotDecidedOn() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        changer = connect();
        var shown = new ArrayList<String>();
        SQLException error = answerAfter(
                () -> changer.commit(),
                () -> shown.addAll(rows(other, "SELECT * FROM t ORDER BY id")),
                "ALTER TABLE t ADD COLUMN secret VARCHAR(10) DEFAULT 'SECRET'");
        assertThat(shown).isEmpty();
        assertWithheld(error, PrivoxyErrorCode.SCHEMA_OF_STATEMENT);
    }

    @Test
    void aSnapshotThatWaitsIsWithheldToo() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        other.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        other.setAutoCommit(false);
        changer = connect();
        SQLException error = answerAfter(
                () -> changer.commit(),
                () -> rows(other, "SELECT * FROM t ORDER BY id"),
                "ALTER TABLE t ADD COLUMN secret VARCHAR(10) DEFAULT 'SECRET'");
        assertWithheld(error, PrivoxyErrorCode.SCHEMA_OF_STATEMENT);
        other.rollback();
    }

    @Test
    void aWriteSaysThatItMayBeCommitted() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        changer = connect();
        String write = "UPDATE t SET v = 2 WHERE id = 1";
        assertWithheld(
                answerAfter(() -> changer.commit(), () -> run(other, write), "ALTER TABLE t ADD COLUMN w INT"),
                PrivoxyErrorCode.SCHEMA_OF_WRITE);
        assertThat(rows(other, "SELECT id, v FROM t")).containsExactly("1,2");
    }

    /** What says the same of the schema afterwards has kept nobody from his answer. */
    @Test
    void aChangeThatIsNoneOrIsTakenBackWithholdsNothing() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        changer = connect();
        assertThat((Throwable) answerAfter(
                        () -> changer.commit(),
                        () -> run(other, "UPDATE t SET v = 3 WHERE id = 1"),
                        "CREATE INDEX i ON t (v)"))
                .isNull();
        assertThat((Throwable) answerAfter(
                        () -> changer.rollback(),
                        () -> assertThat(rows(other, AUTHORS)).containsExactly("10", "20", "30"),
                        "ALTER TABLE posts DROP CONSTRAINT fk"))
                .isNull();
    }

    /** Runs what waits for the constraint of posts to go, and says all that the statement shows after its error. */
    private List<String> leftAfter(Statement statement, Work execution) throws Exception {
        SQLException error = answerAfter(
                () -> {
                    run(changer, "DELETE FROM users WHERE id = 2");
                    changer.commit();
                },
                execution,
                "ALTER TABLE posts DROP CONSTRAINT fk");
        assertThat((Throwable) error).isNotNull();
        return left(statement);
    }

    private static List<String> left(Statement statement) throws SQLException {
        var shown = new ArrayList<String>();
        for (int i = 0; i < 4; i++) {
            ResultSet rows = statement.getResultSet();
            while (rows != null && rows.next()) {
                shown.add(rows.getString(1));
            }
            if (statement.getUpdateCount() >= 0) {
                shown.add("count " + statement.getUpdateCount());
            }
            if (statement.getMoreResults()) {
                shown.add("more");
            }
        }
        return shown;
    }

    @Test
    void ofSeveralStatementsInATextNothingIsLeft() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        changer = connect();
        Statement statement = other.createStatement();
        assertThat(leftAfter(statement, () -> statement.execute("SELECT id FROM z; " + AUTHORS + "; SELECT id FROM z")))
                .isEmpty();
    }

    @Test
    void ofSeveralCountsNothingIsLeft() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        changer = connect();
        Statement statement = other.createStatement();
        SQLException error = answerAfter(
                () -> changer.commit(),
                () -> statement.execute("UPDATE z SET id = id; UPDATE t SET v = 3 WHERE id = 1; DELETE FROM z"),
                "ALTER TABLE t ADD COLUMN w INT");
        assertThat((Throwable) error).isNotNull();
        assertThat(left(statement)).isEmpty();
    }

    @Test
    void ofAPreparedTextNothingIsLeft() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        changer = connect();
        PreparedStatement statement = other.prepareStatement("SELECT id FROM z; " + AUTHORS);
        assertThat(leftAfter(statement, statement::execute)).isEmpty();
    }

    /** The driver has the rows already when it finds that they are none of what it was asked for. */
    @Test
    void whereTheDriverItselfThrowsNothingIsLeft() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        changer = connect();
        Statement statement = other.createStatement();
        assertThat(leftAfter(statement, () -> statement.executeQuery("SELECT id FROM z; " + AUTHORS + "; " + AUTHORS)))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void aStatementThatFailedShowsNothing(On where) throws Exception {
        Connection other = keyed(where);
        try (Statement statement = other.createStatement()) {
            assertThat(statement.execute("SELECT id, v FROM t")).isTrue();
            assertThatThrownBy(() -> statement.executeUpdate("SELECT id, v FROM t ORDER BY id"))
                    .isInstanceOf(SQLException.class);
            assertThat(left(statement)).isEmpty();
            assertThat(statement.execute("SELECT id, v FROM t")).isTrue();
            assertThat(left(statement)).containsExactly("1");
        }
    }

    /** The counts of a batch that failed are answers, too. */
    @Test
    void theCountsOfABatchThatFailedAreWithheld() throws Exception {
        Connection other = keyed(On.POSTGRESQL);
        changer = connect();
        other.setAutoCommit(false);
        Statement statement = other.createStatement();
        statement.addBatch("UPDATE t SET v = 5 WHERE id = 1");
        statement.addBatch("UPDATE t SET v = 1 / (v - v) WHERE id = 1");
        SQLException error =
                answerAfter(() -> changer.commit(), statement::executeBatch, "ALTER TABLE t ADD COLUMN w INT");
        assertThat((Throwable) error).isNotNull().isNotInstanceOf(BatchUpdateException.class);
        assertThat(left(statement)).isEmpty();
        other.rollback();
    }

    /** Who reads only waits there for the end of the change itself, and runs when that is committed. */
    @Test
    void noRowsAreShownThatAKeyWasToHoldOnMariaDb() throws Exception {
        Connection other = keyed(On.MARIADB);
        Connection changing = connect();
        Connection tables = opened(database.plain());
        tables.setAutoCommit(false);
        CheckedDatabase.rows(tables, "SELECT id FROM posts");
        String waiting = "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for table metadata%'"
                + " AND db = DATABASE()";
        var changed = background(() -> run(changing, "ALTER TABLE posts DROP FOREIGN KEY fk"));
        awaitWaiting(waiting, 1);
        var shown = new ArrayList<String>();
        var answered = background(() -> shown.addAll(rows(other, AUTHORS)));
        awaitWaiting(waiting, 2);
        tables.rollback();
        changed.get(1, TimeUnit.MINUTES);
        SQLException error = failure(answered);
        assertThat(shown).isEmpty();
        assertWithheld(error, PrivoxyErrorCode.SCHEMA_OF_STATEMENT);
    }

    interface Work {
        void run() throws SQLException;
    }

    /** On a thread of its own, as some wait for each other: on a small machine the common pool may have one. */
    static CompletableFuture<Void> background(Work work) {
        return CompletableFuture.runAsync(
                () -> {
                    try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L))) {
                        work.run();
                    } catch (SQLException e) {
                        throw new CompletionException(e);
                    }
                },
                WaitingStatementsIT::start);
    }

    private static void start(Runnable task) {
        var thread = new Thread(task, "waiting statement");
        thread.setDaemon(true);
        thread.start();
    }

    /** Stands between a client and its server, and can keep the server's answers to itself. */
    private static final class HeldAnswers implements AutoCloseable {

        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final Semaphore passes = new Semaphore(1);
        private final URI server;

        HeldAnswers(URI server) throws IOException {
            this.server = server;
            daemon(this::accept);
        }

        Connection connect(CheckedDatabase database) throws SQLException {
            var properties = new Properties();
            properties.setProperty("user", database.user());
            properties.setProperty("password", database.password());
            properties.setProperty("privoxyPolicy", database.policyFile().toString());
            properties.setProperty("sslmode", "disable");
            properties.setProperty("gssEncMode", "disable");
            String place = InetAddress.getLoopbackAddress().getHostAddress() + ":" + listener.getLocalPort();
            return DriverManager.getConnection(
                    database.url().replace(server.getHost() + ":" + server.getPort(), place), properties);
        }

        void hold() throws InterruptedException {
            passes.acquire();
        }

        void release() {
            passes.release();
        }

        private void accept() throws IOException, InterruptedException {
            while (true) {
                Socket client = listener.accept();
                Socket to = new Socket(InetAddress.getByName(server.getHost()), server.getPort());
                daemon(() -> client.getInputStream().transferTo(to.getOutputStream()));
                daemon(() -> answers(to.getInputStream(), client.getOutputStream()));
            }
        }

        private void answers(InputStream from, OutputStream to) throws IOException, InterruptedException {
            byte[] some = new byte[8192];
            for (int n = from.read(some); n >= 0; n = from.read(some)) {
                passes.acquire();
                to.write(some, 0, n);
                passes.release();
            }
        }

        private interface Relay {
            void run() throws IOException, InterruptedException;
        }

        /** Until the sockets are closed. */
        private static void daemon(Relay relay) {
            var thread = new Thread(() -> {
                try {
                    relay.run();
                } catch (IOException | InterruptedException closed) {
                    // It ends then.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
