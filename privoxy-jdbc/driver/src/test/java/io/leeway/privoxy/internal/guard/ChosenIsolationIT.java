package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A text that chooses the isolation of a transaction, of the next one or of the session holds for what the database
 * makes of it: where that is not certain, for the weaker.
 */
class ChosenIsolationIT extends Cases {

    private static final String ONCE = "SET TRANSACTION ISOLATION LEVEL ";
    private static final String SESSION = "SET SESSION TRANSACTION ISOLATION LEVEL ";
    private static final String ALWAYS = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL ";

    /** True of each row where the row is in one state. */
    static final String ITSELF =
            "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t x WHERE x.id = t.id AND x.secret = t.secret) ORDER BY id";

    private Connection keyed(On where, int isolation) throws SQLException {
        keyed(
                where,
                "CREATE VIEW tt AS SELECT id, v FROM t;",
                "CREATE TABLE t (id INT PRIMARY KEY, v INT, secret INT NOT NULL)",
                "INSERT INTO t VALUES (1, 1, 5), (2, 2, 5), (3, 3, 5)");
        Connection connection = connect();
        request(1);
        connection.setTransactionIsolation(isolation);
        return connection;
    }

    private static void assertIsOneState(Connection connection) throws SQLException {
        assertThat(rows(connection, ITSELF)).containsExactly("1", "2", "3");
    }

    // --- MariaDB: what is not committed is read
    // ------------------------------------------------------------------------

    @Test
    void aLevelForTheNextStatementHoldsForIt() throws SQLException {
        Connection connection = keyed(On.MARIADB, Connection.TRANSACTION_READ_COMMITTED);
        run(connection, ONCE + "READ UNCOMMITTED");
        assertRefused(connection, ITSELF);
    }

    /** One that was meant for a statement is gone behind it. */
    @Test
    void aLevelForTheNextStatementHoldsForNoTransactionBehindIt() throws SQLException {
        Connection connection = keyed(On.MARIADB, Connection.TRANSACTION_READ_UNCOMMITTED);
        run(connection, ONCE + "READ COMMITTED", "INSERT INTO z VALUES (7)", "START TRANSACTION");
        assertRefused(connection, ITSELF);
        run(connection, "ROLLBACK");
        assertRefused(connection, ITSELF);
        run(connection, ONCE + "READ COMMITTED", "INSERT INTO z VALUES (8)");
        connection.setAutoCommit(false);
        assertRefused(connection, ITSELF);
    }

    /** The transaction goes on with what it began with. */
    @Test
    void aLevelOfTheSessionHoldsForNoTransactionThatHasBegun() throws SQLException {
        Connection connection = keyed(On.MARIADB, Connection.TRANSACTION_READ_UNCOMMITTED);
        run(connection, "START TRANSACTION", SESSION + "READ COMMITTED");
        assertRefused(connection, ITSELF);
        run(connection, "COMMIT");
        assertIsOneState(connection);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        run(connection, "START TRANSACTION");
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        assertRefused(connection, ITSELF);
    }

    @Test
    void aLevelThatATextHasChosenGoesWhereAMethodChoosesAnother() throws SQLException {
        Connection connection = keyed(On.MARIADB, Connection.TRANSACTION_READ_COMMITTED);
        run(connection, SESSION + "READ COMMITTED");
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        connection.setAutoCommit(false);
        assertRefused(connection, ITSELF);
    }

    @Test
    void aLevelThatTheServerRefusesIsNone() throws SQLException {
        Connection connection = keyed(On.MARIADB, Connection.TRANSACTION_READ_UNCOMMITTED);
        run(connection, "START TRANSACTION");
        assertThatThrownBy(() -> run(connection, ONCE + "READ COMMITTED")).isInstanceOf(SQLException.class);
        assertRefused(connection, ITSELF);
        run(connection, "ROLLBACK", "START TRANSACTION");
        assertRefused(connection, ITSELF);
    }

