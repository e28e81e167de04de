package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.DatabaseServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.rowset.CachedRowSet;
import javax.sql.rowset.JdbcRowSet;
import javax.sql.rowset.RowSetProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Ways by which SQL, or what it reads, could get past the check; each test is one way, on a real server. User 2 asks;
 * note 11 is user 1's and hidden. A refusal must come before anything is executed and must not show the hidden value,
 * and the same thing with what user 2 may see must work.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HolesContract {

    static final String SECRET = "SECRET-4711";

    private static final String HIDDEN = "SELECT text FROM notes WHERE id = 11";
    private static final String OWN = "SELECT text FROM notes WHERE id = 10 AND owner_id = 2";

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW everybody AS SELECT * FROM users;
            CREATE VIEW my_notes AS SELECT * FROM notes WHERE owner_id = ?MyUId;
            CREATE VIEW my_drafts AS SELECT * FROM drafts WHERE owner_id = ?MyUId;
            CREATE VIEW shared_notes AS SELECT * FROM notes WHERE shared = TRUE;
            CREATE VIEW all_logs AS SELECT * FROM logs;
            CREATE VIEW salaries_without_amount AS SELECT id, user_id FROM salaries;
            """;

    private CheckedDatabase database;
    private Connection plain;
    private Connection connection;
    private PrivoxyRequest request;

    abstract DatabaseServer server();

    @BeforeAll
    void create() throws Exception {
        database = CheckedDatabase.on(server(), "holes", POLICY);
        database.plain()
                .execute(
                        "CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL)",
                        "CREATE TABLE notes (id BIGINT NOT NULL PRIMARY KEY, owner_id BIGINT NOT NULL,"
                                + " text VARCHAR(200) NOT NULL, shared BOOLEAN NOT NULL,"
                                + " FOREIGN KEY (owner_id) REFERENCES users (id))",
                        "CREATE TABLE logs (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(200))",
                        "CREATE TABLE drafts (id BIGINT NOT NULL PRIMARY KEY, owner_id BIGINT NOT NULL,"
                                + " text VARCHAR(200) NOT NULL)",
                        "CREATE TABLE salaries (id BIGINT NOT NULL PRIMARY KEY, user_id BIGINT NOT NULL,"
                                + " amount VARCHAR(200) NOT NULL, UNIQUE (amount))",
                        "INSERT INTO users VALUES (1, 'Ada'), (2, 'Ben')",
                        "INSERT INTO notes VALUES (9, 1, '" + SECRET + "', FALSE)",
                        "INSERT INTO notes VALUES (10, 2, 'mine', FALSE), (11, 1, '" + SECRET + "', FALSE),"
                                + " (12, 1, 'for all', TRUE)",
                        "INSERT INTO drafts VALUES (11, 1, '" + SECRET + "')",
                        "INSERT INTO logs VALUES (1, 'started')",
                        "INSERT INTO salaries VALUES (1, 1, '" + SECRET + "'), (2, 2, 'other')");
        more(database);
        plain = database.plain().connect();
        plain.setAutoCommit(false);
    }

    /** What the tests of one database need besides. */
    void more(CheckedDatabase created) throws SQLException {}

    @AfterAll
    void drop() throws Exception {
        plain.close();
        database.close();
    }

    @BeforeEach
    void connect() throws SQLException {
        connection = database.connectWatched();
        request = Privoxy.begin(Map.of("MyUId", 2L));
        database.sent().clear();
    }

    @AfterEach
    void disconnect() throws SQLException {
        request.close();
        connection.close();
    }

    final Connection connection() {
        return connection;
    }

    final CheckedDatabase database() {
        return database;
    }

    /** The database would run these texts; they are refused before it sees them. */
    final void closed(String... texts) throws SQLException {
        for (String sql : texts) {
            try (Statement statement = plain.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new AssertionError("no hole, the database does not run it: " + sql, e);
            } finally {
                plain.rollback();
            }
        }
        refused(texts);
    }

    /** These texts are refused before the database sees them. */
    final void refused(String... texts) throws SQLException {
        var open = new ArrayList<String>();
        connection.setAutoCommit(false);
        for (String sql : texts) {
            database.sent().clear();
            SQLException refusal = outcome(sql);
            if (refusal == null || database.sent().contains(sql)) {
                open.add(sql);
            } else {
                assertRefusal(sql, refusal);
                assertRefusal(sql, preparedOutcome(sql));
            }
            connection.rollback();
        }
        connection.setAutoCommit(true);
        assertThat(open).as("texts that reached the database").isEmpty();
    }

    private @Nullable SQLException outcome(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return null;
        } catch (SQLException refusal) {
            return refusal;
        }
    }

    private @Nullable SQLException preparedOutcome(String sql) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
            return null;
        } catch (SQLException refusal) {
            return refusal;
        }
    }

    static void assertRefusal(String what, @Nullable SQLException refusal) {
        assertThat((Throwable) refusal).as("open: " + what).isNotNull();
        assertThat(refusal.getSQLState())
                .as(what + " -> " + refusal.getMessage())
                .isIn("42501", "0A000", "42601", "42P01", "42703");
        assertThat((Throwable) refusal).as(what).hasMessageStartingWith("PRIVOXY-1");
        assertThat(everythingSaidBy(refusal)).as(what).doesNotContain(SECRET);
    }

    static String everythingSaidBy(Throwable failure) {
        var all = new StringWriter();
        failure.printStackTrace(new PrintWriter(all));
        if (failure instanceof SQLException sql && sql.getNextException() != null) {
            sql.getNextException().printStackTrace(new PrintWriter(all));
        }
        return all.toString();
    }

    /** A text that must work, and the first column of its rows. */
    final void allowed(String sql, String... expected) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(firstColumn(rows)).as(sql).containsExactlyInAnyOrder(expected);
        }
    }

    static List<String> firstColumn(ResultSet rows) throws SQLException {
        var values = new ArrayList<String>();
        while (rows.next()) {
            values.add(rows.getString(1));
        }
        return values;
    }

    // --- how a text is sent ------------------------------------------------------------------------------------------

    /** Every overload by which a statement runs a text. */
    interface Sending {
        void send(Connection connection, String sql) throws SQLException;
    }

    private void closedHoweverSent(Map<String, Sending> ways) {
        ways.forEach((name, way) -> {
            database.sent().clear();
            SQLException refusal = catchThrowableOfType(SQLException.class, () -> way.send(connection, HIDDEN));
            assertRefusal(name, refusal);
            assertThat(database.sent()).as(name).doesNotContain(HIDDEN);
        });
    }

    @Test
    void everyOverloadOfExecute() throws SQLException {
        try (Statement s = connection.createStatement()) {
            closedHoweverSent(Map.of(
                    "execute", (c, sql) -> s.execute(sql),
                    "execute with keys", (c, sql) -> s.execute(sql, Statement.RETURN_GENERATED_KEYS),
                    "execute with indexes", (c, sql) -> s.execute(sql, new int[] {1}),
                    "execute with names", (c, sql) -> s.execute(sql, new String[] {"text"}),
                    "executeQuery", (c, sql) -> s.executeQuery(sql)));
            assertThat(s.execute(OWN)).isTrue();
            assertThat(firstColumn(s.getResultSet())).containsExactly("mine");
        }
    }

    @Test
    void everyOverloadOfExecuteUpdate() throws SQLException {
        try (Statement s = connection.createStatement()) {
            closedHoweverSent(Map.of(
                    "executeUpdate", (c, sql) -> s.executeUpdate(sql),
                    "executeUpdate with keys", (c, sql) -> s.executeUpdate(sql, Statement.RETURN_GENERATED_KEYS),
                    "executeUpdate with indexes", (c, sql) -> s.executeUpdate(sql, new int[] {1}),
                    "executeUpdate with names", (c, sql) -> s.executeUpdate(sql, new String[] {"text"}),
                    "executeLargeUpdate", (c, sql) -> s.executeLargeUpdate(sql),
                    "executeLargeUpdate with keys",
                            (c, sql) -> s.executeLargeUpdate(sql, Statement.RETURN_GENERATED_KEYS),
                    "executeLargeUpdate with indexes", (c, sql) -> s.executeLargeUpdate(sql, new int[] {1}),
                    "executeLargeUpdate with names", (c, sql) -> s.executeLargeUpdate(sql, new String[] {"text"})));
            assertThat(s.executeUpdate("UPDATE logs SET text = 'again' WHERE id = 1"))
                    .isOne();
        }
    }

    @Test
    void everyOverloadOfCreateStatement() throws SQLException {
        int forward = ResultSet.TYPE_FORWARD_ONLY;
        int scroll = ResultSet.TYPE_SCROLL_INSENSITIVE;
        int readOnly = ResultSet.CONCUR_READ_ONLY;
        int hold = ResultSet.HOLD_CURSORS_OVER_COMMIT;
        closedHoweverSent(Map.of(
                "plain", (c, sql) -> c.createStatement().executeQuery(sql),
                "type", (c, sql) -> c.createStatement(scroll, readOnly).executeQuery(sql),
                "updatable",
                        (c, sql) -> c.createStatement(scroll, ResultSet.CONCUR_UPDATABLE)
                                .executeQuery(sql),
                "holdability",
                        (c, sql) -> c.createStatement(forward, readOnly, hold).executeQuery(sql)));
        try (Statement scrollable = connection.createStatement(scroll, readOnly);
                ResultSet rows = scrollable.executeQuery(OWN)) {
            assertThat(rows.last()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("mine");
        }
    }

    @Test
    void everyOverloadOfPrepareStatement() throws SQLException {
        int forward = ResultSet.TYPE_FORWARD_ONLY;
        int readOnly = ResultSet.CONCUR_READ_ONLY;
        int hold = ResultSet.HOLD_CURSORS_OVER_COMMIT;
        Map<String, Preparing> ways = new HashMap<>(Map.of(
                "plain", Connection::prepareStatement,
                "keys", (c, sql) -> c.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS),
                "names", (c, sql) -> c.prepareStatement(sql, new String[] {"text"}),
                "type", (c, sql) -> c.prepareStatement(sql, forward, readOnly),
                "holdability", (c, sql) -> c.prepareStatement(sql, forward, readOnly, hold)));
        ways.putAll(preparationsOfTheDriver());
        ways.forEach((name, way) -> closedHoweverSent(Map.of(
                name + " executeQuery", (c, sql) -> way.prepare(c, sql).executeQuery(),
                name + " execute", (c, sql) -> way.prepare(c, sql).execute(),
                name + " executeUpdate", (c, sql) -> way.prepare(c, sql).executeUpdate(),
                name + " executeLargeUpdate", (c, sql) -> way.prepare(c, sql).executeLargeUpdate(),
                name + " batch",
                        (c, sql) -> {
                            PreparedStatement prepared = way.prepare(c, sql);
                            prepared.addBatch();
                            prepared.executeBatch();
                        })));
        for (Preparing way : ways.values()) {
            try (PreparedStatement prepared = way.prepare(connection, OWN);
                    ResultSet rows = prepared.executeQuery()) {
                assertThat(firstColumn(rows)).containsExactly("mine");
            }
        }
    }

    /** Ways to prepare a query that not every driver takes. */
    abstract Map<String, Preparing> preparationsOfTheDriver();

    interface Preparing {
        PreparedStatement prepare(Connection connection, String sql) throws SQLException;
    }

    @Test
    void aParameterThatIsBoundAnewIsDecidedAnew() throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT text FROM notes WHERE id = ? AND owner_id = ?")) {
            prepared.setLong(1, 10);
            prepared.setLong(2, 2);
            assertThat(firstColumn(prepared.executeQuery())).containsExactly("mine");
            prepared.setLong(1, 11);
            prepared.setObject(2, 1);
            assertRefusal("another owner", catchThrowableOfType(SQLException.class, prepared::executeQuery));
            prepared.setString(2, "2");
            prepared.setNull(1, java.sql.Types.BIGINT);
            prepared.clearParameters();
            prepared.setObject(1, 10L, java.sql.Types.BIGINT);
            prepared.setObject(2, 2L);
            assertThat(firstColumn(prepared.executeQuery())).containsExactly("mine");
        }
    }

    @Test
    void batches() throws SQLException {
        String copy = "INSERT INTO logs (id, text) SELECT 100 + id, text FROM notes WHERE id = 11";
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO logs (id, text) VALUES (50, 'first')");
            statement.addBatch(copy);
            assertRefusal("batch", catchThrowableOfType(SQLException.class, statement::executeBatch));
        }
        assertThat(database.sent()).doesNotContain(copy, "INSERT INTO logs (id, text) VALUES (50, 'first')", "");
        assertThat(database.read("SELECT COUNT(*) FROM logs WHERE id >= 50")).isEqualTo("0");
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("INSERT INTO logs (id, text) VALUES (50, 'first')");
            statement.addBatch("DELETE FROM logs WHERE id = 50");
            assertThat(statement.executeLargeBatch()).containsExactly(1, 1);
        }
    }

    @Test
    void preparedBatches() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("DELETE FROM notes WHERE id = ? AND owner_id = ? AND shared = FALSE")) {
            statement.setLong(1, 404);
            statement.setLong(2, 2);
            statement.addBatch();
            statement.setLong(1, 11);
            statement.setLong(2, 1);
            statement.addBatch();
            assertRefusal("batch", catchThrowableOfType(SQLException.class, statement::executeBatch));
            statement.clearBatch();
            statement.setLong(1, 404);
            statement.setLong(2, 2);
            statement.addBatch();
            assertThat(statement.executeBatch()).containsExactly(0);
        }
        assertThat(database.read("SELECT COUNT(*) FROM notes")).isEqualTo("4");
    }

    @Test
    void severalStatementsInOneText() throws SQLException {
        refused(
                "SELECT 1; " + HIDDEN,
                HIDDEN + "; SELECT 1",
                "SELECT 1;;; " + HIDDEN + ";",
                "UPDATE logs SET text = 'x' WHERE id = 1; " + HIDDEN);
        assertThat(database.read("SELECT text FROM logs WHERE id = 1")).isNotEqualTo("x");
        allowed(OWN + ";", "mine");
    }

    @Test
    void updatableResults() throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows =
                        statement.executeQuery("SELECT id, owner_id, text, shared FROM notes WHERE owner_id = 2")) {
            assertThat(rows.next()).isTrue();
            rows.updateString("text", "changed");
            rows.updateRow();
            assertThat(database.read("SELECT text FROM notes WHERE id = 10")).isEqualTo("changed");
            rows.updateString("text", "mine");
            rows.updateRow();
            rows.updateLong("owner_id", 2);
            rows.updateRow();
            rows.updateString("text", "changed");
            // The last write made the request forget whose note it is, the others did not.
            assertRefusal("again", catchThrowableOfType(SQLException.class, rows::updateRow));
        } finally {
            database.plain().execute("UPDATE notes SET text = 'mine' WHERE id = 10");
        }
    }

    @Test
    void rowSetsOverTheUrl() throws SQLException {
        String url = database.url();
        try (JdbcRowSet rows = RowSetProvider.newFactory().createJdbcRowSet()) {
            rows.setUrl(url);
            rows.setUsername(database.plain().user());
            rows.setPassword(database.plain().password());
            rows.setCommand(HIDDEN);
            assertRefusal("JdbcRowSet", catchThrowableOfType(SQLException.class, rows::execute));
            rows.setCommand(OWN);
            rows.execute();
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("mine");
        }
        try (CachedRowSet rows = RowSetProvider.newFactory().createCachedRowSet()) {
            rows.setUrl(url);
            rows.setUsername(database.plain().user());
            rows.setPassword(database.plain().password());
            rows.setCommand(HIDDEN);
            assertRefusal("CachedRowSet", catchThrowableOfType(SQLException.class, rows::execute));
            rows.setCommand(OWN);
            rows.execute();
            assertThat(rows.size()).isOne();
        }
    }

    @Test
    void unwrap() throws SQLException {
        Class<?> real = plain.getClass();
        assertThat(connection.isWrapperFor(real)).isFalse();
        assertThatThrownBy(() -> connection.unwrap(real)).isInstanceOf(PolicyViolationException.class);
        try (Statement statement = connection.createStatement()) {
            Class<?> realStatement = plain.createStatement().getClass();
            assertThatThrownBy(() -> statement.unwrap(realStatement)).isInstanceOf(PolicyViolationException.class);
        }
        assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
    }

    @Test
    void backReferences() throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(OWN);
                ResultSet rows = prepared.executeQuery()) {
            assertThat(rows.getStatement()).isSameAs(prepared);
            assertThat(prepared.getConnection()).isSameAs(connection);
            assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
            try (ResultSet tables = connection.getMetaData().getTables(null, null, "notes", null)) {
                Statement behind = tables.getStatement();
                if (behind != null) {
                    assertRefusal(
                            "metadata", catchThrowableOfType(SQLException.class, () -> behind.executeQuery(HIDDEN)));
                    assertThat(behind.getConnection()).isSameAs(connection);
                }
            }
        }
    }

    @Test
    void theUrlOfTheMetadataOpensACheckedConnection() throws SQLException {
        assertThat(connection.getMetaData().getURL()).startsWith("jdbc:privoxy:");
    }

    @Test
    void anotherRequestWithoutContext() throws SQLException {
        request.close();
        closed(OWN, HIDDEN);
        allowed("SELECT name FROM users WHERE id = 1", "Ada");
        request = Privoxy.begin(Map.of("MyUId", 2L));
    }

    // --- what a text says --------------------------------------------------------------------------------------------

    @Test
    void theHiddenRowItself() throws SQLException {
        closed(HIDDEN, "SELECT * FROM notes", "SELECT text FROM notes WHERE owner_id = 1", "SELECT n.* FROM notes n");
        allowed("SELECT text FROM notes WHERE shared = TRUE", "for all");
    }

    @Test
    void with() throws SQLException {
        closed(
                "WITH n AS (SELECT * FROM notes) SELECT text FROM n",
                "WITH RECURSIVE n AS (SELECT id, text FROM notes UNION SELECT id, text FROM n) SELECT text FROM n",
                "WITH unused AS (SELECT text FROM notes) SELECT text FROM notes",
                "WITH users AS (SELECT text AS name FROM notes) SELECT name FROM users");
        allowed("WITH n AS (SELECT * FROM notes WHERE owner_id = 2) SELECT text FROM n", "mine");
    }

    @Test
    void setOperations() throws SQLException {
        closed(
                "SELECT id FROM notes EXCEPT SELECT id FROM notes WHERE shared = TRUE",
                "SELECT name FROM users EXCEPT SELECT text FROM notes",
                "SELECT id FROM notes INTERSECT SELECT id FROM notes",
                "SELECT name FROM users WHERE id = 1 UNION SELECT text FROM notes",
                "SELECT name FROM users UNION ALL SELECT text FROM notes",
                "SELECT id FROM users WHERE id IN (SELECT 1 UNION SELECT owner_id FROM notes WHERE shared = FALSE)");
        allowed("SELECT id FROM users UNION SELECT id FROM notes WHERE owner_id = 2", "1", "2", "10");
        allowed("SELECT id FROM users EXCEPT SELECT owner_id FROM notes WHERE shared = TRUE", "2");
    }

    @Test
    void valuesWithSubqueries() throws SQLException {
        closed("VALUES ((SELECT text FROM notes WHERE id = 11))", "SELECT (SELECT text FROM notes WHERE id = 11)");
        allowed("SELECT (SELECT name FROM users WHERE id = 1)", "Ada");
    }

    @Test
    void subqueriesInEveryClause() throws SQLException {
        closed(
                "SELECT (SELECT MAX(text) FROM notes) FROM users",
                "SELECT name FROM users WHERE id = (SELECT owner_id FROM notes WHERE id = 11)",
                "SELECT name FROM users WHERE EXISTS (SELECT 1 FROM notes WHERE owner_id = users.id AND shared = FALSE)",
                "SELECT name FROM users WHERE NOT EXISTS (SELECT 1 FROM notes WHERE owner_id = users.id)",
                "SELECT name FROM users WHERE id IN (SELECT owner_id FROM notes WHERE shared = FALSE)",
                "SELECT name FROM users WHERE id NOT IN (SELECT owner_id FROM notes)",
                "SELECT name FROM users WHERE id = ANY (SELECT owner_id FROM notes WHERE shared = FALSE)",
                "SELECT name FROM users WHERE id >= ALL (SELECT owner_id FROM notes)",
                "SELECT u.name FROM users u JOIN (SELECT owner_id FROM notes) n ON n.owner_id = u.id",
                "SELECT u.name FROM users u JOIN users v ON u.id = (SELECT MIN(id) FROM notes)",
                "SELECT u.name FROM users u LEFT JOIN notes n ON n.owner_id = u.id",
                "SELECT name FROM users ORDER BY (SELECT COUNT(*) FROM notes WHERE owner_id = users.id)",
                "SELECT id FROM users GROUP BY id HAVING COUNT(*) < (SELECT COUNT(*) FROM notes)",
                "SELECT COUNT(*) FROM users GROUP BY (SELECT text FROM notes WHERE id = 11)",
                "SELECT CASE WHEN EXISTS (SELECT 1 FROM notes WHERE text LIKE 'S%') THEN 1 ELSE 0 END",
                "SELECT COALESCE(NULL, (SELECT text FROM notes WHERE id = 11))",
                "SELECT SUM((SELECT COUNT(*) FROM notes)) OVER (ORDER BY id) FROM users",
                "SELECT name FROM users WHERE (id, name) IN (SELECT owner_id, text FROM notes)");
        allowed(
                "SELECT name FROM users WHERE EXISTS"
                        + " (SELECT 1 FROM notes WHERE owner_id = users.id AND shared = TRUE)",
                "Ada");
    }

    @Test
    void rowCounts() throws SQLException {
        closed(
                "SELECT 1 FROM notes LIMIT 1",
                "SELECT 1 FROM notes",
                "SELECT NULL FROM notes WHERE shared = FALSE",
                "SELECT COUNT(*) FROM notes",
                "SELECT COUNT(1) FROM notes WHERE owner_id = 1",
                "SELECT users.id FROM users, notes",
                "SELECT users.id FROM users CROSS JOIN notes",
                "SELECT DISTINCT users.id FROM users, notes WHERE notes.owner_id = users.id AND shared = FALSE",
                "SELECT id FROM users WHERE 3 = (SELECT COUNT(*) FROM notes)",
                "SELECT COUNT(*) FROM users u JOIN notes n ON n.owner_id = u.id",
                "SELECT MAX(1) FROM notes",
                "SELECT 1 FROM notes GROUP BY owner_id");
        allowed("SELECT COUNT(*) FROM notes WHERE owner_id = 2", "1");
    }

    @Test
    void columnsThatNoViewShows() throws SQLException {
        closed(
                "SELECT amount FROM salaries WHERE user_id = 2",
                "SELECT id FROM salaries WHERE amount = 'x'",
                "SELECT id FROM salaries ORDER BY amount",
                "SELECT id FROM salaries WHERE amount LIKE 'S%'",
                "SELECT COUNT(DISTINCT amount) FROM salaries",
                "SELECT s.* FROM salaries s");
        allowed("SELECT user_id FROM salaries", "1", "2");
    }

    @Test
    void theWordOfTheCatalogueInAText() throws SQLException {
        closed(
                "SELECT text FROM notes WHERE text <> 'INFORMATION_SCHEMA.TABLES'",
                "SELECT text AS information_schema FROM notes",
                "SELECT text FROM notes /* information_schema.tables */",
                "SELECT text FROM notes -- information_schema.tables",
                "SELECT information_schema.text FROM notes information_schema",
                "SELECT text FROM notes WHERE EXISTS (SELECT 1 FROM information_schema.tables)");
        allowed("SELECT 'information_schema' FROM users WHERE id = 1", "information_schema");
        allowed(
                "SELECT table_name FROM information_schema.tables WHERE table_name = 'notes'"
                        + " AND table_type = 'BASE TABLE' AND table_schema <> 'x'",
                "notes");
    }

    @Test
    void writesThatRead() throws SQLException {
        closed(
                "INSERT INTO logs (id, text) SELECT id, text FROM notes",
                "INSERT INTO logs (id, text) VALUES (70, (SELECT text FROM notes WHERE id = 11))",
                "UPDATE logs SET text = (SELECT text FROM notes WHERE id = 11)",
                "UPDATE logs SET text = 'x' WHERE EXISTS (SELECT 1 FROM notes WHERE text LIKE 'S%')",
                "UPDATE notes SET shared = TRUE WHERE id = 11",
                "UPDATE notes SET text = text WHERE text LIKE 'SECRET%'",
                "UPDATE notes SET owner_id = 2",
                "DELETE FROM logs WHERE text IN (SELECT text FROM notes)",
                "DELETE FROM notes WHERE text LIKE 'SECRET%'",
                "DELETE FROM notes");
        assertThat(database.read("SELECT COUNT(*) FROM notes WHERE shared = FALSE"))
                .isEqualTo("3");
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE notes SET text = 'mine' WHERE owner_id = 2"))
                    .isBetween(0, 1);
            assertThat(statement.executeUpdate(
                            "INSERT INTO logs (id, text) SELECT 70, text FROM notes WHERE owner_id = 2"))
                    .isOne();
            assertThat(statement.executeUpdate("DELETE FROM logs WHERE id = 70"))
                    .isOne();
        }
    }

    @Test
    void tablesMadeOfQueries() throws SQLException {
        refused(
                "CREATE TABLE copied AS SELECT * FROM notes",
                "CREATE TEMPORARY TABLE copied AS SELECT text FROM notes",
                "CREATE TABLE copied AS (SELECT text FROM notes)",
                "CREATE VIEW shown AS SELECT * FROM notes",
                "CREATE OR REPLACE VIEW shown AS SELECT * FROM notes");
    }

    @Test
    void statementsThatHideOtherStatements() throws SQLException {
        refused(
                "CALL shown()",
                "{call shown()}",
                "{?= call shown()}",
                "EXECUTE shown",
                "DEALLOCATE PREPARE shown; " + HIDDEN,
                "EXPLAIN SELECT * FROM notes",
                "GRANT ALL ON notes TO PUBLIC",
                "CREATE TRIGGER t AFTER INSERT ON logs FOR EACH ROW INSERT INTO logs SELECT id, text FROM notes");
    }

    @Test
    void comments() throws SQLException {
        closed(
                "/* allowed */ SELECT text FROM notes",
                "SELECT/**/text/**/FROM/**/notes",
                "SELECT text -- FROM users\nFROM notes",
                "SELECT name FROM users WHERE id = 0 /* ' */ OR EXISTS (SELECT 1 FROM notes WHERE text LIKE 'S%') /* ' */",
                "SELECT name FROM users -- */\nWHERE EXISTS (SELECT 1 FROM notes WHERE text LIKE 'S%')",
                "SELECT name FROM users WHERE name <> '/*' AND EXISTS (SELECT 1 FROM notes) AND name <> '*/'",
                "SELECT name FROM users WHERE name <> '--' AND EXISTS (SELECT 1 FROM notes)");
        allowed("SELECT name /* FROM notes */ FROM users -- , notes\nWHERE id = 1", "Ada");
    }

    @Test
    void quotesInStrings() throws SQLException {
        closed(
                "SELECT name FROM users WHERE name = '''' OR EXISTS (SELECT 1 FROM notes)",
                "SELECT name FROM users WHERE name = 'a''b' UNION SELECT text FROM notes",
                "SELECT name FROM users WHERE name = 'a'\n'b' UNION SELECT text FROM notes");
        allowed("SELECT name FROM users WHERE id = 1 AND name <> ''' UNION SELECT text FROM notes -- '", "Ada");
    }

    @Test
    void locks() throws SQLException {
        closed("SELECT text FROM notes WHERE id = 11 FOR UPDATE", "SELECT 1 FROM notes WHERE id = 11 FOR UPDATE");
        allowed(OWN + " FOR UPDATE", "mine");
    }

    // --- what the database says by itself ----------------------------------------------------------------------------

    @Test
    void valuesInTheDatabasesErrors() throws SQLException {
        // Each is allowed or refused; what the database says about other people's rows on the way must not get out.
        for (String sql : errorsWithValues()) {
            try (Statement statement = plain.createStatement()) {
                String said = everythingSaid(statement, sql);
                assertThat(said).as("a test that can fail: " + sql).contains(SECRET);
            } finally {
                plain.rollback();
            }
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                assertThat(everythingSaid(statement, sql)).as(sql).doesNotContain(SECRET);
            }
            connection.rollback();
        }
    }

    /** Statements on which the database complains with a value. */
    abstract List<String> errorsWithValues();

    private String everythingSaid(Statement statement, String sql) throws SQLException {
        var said = new StringBuilder();
        try {
            if (statement.execute(sql)) {
                firstColumn(statement.getResultSet());
            }
        } catch (SQLException e) {
            said.append(everythingSaidBy(e));
        }
        Connection from = statement.getConnection();
        for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
            said.append(everythingSaidBy(w));
        }
        for (SQLWarning w = from.getWarnings(); w != null; w = w.getNextWarning()) {
            said.append(everythingSaidBy(w));
        }
        return said.toString();
    }
}
