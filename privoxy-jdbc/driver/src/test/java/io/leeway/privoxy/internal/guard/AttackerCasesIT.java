package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.testkit.Depth;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ways past the policy that somebody found who looked for them: each was open once. */
class AttackerCasesIT extends Cases {

    private static final String EMAIL_OR_TEXT = "SELECT id, \"email\" AS q FROM users";

    // --- statements that outlive the settings under which they were prepared -----------------------------------------

    @Test
    void aPlaceOfAParameterDoesNotOutliveTheModeInWhichItWasFound() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect();
        request(1);
        String sql = "SELECT id, 'a\\' AS b, ' || ? || ' AS c -- '\nFROM users WHERE id = 1";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            run(connection, "SET sql_mode='NO_BACKSLASH_ESCAPES'");
            statement.setString(1, ", (SELECT email FROM users WHERE id=2), ");
            assertRefused(statement);
        }
    }

    @Test
    void aDriversCacheDoesNotCarryAStatementIntoAnotherMode() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect("useServerPrepStmts", "true");
        request(1);
        run(connection, "SET sql_mode='ANSI_QUOTES'");
        try (PreparedStatement statement = connection.prepareStatement(EMAIL_OR_TEXT)) {
            statement.getMetaData();
            assertRefused(statement);
        }
        run(connection, "SET sql_mode=''");
        try (PreparedStatement statement = connection.prepareStatement(EMAIL_OR_TEXT);
                ResultSet rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(2)).isEqualTo("email");
        }
    }

    @Test
    void aStatementThatTheServerKeepsIsFoundAgainInTheSameMode() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect("useServerPrepStmts", "true");
        request(1);
        for (int i = 0; i < 3; i++) {
            try (PreparedStatement statement = connection.prepareStatement("SELECT name FROM users WHERE id = ?")) {
                statement.setInt(1, 2);
                try (ResultSet rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("Bob");
                }
            }
        }
    }

    @Test
    void aStatementDoesNotOutliveTheSchemaInWhichItsNamesWereFound() throws SQLException {
        on(On.H2);
        elsewhere(
                "CREATE SCHEMA s",
                "CREATE TABLE s.notes (id BIGINT PRIMARY KEY, author BIGINT, text VARCHAR(50))",
                "INSERT INTO s.notes VALUES (1, 2, 'SECRET')");
        Connection connection = connect();
        request(1);
        connection.setSchema("S");
        try (PreparedStatement read = connection.prepareStatement("SELECT id, text FROM notes");
                PreparedStatement write = connection.prepareStatement("UPDATE notes SET author = 5 WHERE id = 1")) {
            connection.setSchema("PUBLIC");
            assertRefused(read);
            assertThatThrownBy(write::executeUpdate).isInstanceOf(PrivoxyException.class);
            assertThatThrownBy(read::getMetaData).isInstanceOf(PrivoxyException.class);
        }
        try (PreparedStatement read = connection.prepareStatement("SELECT id, text FROM notes");
                ResultSet rows = read.executeQuery()) {
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void aStatementOfTheServersDoesNotOutliveTheCatalogue() throws SQLException {
        on(On.MARIADB);
        Connection connection = connect("useServerPrepStmts", "true");
        String own = connection.getCatalog();
        String other = own + "_s";
        elsewhere("CREATE DATABASE " + other, "CREATE TABLE " + other + ".notes AS SELECT 1 AS id, 'SECRET' AS text");
        opened(() -> elsewhere("DROP DATABASE " + other));
        request(1);
        connection.setCatalog(other);
        try (PreparedStatement statement = connection.prepareStatement("SELECT id, text FROM notes")) {
            statement.getMetaData();
            connection.setCatalog(own);
            assertRefused(statement);
        }
        try (PreparedStatement statement = connection.prepareStatement("SELECT id, text FROM notes")) {
            connection.setCatalog(other);
            assertThatThrownBy(statement::getMetaData).isInstanceOf(PrivoxyException.class);
        }
    }

    // --- conflicts with rows that are there --------------------------------------------------------------------------

    private static final String SETTINGS = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW shown AS SELECT id, label FROM settings;
            """;

    @Test
    void aKeyWithAConstantDefaultIsAskedFor() throws SQLException {
        on(On.POSTGRESQL, SETTINGS);
        elsewhere(
                "CREATE TABLE settings (id INT PRIMARY KEY DEFAULT 1, label VARCHAR(50), secret VARCHAR(50))",
                "INSERT INTO settings VALUES (1, 'x', 'SECRET')");
        refusesConflictsOf("settings", "(label) VALUES ('y')");
        refusesConflictsOf("settings", "(id, label) VALUES (DEFAULT, 'y')");
    }

    @Test
    void aKeyFromASequenceThatLagsBehindIsAskedFor() throws SQLException {
        on(On.POSTGRESQL, SETTINGS);
        elsewhere(
                "CREATE SEQUENCE sq",
                "CREATE TABLE settings (id INT PRIMARY KEY DEFAULT nextval('sq'), label VARCHAR(50), secret VARCHAR(50))",
                "INSERT INTO settings VALUES (1, 'x', 'SECRET')");
        refusesConflictsOf("settings", "(label) VALUES ('y')");
    }

    private void refusesConflictsOf(String table, String row) throws SQLException {
        Connection connection = connect();
        request(1);
        String insert = "INSERT INTO " + table + row + " ON CONFLICT (id) DO ";
        assertRefusedWrite(connection, insert + "UPDATE SET label = " + table + ".secret");
        assertRefusedWrite(connection, insert + "UPDATE SET label = 'z' RETURNING secret");
        assertThat(rows(connection, "SELECT label FROM " + table)).containsExactly("x");
    }

    @Test
    void aUniqueIndexWithAnotherEqualityIsAskedFor() throws SQLException {
        on(On.POSTGRESQL, SETTINGS);
        elsewhere(
                "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                "CREATE TABLE settings (id INT UNIQUE, code TEXT UNIQUE, label VARCHAR(50), secret VARCHAR(50))",
                "CREATE UNIQUE INDEX other ON settings (code COLLATE nocase)",
                "INSERT INTO settings VALUES (1, 'K', 'x', 'SECRET')");
        Connection connection = connect();
        request(1);
        String insert = "INSERT INTO settings(code, label) VALUES ('k', 'y') ON CONFLICT (code) DO ";
        assertRefusedWrite(connection, insert + "UPDATE SET label = settings.secret");
        assertRefusedWrite(connection, insert + "UPDATE SET label = 'z' RETURNING secret");
    }

    @Test
    void aKeyThatMariaDbComputesOrFillsInIsAskedFor() throws SQLException {
        for (String columns : new String[] {
            "id INT PRIMARY KEY DEFAULT 1, code VARCHAR(50)",
            "id INT AUTO_INCREMENT PRIMARY KEY, code VARCHAR(50), lo VARCHAR(50) AS (lower(code)) STORED UNIQUE",
            "id INT AUTO_INCREMENT PRIMARY KEY, code VARCHAR(50), UNIQUE (code(3))"
        }) {
            on(On.MARIADB, SETTINGS);
            elsewhere(
                    "CREATE TABLE settings (" + columns + ", label VARCHAR(50), secret VARCHAR(50))",
                    "INSERT INTO settings(code, label, secret) VALUES ('KEYQ', 'x', 'SECRET')",
                    "CREATE VIEW way AS SELECT * FROM settings");
            Connection connection = connect();
            request(1);
            for (String table : new String[] {"settings", "way"}) {
                String insert = "INSERT INTO " + table + "(code, label) VALUES ('keyq', 'y') ";
                assertRefusedWrite(connection, insert + "ON DUPLICATE KEY UPDATE label = secret");
                assertRefusedWrite(connection, insert + "ON DUPLICATE KEY UPDATE label = 'z' RETURNING secret");
            }
            assertRefusedWrite(connection, "SET insert_id = 1");
            assertThat(rows(connection, "SELECT label FROM settings")).containsExactly("x");
        }
    }

    @Test
    void aNumberThatTheDatabaseMakesIsNoKeyOfAnotherRow() throws SQLException {
        on(On.MARIADB, SETTINGS);
        elsewhere("CREATE TABLE settings (id INT AUTO_INCREMENT PRIMARY KEY, label VARCHAR(50), secret VARCHAR(50))");
        Connection connection = connect();
        request(1);
        run(connection, "INSERT IGNORE INTO settings(label) VALUES ('y')");
        assertThat(rows(connection, "SELECT label FROM settings")).containsExactly("y");
    }

    // --- changes of the schema ---------------------------------------------------------------------------------------

    @Test
    void aColumnWithTheNameOfAConstantIsAColumn() throws SQLException {
        for (String name : new String[] {
            "value", "x", "n", "e", "date", "time", "year", "day", "user", "session_user", "timestamp", "uuid", "next"
        }) {
            on(On.MARIADB, "CREATE VIEW shown AS SELECT id, label FROM kv;");
            elsewhere(
                    "CREATE TABLE kv (id INT PRIMARY KEY, label VARCHAR(50), `" + name + "` VARCHAR(50))",
                    "INSERT INTO kv VALUES (1, 'l', 'SECRET')");
            Connection connection = connect();
            request(1);
            for (String value : new String[] {
                "(" + name + ")", "concat(" + name + ")", "(substring('aaaa' from 1 for " + name + "))"
            }) {
                assertRefusedWrite(connection, "ALTER TABLE kv ADD COLUMN more VARCHAR(50) DEFAULT " + value);
                assertRefusedWrite(connection, "ALTER TABLE kv ALTER COLUMN label SET DEFAULT " + value);
            }
            run(connection, "ALTER TABLE kv ADD COLUMN made TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL");
        }
    }

    @Test
    void anIndexTellsNothingByItsErrors() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        for (String index : new String[] {
            "(ln(case when email like 'S%' then 0 else 1 end))",
            "(sqrt(salary - 150))",
            "(chr(salary - 200))",
            "((salary * 10000000))",
            "(id) WHERE sqrt(salary - 150) > 0",
            "(id) WHERE salary * 10000000 > 0",
            "(id) WHERE email LIKE 'S\\'"
        }) {
            assertRefusedWrite(connection, "CREATE INDEX i ON users " + index);
        }
        run(
                connection,
                "CREATE INDEX a ON users (name, id DESC NULLS LAST)",
                "CREATE INDEX b ON users (lower(email))",
                "CREATE INDEX c ON users (id) WHERE name = 'Ada' AND id > 1",
                "CREATE UNIQUE INDEX d ON users (id) WHERE email IS NOT NULL");
    }

    @Test
    void aForeignKeyThatRowsNeedNotObeyIsRefused() throws SQLException {
        on(On.H2, "CREATE VIEW all_ch AS SELECT * FROM ch;");
        elsewhere(
                "CREATE TABLE sec (code VARCHAR(50) PRIMARY KEY)",
                "INSERT INTO sec VALUES ('SECRET')",
                "CREATE TABLE ch (code VARCHAR(50))");
        Connection connection = connect();
        request(1);
        run(connection, "INSERT INTO ch VALUES ('SECRET'), ('GUESS')");
        assertRefusedWrite(
                connection, "ALTER TABLE ch ADD CONSTRAINT f FOREIGN KEY (code) REFERENCES sec(code) NOCHECK");
        elsewhere("DELETE FROM ch", "ALTER TABLE ch ADD CONSTRAINT f FOREIGN KEY (code) REFERENCES sec(code)");
        assertRefusedWrite(connection, "ALTER TABLE ch SET REFERENTIAL_INTEGRITY FALSE");
        assertRefusedWrite(connection, "SET REFERENTIAL_INTEGRITY FALSE");
    }

    // --- names of WITH -----------------------------------------------------------------------------------------------

    @Test
    void aNameOfWithIsNotATableThatTheDatabasePrefers() throws SQLException {
        for (On where : On.values()) {
            on(where);
            Connection connection = connect();
            request(1);
            for (String sql : new String[] {
                "WITH users AS (SELECT id, name FROM users) SELECT * FROM users",
                "SELECT * FROM (WITH posts AS (SELECT id FROM posts WHERE public = TRUE) SELECT * FROM posts) z",
                "WITH posts(id) AS (SELECT id FROM posts WHERE public = TRUE) SELECT * FROM posts",
                "SELECT name FROM users WHERE id IN (WITH posts AS (SELECT 1 AS id) SELECT id FROM posts)"
            }) {
                if (where == On.H2) {
                    assertRefused(connection, sql);
                } else {
                    assertThat(rows(connection, sql)).as(sql).noneMatch(row -> row.contains("SECRET"));
                }
            }
            assertThat(rows(connection, "WITH mine AS (SELECT id, name FROM users) SELECT * FROM mine WHERE id = 2"))
                    .containsExactly("2,Bob");
        }
    }

    @Test
    void aTableThatComesUnderANameOfWithIsNoticed() throws SQLException {
        on(On.H2);
        Connection connection = connect();
        request(1);
        String sql = "WITH fresh AS (SELECT id, name FROM users) SELECT * FROM fresh";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
            }
            elsewhere("CREATE TABLE fresh (id INT, name VARCHAR(50))", "INSERT INTO fresh VALUES (1, 'SECRET')");
            // Whoever changes the schema has it looked at again.
            run(connection, "CREATE TABLE another (id INT)");
            assertRefused(statement);
        }
    }

    @Test
    void whatATableOfTheSessionSaysUnderANameOfWithIsNoFact() throws SQLException {
        on(On.H2);
        Connection connection = connect();
        request(1);
        assertThat(rows(
                        connection,
                        "WITH t AS (SELECT user_id, event_id FROM members WHERE user_id = 1)"
                                + " SELECT user_id, event_id FROM t"))
                .containsExactly("1,7");
        assertRefused(connection, "SELECT title FROM events WHERE id = 7");
    }

    @Test
    void aRecursiveNameWithoutABeginningIsRefusedAsSuch() throws SQLException {
        for (On where : On.values()) {
            on(where);
            Connection connection = connect();
            request(1);
            assertThatThrownBy(() -> rows(
                            connection, "WITH RECURSIVE users AS (SELECT id, name FROM users) SELECT * FROM users"))
                    .isInstanceOf(UnsupportedQueryException.class);
        }
    }

    @Test
    void whatATableOfTheSessionSaysIsNoFact() throws SQLException {
        for (On where : On.values()) {
            on(where);
            Connection connection = connect();
            Connection another = connect();
            request(1);
            String mine = "SELECT user_id, event_id, role FROM members WHERE user_id = 1";
            run(connection, "CREATE TEMPORARY TABLE a (i INT)");
            rows(connection, mine);
            try (PreparedStatement statement = connection.prepareStatement(mine)) {
                rows(statement);
                quietly(
                        connection,
                        "CREATE TEMPORARY TABLE members AS SELECT 1 AS user_id, 8 AS event_id, 'x' AS role");
                rows(another, mine);
                quietly(connection, mine);
                rows(statement);
            }
            assertRefused(connection, "SELECT title FROM events WHERE id = 8");
        }
    }

    private static void quietly(Connection connection, String sql) {
        try {
            run(connection, sql);
        } catch (SQLException refusedOrNot) {
            // What may not be done does no harm.
        }
    }

    private static void rows(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                rows.getString(1);
            }
        } catch (SQLException refused) {
            assertThat((Throwable) refused).isInstanceOf(PrivoxyException.class);
        }
    }

    // --- counts ------------------------------------------------------------------------------------------------------

    @Test
    void aCountDoesNotTellWhetherAGuessIsRight() throws SQLException {
        on(On.MARIADB, SETTINGS);
        elsewhere(
                "CREATE TABLE settings (id INT PRIMARY KEY, label VARCHAR(50), secret VARCHAR(50))",
                "INSERT INTO settings VALUES (1, 'x', 'SECRET')");
        Connection connection = connect();
        request(1);
        assertRefusedWrite(
                connection,
                "INSERT INTO settings(id, label) VALUES (1, 'x') ON DUPLICATE KEY UPDATE secret = 'SECRET'");
        assertRefusedWrite(
                connection,
                "INSERT INTO settings VALUES (1, 'x', 'y') ON DUPLICATE KEY UPDATE label = 'x', secret = values(secret)");
        assertRefusedWrite(connection, "REPLACE INTO settings VALUES (1, 'x', 'SECRET')");
        run(
                connection,
                "INSERT INTO settings(id, label) VALUES (1, 'y') ON DUPLICATE KEY UPDATE label = values(label)");
        assertThat(rows(connection, "SELECT label FROM settings")).containsExactly("y");
        assertThatThrownBy(() -> {
                    try (Connection other = connect("useAffectedRows", "true")) {
                        run(other, "UPDATE settings SET secret = 'SECRET' WHERE id = 1");
                    }
                })
                .isInstanceOf(PrivoxyException.class)
                .hasMessageContaining("useAffectedRows");
    }

    @Test
    void theTimeOfAnUpdateDoesNotTellWhetherAGuessIsRight() throws SQLException {
        for (On where : new On[] {On.MARIADB, On.H2}) {
            on(where, "CREATE CONTEXT MyUId BIGINT;\nCREATE VIEW shown AS SELECT id, label, made FROM settings;");
            elsewhere(
                    "CREATE TABLE settings (id INT PRIMARY KEY, label VARCHAR(50), secret VARCHAR(50),"
                            + " made TIMESTAMP(6) DEFAULT '2000-01-01 00:00:00' ON UPDATE CURRENT_TIMESTAMP(6))",
                    "INSERT INTO settings(id, label, secret) VALUES (1, 'x', 'SECRET')");
            Connection connection = connect();
            request(1);
            assertRefusedWrite(connection, "UPDATE settings SET secret = 'SECRET' WHERE id = 1");
            run(
                    connection,
                    "UPDATE settings SET label = 'y' WHERE id = 1",
                    "UPDATE settings SET secret = 'SECRET', made = now() WHERE id = 1");
        }
    }

    @Test
    void aChangeOfTheSchemaDoesNotCountRows() throws SQLException {
        for (On where : new On[] {On.MARIADB, On.H2}) {
            on(where);
            Connection connection = connect();
            request(1);
            String[] changes = where == On.H2
                    ? new String[] {"TRUNCATE TABLE members", "CREATE INDEX i ON posts (title)"}
                    : new String[] {
                        "ALTER TABLE posts FORCE, ALGORITHM=COPY", "CREATE INDEX i ON posts (title) ALGORITHM=COPY"
                    };
            try (Statement statement = connection.createStatement()) {
                assertThat(statement.executeUpdate(changes[0])).isZero();
                assertThat(statement.execute(changes[1])).isFalse();
                assertThat(statement.getUpdateCount()).isZero();
                assertThat(statement.getMoreResults()).isFalse();
                assertThat(statement.getUpdateCount()).isEqualTo(-1);
                elsewhere("DELETE FROM members", "INSERT INTO members VALUES (1, 7, 'guest'), (2, 8, 'owner')");
                statement.addBatch(changes[0]);
                assertThat(statement.executeBatch()).containsExactly(0);
                elsewhere("DELETE FROM members", "INSERT INTO members VALUES (1, 7, 'guest'), (2, 8, 'owner')");
                statement.addBatch(changes[0]);
                statement.addBatch("DROP TABLE nothing_of_the_kind");
                assertThatThrownBy(statement::executeBatch)
                        .isInstanceOfSatisfying(
                                BatchUpdateException.class,
                                failed -> assertThat(IntStream.of(failed.getUpdateCounts()))
                                        .allMatch(count -> count <= 0));
            }
        }
    }

    @Test
    void whereWritesAreRefusedTablesAreNotEmptied() throws SQLException {
        for (On where : On.values()) {
            on(where);
            Connection connection = connect("privoxyWrites", "refuse");
            request(1);
            for (String sql : new String[] {
                "TRUNCATE TABLE notes",
                "DROP TABLE notes",
                "ALTER TABLE notes DROP COLUMN text",
                "CREATE TABLE x (id INT)"
            }) {
                assertRefusedWrite(connection, sql);
            }
            assertThat(rows(connection, "SELECT text FROM notes")).isEmpty();
        }
    }

    // --- nulls in keys -----------------------------------------------------------------------------------------------

    @Test
    void aNullStrikesTheRowThatHasOneWhereKeysSaySo() throws SQLException {
        on(On.POSTGRESQL, SETTINGS);
        elsewhere(
                "CREATE TABLE settings (id SERIAL, code TEXT UNIQUE NULLS NOT DISTINCT, label VARCHAR(50), secret TEXT)",
                "INSERT INTO settings(code, label, secret) VALUES (NULL, 'x', 'SECRET')");
        Connection connection = connect();
        request(1);
        String insert = "INSERT INTO settings(code, label) VALUES (NULL, 'y') ON CONFLICT (code) DO ";
        assertRefusedWrite(connection, insert + "UPDATE SET label = settings.secret");
        assertRefusedWrite(connection, insert + "UPDATE SET label = 'z' RETURNING secret");
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO settings(code, label) VALUES (?, 'y') ON CONFLICT (code) DO UPDATE SET label = settings.secret")) {
            statement.setString(1, null);
            assertThatThrownBy(statement::executeUpdate).isInstanceOf(PrivoxyException.class);
        }
    }

    @Test
    void aNullStrikesTheRowWithTheValueThatMariaDbPutsInItsPlace() throws SQLException {
        on(On.MARIADB, """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW own AS SELECT id, label FROM settings WHERE id = ?MyUId;
            """);
        elsewhere(
                "CREATE TABLE settings (id INT PRIMARY KEY, label VARCHAR(50), secret VARCHAR(50))",
                "INSERT INTO settings VALUES (0, 'SECRET', 'SECRET')");
        Connection connection = connect();
        request(1);
        assertRefusedWrite(connection, "INSERT IGNORE INTO settings(id, label) VALUES (NULL, 'y')");
        run(connection, "SET sql_mode=''");
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO settings(id, label) VALUES (?, 'y'), (?, 'z') ON DUPLICATE KEY UPDATE label = label")) {
            statement.setObject(1, null);
            statement.setInt(2, 1);
            assertThatThrownBy(statement::executeUpdate).isInstanceOf(PrivoxyException.class);
            statement.setInt(1, 1);
            statement.executeUpdate();
        }
        assertThat(rows(connection, "SELECT label FROM settings WHERE id = 1")).containsExactly("y");
    }

    // --- two threads on one connection -------------------------------------------------------------------------------

    @Test
    void whatIsCheckedIsRunWhateverAnotherThreadSetsMeanwhile() throws Exception {
        for (On where : On.values()) {
            on(where);
            Connection connection = connect();
            request(1);
            try (PreparedStatement statement = connection.prepareStatement("SELECT email FROM users WHERE id = ?")) {
                statement.setLong(1, 1);
                var ended = new AtomicBoolean();
                CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
                    for (long i = 0; !ended.get(); i++) {
                        set(statement, 1 + i % 2);
                    }
                });
                for (int i = 0; i < Depth.of(300, 50_000); i++) {
                    try (ResultSet rows = statement.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getString(1)).isEqualTo("ada@x");
                    } catch (PolicyViolationException refused) {
                        // The parameter was that of the other user.
                    }
                }
                ended.set(true);
                other.get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static void set(PreparedStatement statement, long user) {
        try {
            statement.setLong(1, user);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void aRowIsRecordedAsTheOneRowThatItIs() throws Exception {
        on(On.H2);
        elsewhere("INSERT INTO members SELECT 1, x + 100, 'guest' FROM system_range(1, 100)");
        Connection connection = connect();
        for (int i = 0; i < Depth.of(5, 500); i++) {
            try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1L));
                    Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("SELECT user_id, event_id, role FROM members WHERE user_id = 1")) {
                assertThat(request).isNotNull();
                CompletableFuture<Void> other = CompletableFuture.runAsync(() -> readAll(rows));
                readAll(rows);
                other.get(60, TimeUnit.SECONDS);
                assertRefused(connection, "SELECT title FROM events WHERE id = 8");
            }
        }
    }

    private static void readAll(ResultSet rows) {
        try {
            while (rows.next()) {
                rows.getRow();
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void assertRefused(PreparedStatement statement) {
        assertThatThrownBy(() -> {
                    try (ResultSet rows = statement.executeQuery()) {
                        assertThat(rows.next()).isFalse();
                    }
                })
                .isInstanceOf(SQLException.class)
                .isInstanceOf(PrivoxyException.class);
    }
}
