package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A change of the schema whose connection ends before the server has answered is made by the server later. */
class UnansweredChangesIT extends Cases {

    private static final int TIMEOUT_MILLIS = 1500;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Connection locks;
    private Connection other;

    /** How a connection ends in the middle of a statement. */
    enum End {
        TIMEOUT,
        ABORT
    }

    private void keyed(On where) throws SQLException {
        keyed(where, "", "CREATE TABLE par (id INT PRIMARY KEY)", "INSERT INTO par VALUES (1)");
        request(1);
        other = connect();
        locks = opened(database.plain());
        locks.setAutoCommit(false);
    }

    private boolean isKeyThere(On where) throws SQLException {
        String from = where == On.POSTGRESQL
                ? "FROM pg_constraint WHERE conname = 'fk'"
                : "FROM information_schema.table_constraints WHERE constraint_name = 'fk'"
                        + " AND table_schema = DATABASE()";
        try (Connection plain = database.plain()) {
            return !CheckedDatabase.rows(plain, "SELECT 1 " + from).isEmpty();
        }
    }

    /** A step that waits for a lock in the server, until its connection ends. */
    private static void giveUp(Connection connection, End end, Step step) throws Exception {
        if (end == End.TIMEOUT) {
            connection.setNetworkTimeout(Runnable::run, TIMEOUT_MILLIS);
            assertThatThrownBy(step::run).isInstanceOf(SQLException.class);
            return;
        }
        CompletableFuture<Void> running =
                CompletableFuture.runAsync(() -> assertThatThrownBy(step::run).isInstanceOf(SQLException.class));
        TimeUnit.MILLISECONDS.sleep(TIMEOUT_MILLIS);
        connection.abort(Runnable::run);
        running.get(1, TimeUnit.MINUTES);
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    /** As long as the key is there, each post has its author among the users. */
    private void assertAuthorsAreHidden() throws SQLException {
        run(other, "DELETE FROM users WHERE id = 2");
        assertRefused(other, "SELECT p.id FROM posts p JOIN users u ON u.id = p.author ORDER BY p.id");
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void aChangeThatIsMadeLaterIsNoticedAtOnce(End end) throws Exception {
        keyed(On.POSTGRESQL);
        CheckedDatabase.rows(locks, "SELECT id FROM posts");
        Connection changing = connect();
        giveUp(changing, end, () -> run(changing, "ALTER TABLE posts DROP CONSTRAINT fk"));
        assertThat(rows(other, "SELECT id FROM z")).isEmpty();
        assertThat(isKeyThere(On.POSTGRESQL)).isTrue();
        locks.commit();
        await().atMost(PATIENCE).until(() -> !isKeyThere(On.POSTGRESQL));
        assertAuthorsAreHidden();
    }

    /** MariaDB notices within a second that nobody waits any more, and makes what gets its lock before. */
    @Test
    void whatMariaDbMakesOfAnUnansweredChangeIsNoticedAtOnce() throws Exception {
        keyed(On.MARIADB);
        CheckedDatabase.rows(locks, "SELECT id FROM posts");
        Connection changing = connect();
        giveUp(changing, End.TIMEOUT, () -> run(changing, "ALTER TABLE posts DROP FOREIGN KEY fk"));
        assertThat(rows(other, "SELECT id FROM z")).isEmpty();
        locks.commit();
        try (Connection plain = database.plain()) {
            await().atMost(PATIENCE)
                    .until(() -> CheckedDatabase.rows(
                                    plain, "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE 'ALTER %'")
                            .isEmpty());
        }
        if (isKeyThere(On.MARIADB)) {
            assertThat(rows(other, "SELECT p.id FROM posts p JOIN users u ON u.id = p.author ORDER BY p.id"))
                    .containsExactly("10", "20", "30");
        } else {
            assertAuthorsAreHidden();
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void aCommitThatIsMadeLaterIsNoticedAtOnce(End end) throws Exception {
        keyed(On.POSTGRESQL);
        elsewhere("CREATE TABLE chi (id INT PRIMARY KEY, par INT NOT NULL REFERENCES par (id)"
                + " DEFERRABLE INITIALLY DEFERRED)");
        CheckedDatabase.run(locks, "DELETE FROM par WHERE id = 1");
        Connection changing = connect();
        changing.setAutoCommit(false);
        run(changing, "INSERT INTO chi VALUES (1, 1)", "ALTER TABLE posts DROP CONSTRAINT fk");
        giveUp(changing, end, changing::commit);
        assertThat(rows(other, "SELECT id FROM z")).isEmpty();
        assertThat(isKeyThere(On.POSTGRESQL)).isTrue();
        locks.rollback();
        await().atMost(PATIENCE).until(() -> !isKeyThere(On.POSTGRESQL));
        assertAuthorsAreHidden();
    }

    /** What is asked of the server while a change is unanswered takes part in the transaction that asks. */
    @Test
    void aTransactionThatAsksWhileTheChangeIsOpenNoticesIt() throws Exception {
        keyed(On.POSTGRESQL);
        other.setAutoCommit(false);
        CheckedDatabase.rows(locks, "SELECT id FROM posts");
        for (int i = 0; i < 2; i++) {
            // The second connection is younger than what the transaction has seen of the server's sessions.
            Connection changing = connect();
            giveUp(changing, End.TIMEOUT, () -> run(changing, "ALTER TABLE posts DROP CONSTRAINT IF EXISTS fk"));
            assertThat(rows(other, "SELECT id FROM z")).isEmpty();
        }
        locks.commit();
        await().atMost(PATIENCE).until(() -> !isKeyThere(On.POSTGRESQL));
        assertAuthorsAreHidden();
    }
}
