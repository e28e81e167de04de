package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the time says, it says of rows of now: not of rows that were read before it was over, whatever asks for it, a view, an
 * assertion or a value that is another one tomorrow.
 */
class TimesOfMomentsIT extends Cases {

    private static final String CONTEXT = "CREATE CONTEXT MyUId BIGINT;\n";

    private Connection start(On where, String policy, String... tables) throws SQLException {
        on(where, CONTEXT + policy, tables);
        request(1);
        return connect();
    }

    private static final String SOON = "TIMESTAMP '2030-01-01 12:00:00'";

    /** That a time is over now says nothing of what was open when it was read. Whether it is decides nothing here. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatTheTimeSaysItSaysOfRowsOfNow(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW pub AS SELECT * FROM d WHERE embargo < LOCALTIMESTAMP;
                CREATE VIEW times AS SELECT id, embargo FROM d;
                CREATE VIEW kk AS SELECT * FROM k;
                CREATE VIEW tasks AS SELECT tk.* FROM tk JOIN mem ON mem.c = tk.c
                  WHERE mem.u = ?MyUId AND mem.since < LOCALTIMESTAMP;
                CREATE VIEW mm AS SELECT * FROM mem WHERE u = ?MyUId;
                """,
                "CREATE TABLE d (id INT PRIMARY KEY, embargo " + type(where) + " NOT NULL, secret VARCHAR(20))",
                "CREATE TABLE k (t " + type(where) + " PRIMARY KEY)",
                "CREATE TABLE mem (u INT NOT NULL, c INT NOT NULL, since " + type(where)
                        + " NOT NULL, PRIMARY KEY (u, c))",
                "CREATE TABLE tk (id INT PRIMARY KEY, c INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO d VALUES (5, " + SOON + ", 'draft')",
                "INSERT INTO k VALUES (" + SOON + ")",
                "INSERT INTO mem VALUES (1, 5, " + SOON + ")",
                "INSERT INTO tk VALUES (1, 5, 'SECRET')");
        assertThat(rows(connection, "SELECT id, embargo FROM d WHERE id = 5")).hasSize(1);
        assertThat(rows(connection, "SELECT * FROM mem WHERE u = 1")).hasSize(1);
        elsewhere("UPDATE d SET embargo = TIMESTAMP '2099-01-01 00:00:00', secret = 'SECRET'", "DELETE FROM mem");
        String isOver = "k.t = " + SOON + " AND k.t < LOCALTIMESTAMP";
        assertRefused(connection, "SELECT d.id, d.secret FROM d, k WHERE d.id = 5 AND " + isOver);
        assertRefused(connection, "SELECT tk.id, tk.secret FROM tk, k WHERE tk.c = 5 AND " + isOver);
        assertRefused(
                connection,
                "SELECT tk.id, tk.secret FROM tk WHERE tk.c = 5 AND EXISTS (SELECT 1 FROM k WHERE " + isOver + ")");
        assertThat(rows(connection, "SELECT id, secret FROM d WHERE embargo < LOCALTIMESTAMP"))
                .isEmpty();
    }

    /** Nor by way of a row of now that has the same time, or a later one. */
    @ParameterizedTest
    @CsvSource({
        "H2, mem.since = tk.since",
        "POSTGRESQL, mem.since = tk.since",
        "MARIADB, mem.since = tk.since",
        "H2, mem.since <= tk.since"
    })
    void whatTheTimeSaysOfAnotherRowItDoesNotSayOfThisOne(On where, String same) throws SQLException {
        Connection connection = start(
                where,
                "CREATE VIEW tasks AS SELECT tk.* FROM tk JOIN mem ON mem.c = tk.c AND " + same
                        + " WHERE mem.u = ?MyUId AND tk.since < LOCALTIMESTAMP;\n"
                        + "CREATE VIEW mm AS SELECT * FROM mem WHERE u = ?MyUId;\n",
                "CREATE TABLE mem (u INT NOT NULL, c INT NOT NULL, since " + type(where)
                        + " NOT NULL, PRIMARY KEY (u, c))",
                "CREATE TABLE tk (id INT PRIMARY KEY, c INT NOT NULL, since " + type(where)
                        + " NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO mem VALUES (1, 5, " + SOON + ")",
                "INSERT INTO tk VALUES (1, 5, " + SOON + ", 'SECRET')");
        assertThat(rows(connection, "SELECT * FROM mem WHERE u = 1")).hasSize(1);
        elsewhere("DELETE FROM mem");
        assertRefused(
                connection, "SELECT id, secret FROM tk WHERE c = 5 AND since < LOCALTIMESTAMP AND since = " + SOON);
    }

