package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.PrivoxyXADataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One state: which facts of a request may be used together, and that none prove anything that cannot be true together. */
class StateCasesIT extends Cases {

    private static final String EVENT = "SELECT title FROM events WHERE id = ";
    private static final String MEMBERSHIP = "SELECT * FROM members WHERE user_id = 1 AND event_id = ";

    // --- P1: contradictions ------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void resultsThatContradictEachOtherOpenNothing(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        request(1);
        assertThat(rows(connection, "SELECT * FROM posts WHERE author_id = 1")).hasSize(1);
        elsewhere("UPDATE posts SET author_id = 3 WHERE id = 1");
        assertThat(rows(connection, "SELECT * FROM posts WHERE public = TRUE")).hasSize(2);

        assertRefused(connection, "SELECT * FROM posts");
        assertRefused(connection, "SELECT title FROM posts WHERE id = 2");
    }

    @ParameterizedTest
    @EnumSource
    void theNewerOfTwoResultsStands(On where) throws SQLException {
        on(where);
        elsewhere("INSERT INTO members VALUES (1, 8, 'admin'), (3, 8, 'guest')");
        database.policy(POLICY + """
                CREATE VIEW people_of_events_that_i_run AS
                  SELECT m.* FROM members m JOIN members me ON me.event_id = m.event_id
                  WHERE me.user_id = ?MyUId AND me.role = 'admin';
                """);
        Connection connection = connect();
        request(1);
        String others = "SELECT user_id FROM members WHERE event_id = 8 AND user_id = ";
        rows(connection, MEMBERSHIP + 8);
        assertThat(rows(connection, others + 2)).containsExactly("2");
        elsewhere("UPDATE members SET role = 'guest' WHERE user_id = 1 AND event_id = 8");
        assertThat(rows(connection, MEMBERSHIP + 8)).containsExactly("1,8,guest");

        assertRefused(connection, others + 3);
    }

    @ParameterizedTest
    @EnumSource
    void aPersonsOwnRowThatChangesMeanwhileOpensNoOthers(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        request(1);
        assertThat(rows(connection, "SELECT email FROM users WHERE id = 1")).containsExactly("ada@x");
        elsewhere("UPDATE users SET email = 'other@x' WHERE id = 1");
        assertThat(rows(connection, "SELECT email FROM users WHERE id = 1")).containsExactly("other@x");

        assertRefused(connection, "SELECT email, salary FROM users");
        assertRefused(connection, "SELECT email FROM users WHERE id = 2");
        assertThat(rows(connection, "SELECT email FROM users WHERE id = 1")).containsExactly("other@x");
    }

    @ParameterizedTest
    @EnumSource
    void aResultThatIsReadOnWhileAnotherIsReadContradictsNothing(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        Connection second = connect();
        request(1);
        try (Statement statement = connection.createStatement();
                ResultSet open = statement.executeQuery("SELECT id, email FROM users WHERE id = 1")) {
            elsewhere("UPDATE users SET email = 'other@x' WHERE id = 1");
            rows(second, "SELECT id, email FROM users WHERE id = 1");
            assertThat(open.next()).isTrue();
            assertRefused(second, "SELECT email FROM users");
        }
        assertRefused(connection, "SELECT email FROM users");
    }

    @ParameterizedTest
    @EnumSource
    void oneTemplateIsNotLearntFromContradictionsNorUsedWithThem(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        for (int i = 0; i < 3; i++) {
            try (PrivoxyRequest request = request(1)) {
                assertThat(request.isOpen()).isTrue();
                rows(connection, "SELECT * FROM posts WHERE author_id = 1");
                elsewhere("UPDATE posts SET author_id = " + (i % 2 == 0 ? 3 : 1) + " WHERE id = 1");
                rows(connection, "SELECT * FROM posts WHERE public = TRUE");
                assertRefused(connection, "SELECT * FROM posts");
                assertRefused(connection, "SELECT title FROM posts WHERE id = 2");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void contradictionsBehindJoinsOpenNothing(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        request(1);
        String names =
                "SELECT u.name FROM posts p JOIN users u ON u.id = p.author_id WHERE p.id = 1 AND p.public = TRUE";
        assertThat(rows(connection, names)).containsExactly("Ada");
        rows(connection, "SELECT id, name FROM users WHERE id IN (1, 2, 3)");
        elsewhere("UPDATE posts SET author_id = 3 WHERE id = 1");
        assertThat(rows(connection, names)).containsExactly("Cy");
        rows(connection, "SELECT id, author_id FROM posts WHERE id = 1 AND public = TRUE");

        assertRefused(connection, "SELECT * FROM posts");
        assertRefused(connection, "SELECT email FROM users WHERE id = 2");
    }

    @ParameterizedTest
    @EnumSource
    void aRowThatBreaksAnAssertionOpensNothing(On where) throws SQLException {
        on(where, POLICY + """
                CREATE ASSERTION mine_are_private AS
                  (SELECT id FROM posts WHERE author_id = ?MyUId AND public = TRUE) IS EMPTY;
                """);
        Connection connection = connect();
        request(1);
        assertThat(rows(connection, "SELECT * FROM posts WHERE author_id = 1")).hasSize(1);

        assertRefused(connection, "SELECT * FROM posts");
        assertRefused(connection, "SELECT title FROM posts WHERE id = 2");
    }

    @ParameterizedTest
    @EnumSource
    void assertionsThatLeaveATableNoRowProveNothing(On where) throws SQLException {
        on(where, POLICY + """
                CREATE ASSERTION some_are_public AS (SELECT id FROM posts WHERE public = TRUE) IS EMPTY;
                CREATE ASSERTION none_is_private AS (SELECT id FROM posts WHERE public = FALSE) IS EMPTY;
                """);
        Connection connection = connect();
        request(1);

        assertRefused(connection, "SELECT * FROM posts");
        rows(connection, "SELECT * FROM posts WHERE public = TRUE");
        assertRefused(connection, "SELECT * FROM posts");
        assertRefused(connection, "SELECT title FROM posts WHERE id = 2");
    }

    // --- S1: two connections -----------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void whatATransactionHasWrittenIsKnownToItsConnectionOnly(On where) throws SQLException {
        on(where);
        Connection first = connect();
        Connection second = connect();
        request(1);
        first.setAutoCommit(false);
        run(first, "UPDATE users SET email = 'new@x' WHERE id = 1");
        assertThat(rows(first, "SELECT id, email FROM users WHERE id = 1")).containsExactly("1,new@x");
        assertThat(rows(second, "SELECT id, email FROM users WHERE id = 1")).containsExactly("1,ada@x");

        assertRefused(second, "SELECT email FROM users");
        assertRefused(first, "SELECT email FROM users");
        first.rollback();
        assertRefused(first, "SELECT email FROM users WHERE id = 2");
    }

    @ParameterizedTest
    @EnumSource
    void anUncommittedMembershipOpensItsEventToItsTransactionOnly(On where) throws SQLException {
        on(where);
        Connection first = connect();
        Connection second = connect();
        request(1);
        first.setAutoCommit(false);
        run(first, "INSERT INTO members (user_id, event_id, role) VALUES (1, 8, 'guest')");
        rows(first, MEMBERSHIP + 8);
        assertThat(rows(first, EVENT + 8)).containsExactly("SECRET");

        assertRefused(second, EVENT + 8);
        first.commit();
        assertThat(rows(second, EVENT + 8)).containsExactly("SECRET");
    }

    @ParameterizedTest
    @EnumSource
    void whatAnotherConnectionReadBeforeTheCommitIsForgottenWithIt(On where) throws SQLException {
        on(where);
        Connection first = connect();
        Connection second = connect();
        request(1);
        first.setAutoCommit(false);
        run(first, "DELETE FROM members WHERE user_id = 1 AND event_id = 7");
        assertThat(rows(second, MEMBERSHIP + 7)).hasSize(1);
        first.commit();

        assertRefused(second, EVENT + 7);
        assertRefused(first, EVENT + 7);
    }

    // --- S2, S3: snapshots -------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void anOldStateThatTheRequestHasChangedItselfIsTheTransactionsOwn(On where) throws SQLException {
        on(where);
        Connection first = connect();
        Connection second = connect();
        request(1);
        first.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        first.setAutoCommit(false);
        rows(first, MEMBERSHIP + 7);
        run(second, "DELETE FROM members WHERE user_id = 1 AND event_id = 7");
        assertThat(rows(first, MEMBERSHIP + 7)).hasSize(1);

        assertRefused(second, EVENT + 7);
        first.commit();
        assertRefused(first, EVENT + 7);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void theIsolationIsKnownHoweverItWasChosen(On where) throws SQLException {
        on(where);
        Connection first = connect();
        Connection second = connect();
        request(1);
        String begin = where == On.POSTGRESQL
                ? "BEGIN ISOLATION LEVEL REPEATABLE READ"
                : "START TRANSACTION WITH CONSISTENT SNAPSHOT";
        run(first, begin);
        rows(first, MEMBERSHIP + 7);
        run(second, "DELETE FROM members WHERE user_id = 1 AND event_id = 7");
        rows(first, MEMBERSHIP + 7);

        assertRefused(second, EVENT + 7);
        run(first, "COMMIT");
        assertRefused(first, EVENT + 7);
    }

    @Test
    void aSnapshotOlderThanTheRequestIsTheTransactionsOwn() throws SQLException {
        on(On.POSTGRESQL);
        Connection first = connect();
        Connection second = connect();
        first.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        first.setAutoCommit(false);
        try (PrivoxyRequest earlier = request(1)) {
            assertThat(earlier.isOpen()).isTrue();
            rows(first, MEMBERSHIP + 7);
        }
        elsewhere("DELETE FROM members WHERE user_id = 1 AND event_id = 7");
        request(1);
        assertThat(rows(first, MEMBERSHIP + 7)).hasSize(1);

        assertRefused(second, EVENT + 7);
        first.commit();
        assertRefused(first, EVENT + 7);
    }

    @Test
    void newerRowsBesideASnapshotContradictNothing() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        rows(connection, "SELECT id, email FROM users WHERE id = 1");
        elsewhere("UPDATE users SET email = 'other@x' WHERE id = 1");
        assertThat(rows(connection, "SELECT id, email FROM users WHERE id = 1 FOR UPDATE"))
                .containsExactly("1,other@x");
        assertRefused(connection, "SELECT email FROM users");
        assertRefused(connection, "SELECT email FROM users WHERE id = 2");
    }

    @Test
    void anOwnUpdateThatLiftsARowOutOfTheSnapshotContradictsNothing() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        rows(connection, "SELECT id, email FROM users WHERE id = 1");
        elsewhere("UPDATE users SET email = 'other@x' WHERE id = 1");
        run(connection, "UPDATE users SET name = 'Adele' WHERE id = 1");
        assertThat(rows(connection, "SELECT id, email FROM users WHERE id = 1")).containsExactly("1,other@x");

        assertRefused(connection, "SELECT email FROM users");
        assertRefused(connection, "SELECT email FROM users WHERE id = 2");
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "H2"})
    void dirtyRowsAreNoFacts(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        request(1);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        try (Connection other = database.plain()) {
            other.setAutoCommit(false);
            run(other, "INSERT INTO members VALUES (1, 8, 'guest')");
            rows(connection, MEMBERSHIP + 8);
            other.rollback();
        }

        assertRefused(connection, EVENT + 8);
    }

    // --- S4, S5: ends ------------------------------------------------------------------------------------------------

    @Test
    void switchingAutoCommitOnWithACommitThatFailsIsARollback() throws SQLException {
        on(On.POSTGRESQL);
        elsewhere("ALTER TABLE members ADD CONSTRAINT one_event UNIQUE (event_id) DEFERRABLE INITIALLY DEFERRED");
        Connection connection = connect();
        request(1);
        connection.setAutoCommit(false);
        run(connection, "INSERT INTO members (user_id, event_id, role) VALUES (1, 8, 'guest')");
        rows(connection, MEMBERSHIP + 8);
        assertThatThrownBy(() -> connection.setAutoCommit(true)).isInstanceOf(SQLException.class);

        assertRefused(connection, EVENT + 8);
    }

    @Test
    void aTransactionBegunInATextOfSeveralStatementsIsSeen() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        run(connection, "BEGIN; INSERT INTO members (user_id, event_id, role) VALUES (1, 8, 'guest')");
        rows(connection, MEMBERSHIP + 8);
        assertThat(rows(connection, EVENT + 8)).containsExactly("SECRET");
        run(connection, "ROLLBACK");

        assertRefused(connection, EVENT + 8);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aTransactionEndedInATextOfSeveralStatementsIsSeen(On where) throws SQLException {
        on(where);
        Connection connection = where == On.MARIADB ? connect("allowMultiQueries", "true") : connect();
        request(1);
        connection.setAutoCommit(false);
        run(connection, "INSERT INTO members (user_id, event_id, role) VALUES (1, 8, 'guest')");
        rows(connection, MEMBERSHIP + 8);
        run(connection, "INSERT INTO members (user_id, event_id, role) VALUES (1, 9, 'guest'); ROLLBACK");

        assertRefused(connection, EVENT + 8);
    }

    @ParameterizedTest
    @EnumSource
    void aRollbackToASavepointForgetsWhatWasReadAfterIt(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        request(1);
        connection.setAutoCommit(false);
        run(connection, "INSERT INTO members (user_id, event_id, role) VALUES (1, 9, 'guest')");
        Savepoint savepoint = connection.setSavepoint("a");
        run(connection, "INSERT INTO members (user_id, event_id, role) VALUES (1, 8, 'guest')");
        rows(connection, MEMBERSHIP + 8);
        connection.rollback(savepoint);

        assertRefused(connection, EVENT + 8);
        connection.commit();
        assertRefused(connection, EVENT + 8);
    }

    // --- S6: branches, rows read again
    // ---------------------------------------------------------------------------------

    @Test
    void whatIsReadBetweenTheEndAndTheRollbackOfABranchIsNoFact() throws Exception {
        on(On.POSTGRESQL);
        XAConnection xa = xa();
        request(1);
        XAResource resource = xa.getXAResource();
        Xid branch = branch();
        Connection handle = xa.getConnection();
        resource.start(branch, XAResource.TMNOFLAGS);
        run(handle, "INSERT INTO members (user_id, event_id, role) VALUES (1, 8, 'guest')");
        resource.end(branch, XAResource.TMSUCCESS);
        rows(handle, MEMBERSHIP + 8);
        resource.rollback(branch);

        assertRefused(handle, EVENT + 8);
        assertRefused(connect(), EVENT + 8);
    }

    @Test
    void whatABranchHasReadOfItsWritesIsKnownToItAlone() throws Exception {
        on(On.POSTGRESQL);
        XAConnection xa = xa();
        request(1);
        Xid branch = branch();
        Connection handle = xa.getConnection();
        xa.getXAResource().start(branch, XAResource.TMNOFLAGS);
        run(handle, "INSERT INTO members (user_id, event_id, role) VALUES (1, 8, 'guest')");
        rows(handle, MEMBERSHIP + 8);

        assertThat(rows(handle, EVENT + 8)).containsExactly("SECRET");
        assertRefused(connect(), EVENT + 8);
        xa.getXAResource().end(branch, XAResource.TMSUCCESS);
        xa.getXAResource().rollback(branch);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aRowThatIsReadAgainIsNoRowOfTheOldResult(On where) throws SQLException {
        on(where);
        Connection connection = connect();
        request(1);
        try (PreparedStatement statement = connection.prepareStatement(
                        "SELECT id, name, email, salary FROM users WHERE id = 1",
                        ResultSet.TYPE_SCROLL_INSENSITIVE,
                        ResultSet.CONCUR_UPDATABLE);
                ResultSet row = statement.executeQuery()) {
            assertThat(row.next()).isTrue();
            elsewhere("UPDATE users SET email = 'other@x' WHERE id = 1");
            try {
                row.refreshRow();
            } catch (SQLException notOffered) {
                assertThat(where).isEqualTo(On.MARIADB);
            }
            row.beforeFirst();
            row.next();
            row.getString("email");
        }

        assertRefused(connection, "SELECT email FROM users");
        assertRefused(connection, "SELECT email FROM users WHERE id = 2");
    }

    private XAConnection xa() throws Exception {
        var source = new PrivoxyXADataSource();
        source.setUrl(database.url());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setPrivoxyPolicy(database.policyFile().toString());
        XAConnection xa = source.getXAConnection();
        AutoCloseable closing = xa::close;
        opened(closing);
        return xa;
    }

    static Xid branch() {
        byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
        return new Xid() {
            @Override
            public int getFormatId() {
                return 1;
            }

            @Override
            public byte[] getGlobalTransactionId() {
                return id.clone();
            }

            @Override
            public byte[] getBranchQualifier() {
                return new byte[] {1};
            }
        };
    }
}