    /** A commit of nothing is not sent, so what was chosen for the next transaction waits for it still. */
    @Test
    void aLevelForTheNextTransactionOutlivesACommitOfNothing() throws SQLException {
        for (String end : new String[] {"commit", "rollback"}) {
            Connection connection = keyed(On.MARIADB, Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            run(connection, ONCE + "READ UNCOMMITTED");
            if (end.equals("commit")) {
                connection.commit();
            } else {
                connection.rollback();
            }
            assertRefused(connection, ITSELF);
        }
    }

    /** And where it is sent it is gone. */
    @Test
    void aLevelForTheNextTransactionIsGoneBehindIt() throws SQLException {
        Connection connection = keyed(On.MARIADB, Connection.TRANSACTION_READ_UNCOMMITTED);
        connection.setAutoCommit(false);
        run(connection, ONCE + "READ COMMITTED");
        assertIsOneState(connection);
        connection.commit();
        assertRefused(connection, ITSELF);
        connection.rollback();
        run(connection, ONCE + "READ COMMITTED", "COMMIT");
        assertRefused(connection, ITSELF);
    }

    @Test
    void aLevelOfTheSessionHolds() throws SQLException {
        Connection connection = keyed(On.MARIADB, Connection.TRANSACTION_READ_UNCOMMITTED);
        run(connection, SESSION + "READ COMMITTED");
        assertIsOneState(connection);
        run(connection, "START TRANSACTION");
        assertIsOneState(connection);
        run(connection, "COMMIT");
        connection.setAutoCommit(false);
        assertIsOneState(connection);
        connection.rollback();
        run(connection, SESSION + "READ UNCOMMITTED");
        assertRefused(connection, ITSELF);
        connection.setAutoCommit(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        run(connection, SESSION + "READ UNCOMMITTED");
        assertRefused(connection, ITSELF);
    }

    /** Rows of the snapshot beside own ones: four ways in which the server has another level than it seems. */
    @Test
    void aSnapshotIsNoticedHoweverItCame() throws SQLException {
        for (int way = 0; way < 5; way++) {
            Connection connection = keyed(On.MARIADB, Connection.TRANSACTION_READ_COMMITTED);
            switch (way) {
                case 0 -> {
                    connection.setAutoCommit(false);
                    assertThat(rows(connection, "SELECT 1")).containsExactly("1");
                    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                }
                case 1 -> {
                    run(connection, ONCE + "REPEATABLE READ");
                    connection.setAutoCommit(false);
                }
                case 2 -> {
                    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                    connection.setAutoCommit(false);
                    run(connection, "START TRANSACTION");
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                case 3 -> {
                    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                    connection.setAutoCommit(false);
                    assertThat(rows(connection, "SELECT id FROM z")).isEmpty();
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                    connection.setAutoCommit(true);
                    connection.setAutoCommit(false);
                }
                default -> {
                    run(connection, SESSION + "REPEATABLE READ");
                    connection.setAutoCommit(false);
                }
            }
            assertThat(rows(connection, "SELECT id FROM z")).isEmpty();
            readsSeveralStatesBehindAnOwnWrite(connection);
            connection.rollback();
        }
    }

    // --- PostgreSQL: a snapshot and own writes
    // -------------------------------------------------------------------------

    private void readsSeveralStatesBehindAnOwnWrite(Connection connection) throws SQLException {
        run(connection, "UPDATE t SET v = 4 WHERE id = 3");
        assertRefused(connection, ITSELF);
    }

    @Test
    void aLevelThatIsChosenOutsideATransactionHoldsForNone() throws SQLException {
        Connection connection = keyed(On.POSTGRESQL, Connection.TRANSACTION_REPEATABLE_READ);
        run(connection, ONCE + "READ COMMITTED", "BEGIN");
        readsSeveralStatesBehindAnOwnWrite(connection);
    }

    @Test
    void aLevelOfTheSessionHoldsForTheTransactionsThatBeginLater() throws SQLException {
        Connection connection = keyed(On.POSTGRESQL, Connection.TRANSACTION_REPEATABLE_READ);
        run(connection, "BEGIN", ALWAYS + "READ COMMITTED");
        readsSeveralStatesBehindAnOwnWrite(connection);
        run(connection, "ROLLBACK", ALWAYS + "REPEATABLE READ");
        connection.setAutoCommit(false);
        run(connection, ALWAYS + "READ COMMITTED");
        readsSeveralStatesBehindAnOwnWrite(connection);
        connection.commit();
        run(connection, "UPDATE t SET v = 3 WHERE id = 3");
        assertIsOneState(connection);
    }

    @Test
    void aLevelOfTheTransactionHoldsForIt() throws SQLException {
        Connection connection = keyed(On.POSTGRESQL, Connection.TRANSACTION_READ_COMMITTED);
        for (boolean byText : new boolean[] {true, false}) {
            begin(connection, byText);
            run(connection, ONCE + "REPEATABLE READ");
            readsSeveralStatesBehindAnOwnWrite(connection);
            connection.setAutoCommit(false);
            connection.rollback();
            connection.setAutoCommit(true);
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        begin(connection, false);
        run(connection, ONCE + "READ COMMITTED", "UPDATE t SET v = 4 WHERE id = 3");
        assertIsOneState(connection);
    }

    private static void begin(Connection connection, boolean byText) throws SQLException {
        if (byText) {
            run(connection, "BEGIN");
        } else {
            connection.setAutoCommit(false);
        }
    }

    /** The name is the one that the server reads, however it is written. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET U&\"transaction_isol\\0061tion\" = 'repeatable read'",
                "SET U&\"tr\\0061nsaction_isol\\0061tion\" TO 'repeatable read'",
                "SET SESSION U&\"transaction_isol\\0061tion\" TO 'serializable'",
                "SET U&\"default_transaction_isol\\0061tion\" = 'repeatable read'",
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ WRITE",
                "SET /* */ TRANSACTION ISOLATION LEVEL REPEATABLE READ"
            })
    void aLevelUnderANameThatIsWrittenOtherwiseIsNoticed(String text) throws SQLException {
        Connection connection = keyed(On.POSTGRESQL, Connection.TRANSACTION_READ_COMMITTED);
        if (text.contains("default_")) {
            run(connection, text);
        }
        for (boolean byText : new boolean[] {true, false}) {
            begin(connection, byText);
            if (!text.contains("default_")) {
                run(connection, text);
            }
            assertThat(rows(connection, "SELECT id FROM z")).isEmpty();
            readsSeveralStatesBehindAnOwnWrite(connection);
            connection.setAutoCommit(false);
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** What chooses no level changes nothing of it. */
    @Test
    void otherModesOfATransactionChooseNoLevel() throws SQLException {
        Connection connection = keyed(On.POSTGRESQL, Connection.TRANSACTION_READ_COMMITTED);
        begin(connection, false);
        run(connection, "SET TRANSACTION READ WRITE, NOT DEFERRABLE", "SET LOCAL application_name = 'isolation'");
        run(connection, "UPDATE t SET v = 4 WHERE id = 3");
        assertIsOneState(connection);
    }

    // --- H2
    // ------------------------------------------------------------------------------------------------------------

    @Test
    void aLevelOfTheSessionHoldsOnH2() throws SQLException {
        Connection connection = keyed(On.H2, Connection.TRANSACTION_READ_UNCOMMITTED);
        run(connection, ALWAYS + "READ COMMITTED");
        assertIsOneState(connection);
        connection.setAutoCommit(false);
        assertIsOneState(connection);
        run(connection, ALWAYS + "READ UNCOMMITTED");
        assertRefused(connection, ITSELF);
        connection.rollback();
        connection.setAutoCommit(true);
        run(connection, ALWAYS + "READ COMMITTED");
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        connection.setAutoCommit(false);
        assertRefused(connection, ITSELF);
    }

    /** Whose membership was in a transaction that ends with the text, is over from then on. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ALWAYS + "READ COMMITTED",
                ALWAYS + "SERIALIZABLE",
                "SET DEFAULT_LOCK_TIMEOUT 1000",
                "SET /* */ DEFAULT_LOCK_TIMEOUT 1000"
            })
    void aTextThatCommitsOnH2EndsWhatWasRead(String text) throws SQLException {
        on(On.H2);
        Connection writer = connect();
        Connection reader = connect();
        request(1);
        writer.setAutoCommit(false);
        run(writer, "DELETE FROM members WHERE user_id = 1 AND event_id = 7");
        assertThat(rows(reader, "SELECT user_id, event_id FROM members WHERE user_id = 1 AND event_id = 7"))
                .containsExactly("1,7");
        run(writer, text);
        assertRefused(reader, "SELECT title FROM events WHERE id = 7");
        assertRefused(writer, "SELECT title FROM events WHERE id = 7");
    }

    /** And a text that commits nothing ends nothing. */
    @Test
    void aTextThatCommitsNothingOnH2KeepsWhatWasRead() throws SQLException {
        on(On.H2);
        Connection connection = connect();
        run(connection, "SET LOCK_TIMEOUT 1000", "SET QUERY_TIMEOUT 10000");
        request(1);
        connection.setAutoCommit(false);
        run(connection, "INSERT INTO notes VALUES (5, 1, 'n')");
        assertThat(rows(connection, "SELECT user_id, event_id FROM members WHERE user_id = 1 AND event_id = 7"))
                .containsExactly("1,7");
        run(connection, "SET LOCK_TIMEOUT 1000", "SET QUERY_TIMEOUT 10000");
        assertThat(rows(connection, "SELECT title FROM events WHERE id = 7")).containsExactly("seven");
    }
}