    /** What an assertion says of the time it says of rows of now: what was read may be gone when its time is over. */
    @ParameterizedTest
    @EnumSource(On.class)
    void anAssertionAboutTheTimeIsNotBrokenByWhatWasRead(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW mys AS SELECT * FROM sess WHERE u = ?MyUId;
                CREATE VIEW docs AS SELECT o.* FROM other o JOIN sess s ON s.u = o.u WHERE s.u = ?MyUId;
                CREATE VIEW kk AS SELECT * FROM k;
                CREATE ASSERTION purged AS SELECT id FROM sess WHERE expires < LOCALTIMESTAMP IS EMPTY;
                """,
                "CREATE TABLE k (t " + type(where) + " PRIMARY KEY)",
                "CREATE TABLE sess (id INT PRIMARY KEY, u INT NOT NULL, expires " + type(where) + " NOT NULL)",
                "CREATE TABLE other (id INT PRIMARY KEY, u INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO sess VALUES (1, 1, " + SOON + ")",
                "INSERT INTO other VALUES (1, 2, 'SECRET')",
                "INSERT INTO k VALUES (" + SOON + ")");
        assertThat(rows(connection, "SELECT * FROM sess WHERE u = 1")).hasSize(1);
        elsewhere("DELETE FROM sess");
        String isOver = "k.t = " + SOON + " AND k.t < LOCALTIMESTAMP";
        assertRefused(connection, "SELECT o.id, o.secret FROM other o, k WHERE " + isOver);
        assertRefusedWrite(
                connection,
                "UPDATE other SET secret = 'gone' WHERE EXISTS (SELECT 1 FROM k WHERE " + isOver + ")"
                        + " AND secret = 'SECRET'");
        assertRefusedWrite(
                connection, "DELETE FROM other WHERE u = 2 AND EXISTS (SELECT 1 FROM k WHERE " + isOver + ")");
    }

    private static String type(On where) {
        return where == On.MARIADB ? "DATETIME" : "TIMESTAMP";
    }

    /** A text by which PostgreSQL asks its clock names another row later. */
    @ParameterizedTest
    @ValueSource(strings = {"today", "Today", " today ", "now", "tomorrow", "yesterday"})
    void aTextThatAsksTheClockNamesNoRow(String text) throws SQLException {
        Connection connection = start(
                On.POSTGRESQL,
                "CREATE VIEW mine AS SELECT * FROM d WHERE owner = ?MyUId;\nCREATE VIEW ids AS SELECT id FROM d;\n",
                "CREATE TABLE d (id DATE PRIMARY KEY, owner INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO d SELECT CURRENT_DATE + g, 1, 'mine' FROM generate_series(-2, 2) g");
        // The same where the driver leaves a parameter's type to the server.
        Connection loose = connect("stringtype", "unspecified");
        assertThat(rows(connection, "SELECT secret FROM d WHERE id = '" + text + "' AND owner = 1"))
                .containsExactly("mine");
        assertThat(secrets(loose, "SELECT secret FROM d WHERE id = ? AND owner = 1", text))
                .containsExactly("mine");
        elsewhere("UPDATE d SET owner = 2, secret = 'SECRET'");
        assertRefused(connection, "SELECT secret FROM d WHERE id = '" + text + "'");
        assertRefused(connection, "SELECT id, owner, secret FROM d WHERE id IN ('" + text + "')");
        assertThatThrownBy(() -> secrets(loose, "SELECT secret FROM d WHERE id = ?", text))
                .isInstanceOf(PrivoxyException.class);
    }

    /** Beside a timestamp H2 takes a time for that time of today. */
    @Test
    void aTimeOfTheDayNamesNoTimestamp() throws SQLException {
        Connection connection = start(
                On.H2,
                "CREATE VIEW mine AS SELECT * FROM d WHERE owner = ?MyUId;\nCREATE VIEW ids AS SELECT id FROM d;\n",
                "CREATE TABLE d (id TIMESTAMP(0) PRIMARY KEY, owner INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO d SELECT CURRENT_DATE + TIME '10:00:00' + g * INTERVAL '1' DAY, 1, 'mine'"
                        + " FROM (SELECT X AS g FROM SYSTEM_RANGE(-2, 2)) days");
        assertThat(secrets(connection, "SELECT secret FROM d WHERE id = ? AND owner = 1", LocalTime.of(10, 0)))
                .containsExactly("mine");
        elsewhere("UPDATE d SET owner = 2, secret = 'SECRET'");
        assertThatThrownBy(() -> secrets(connection, "SELECT secret FROM d WHERE id = ?", LocalTime.of(10, 0)))
                .isInstanceOf(PrivoxyException.class);
    }

    private static List<String> secrets(Connection connection, String sql, Object value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, value);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? List.of(result.getString(1)) : List.of();
            }
        }
    }
}
