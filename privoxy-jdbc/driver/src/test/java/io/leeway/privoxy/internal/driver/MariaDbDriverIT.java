package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.Properties;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;

class MariaDbDriverIT {

    private static CheckedServer server;

    private Connection connection;
    private Statement statement;

    @BeforeAll
    static void create() throws SQLException {
        server = new CheckedServer(
                TestDatabases.mariadb(),
                "CREATE TABLE posts (id BIGINT PRIMARY KEY AUTO_INCREMENT, author BIGINT, text VARCHAR(50))",
                "INSERT INTO posts VALUES (10, 1, 'one'), (11, 2, 'two')");
    }

    @AfterAll
    static void drop() throws SQLException {
        server.close();
    }

    @BeforeEach
    void connect() throws SQLException {
        connection = server.connect();
        statement = connection.createStatement();
        server.guard.clear();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @Test
    void theGuardIsToldTheDatabaseAndTheSqlMode() throws SQLException {
        read("SELECT id FROM posts");
        assertThat(server.state().searchPath()).containsExactly(server.database.name());
        assertThat(server.state().settings()).anyMatch(setting -> setting.startsWith("sql_mode="));
        assertThat(server.state().settings()).anyMatch(setting -> setting.startsWith("collation_connection=utf8mb4"));

        statement.execute("SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'");
        read("SELECT id FROM posts");
        assertThat(server.state().settings()).contains("sql_mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES");

        connection.setCatalog("mysql");
        read("SELECT 1");
        assertThat(server.state().searchPath()).containsExactly("mysql");
    }

    @Test
    void aCharacterSetInWhichAQuoteMayHideIsRefusedHereIfNotByTheRealDriver() {
        assertThatThrownBy(() -> {
                    statement.execute("SET NAMES gbk");
                    statement.executeQuery("SELECT id FROM posts");
                })
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("gbk");
    }

    @Test
    void aResultThatTheSessionCutsShortIsNeverComplete() throws SQLException {
        connection.setClientInfo("privoxy.MyUId", "1");
        statement.execute("SET sql_select_limit = 1");
        read("SELECT id FROM posts ORDER BY id");
        assertThat(server.guard.recorded).containsExactly(10L);
        assertThat(server.guard.exhausted).isEmpty();

        statement.execute("SET sql_select_limit = DEFAULT");
        read("SELECT id FROM posts ORDER BY id");
        assertThat(server.guard.exhausted).hasSize(1);
    }

    @Test
    void aChangedRowIsDecidedOnWithWhatTheDriverReadsAgain() throws SQLException {
        try (Statement updatable =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = updatable.executeQuery("SELECT id, text AS label FROM posts ORDER BY id")) {
            rows.next();
            rows.updateString(2, "changed");
            rows.updateRow();
        }

        String table = "`" + server.database.name() + "`.`posts`";
        assertThat(server.guard.checked)
                .contains(
                        "UPDATE " + table + " SET `text` = ? WHERE `id` = ?",
                        "SELECT `id`, `text` FROM " + table + " WHERE `id` = ?");
    }

    @Test
    void generatedKeysAreNumbersOfOwnRowsOnly() throws SQLException {
        statement.executeUpdate("INSERT INTO posts (text) VALUES ('x')", Statement.RETURN_GENERATED_KEYS);
        try (ResultSet keys = statement.getGeneratedKeys()) {
            assertThat(keys.getMetaData().getColumnCount()).isOne();
            assertThat(keys.next()).isTrue();
        }
        statement.executeUpdate("UPDATE posts SET text = 'y' WHERE id = 11", new String[] {"text"});
        try (ResultSet keys = statement.getGeneratedKeys()) {
            assertThat(keys.next()).isFalse();
        }
        statement.executeUpdate("DELETE FROM posts WHERE text = 'x'");

        assertThat(server.guard.checked).noneMatch(sql -> sql.contains("RETURNING"));
    }

    @Test
    void datesThatAreNoneAreNotTakenForWhatTheDriverShows() throws SQLException {
        connection.setClientInfo("privoxy.MyUId", "1");
        statement.execute("SET sql_mode = ''");
        statement.execute("CREATE TABLE dates (id INT PRIMARY KEY, d DATE, t DATETIME)");
        statement.execute("INSERT INTO dates VALUES (1, '0000-00-00', '0000-00-00'), (2, NULL, NULL),"
                + " (3, '2020-00-00', '2020-01-00'), (4, '2020-02-29', '2020-02-29 01:02:03')");

        server.guard.recording(2);
        read("SELECT id, d, t FROM dates ORDER BY id");
        assertThat(server.guard.recorded)
                .containsExactly(Parameters.UNKNOWN, null, Parameters.UNKNOWN, Date.valueOf("2020-02-29"));
        server.guard.recorded.clear();
        server.guard.recording(3);
        read("SELECT id, d, t FROM dates ORDER BY id");
        assertThat(server.guard.recorded)
                .containsExactly(
                        Parameters.UNKNOWN, null, Parameters.UNKNOWN, Timestamp.valueOf("2020-02-29 01:02:03"));
        server.guard.recording(1);
    }

    @Test
    void severalResultsOfOneTextAreNotTakenForTheFirst() throws SQLException {
        try (Connection several = server.connect("allowMultiQueries", "true");
                Statement both = several.createStatement()) {
            assertThat(both.execute("SELECT id FROM posts WHERE id = 10; SELECT author FROM posts WHERE id = 10"))
                    .isTrue();
            count(both.getResultSet());
            assertThat(both.getMoreResults()).isTrue();
            assertThat(count(both.getResultSet())).isOne();

            assertThat(server.guard.recorded).containsExactly(10L);
        }
    }

    @Test
    void aBranchOfADistributedTransactionIsChecked() throws Exception {
        var real = new MariaDbDataSource(server.database.jdbcUrl());
        real.setUser(server.database.user());
        real.setPassword(server.database.password());
        var options = new Properties();
        options.setProperty("privoxyPolicy", "policy.sql");
        XAConnection xa = new CheckedSource(server.targets, options).check(real.getXAConnection(), "");
        XAResource resource = xa.getXAResource();
        var branch = new PooledConnectionTest.Branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        try (Connection handle = xa.getConnection();
                Statement query = handle.createStatement()) {
            assertThatThrownBy(() -> query.executeQuery("SELECT id AS forbidden FROM posts"))
                    .isInstanceOf(PolicyViolationException.class);
            query.executeUpdate("UPDATE posts SET author = 1 WHERE id = 11");
            resource.end(branch, XAResource.TMSUCCESS);
            resource.rollback(branch);
        }
        xa.close();
        assertThat(count(statement.executeQuery("SELECT id FROM posts WHERE author = 2")))
                .isOne();
    }

    private void read(String sql) throws SQLException {
        count(statement.executeQuery(sql));
    }

    private static int count(ResultSet rows) throws SQLException {
        try (rows) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }
}
