package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ways past the policy that a second attacker found: each was open once. */
class SecondAttackIT extends Cases {

    private static final String OTHERS =
            "CREATE VIEW own AS SELECT * FROM settings WHERE id <> 1; CREATE VIEW l AS SELECT label, id FROM settings;";
    private static final String[] SETTINGS = {
        "CREATE TABLE settings (id INT PRIMARY KEY, label VARCHAR(50), secret VARCHAR(50))",
        "INSERT INTO settings VALUES (1, 'x', 'SECRET'), (2, 'm', 'mine')"
    };

    // --- the key that is stored is not the key that is given ---------------------------------------------------------

    @Test
    void aKeyThatIsRoundedMayStrikeAnyRow() throws SQLException {
        for (On where : List.of(On.POSTGRESQL, On.MARIADB)) {
            on(where, OTHERS);
            elsewhere(SETTINGS);
            Connection connection = connect();
            request(1);
            String clause = where == On.POSTGRESQL ? " ON CONFLICT (id) DO UPDATE SET " : " ON DUPLICATE KEY UPDATE ";
            String old = where == On.POSTGRESQL ? "settings.secret" : "secret";
            for (String key : new String[] {"1.4", "0.6", "'1'", "1 + 0.4", "CAST(1.4 AS DECIMAL(5, 1))", "1e0"}) {
                assertRefusedWrite(
                        connection,
                        "INSERT INTO settings(id, label) VALUES (" + key + ", 'y')" + clause + "label = " + old);
            }
            try (PreparedStatement write = connection.prepareStatement(
                    "INSERT INTO settings(id, label) VALUES (?, 'y')" + clause + "label = " + old)) {
                for (Object key : new Object[] {new BigDecimal("1.4"), 1.4d, 4294967297L, "1"}) {
                    write.setObject(1, key);
                    assertThatThrownBy(write::executeUpdate)
                            .as(where + " " + key)
                            .isInstanceOf(PrivoxyException.class);
                }
                write.setInt(1, 2);
                write.executeUpdate();
            }
            if (where == On.MARIADB) {
                assertRefusedWrite(connection, "REPLACE INTO settings VALUES (1.4, 'x', 'SECRET')");
            }
            assertThat(rows(connection, "SELECT label FROM settings WHERE id = 2"))
                    .containsExactly("mine");
        }
    }

    @Test
    void aKeyThatIsRoundedIsNotTheRowThatH2Writes() throws SQLException {
        on(On.H2, "CREATE VIEW own AS SELECT * FROM settings WHERE id <> 1;");
        elsewhere(SETTINGS);
        Connection connection = connect();
        request(1);
        assertRefusedWrite(connection, "MERGE INTO settings(id, label) KEY (id) VALUES (1.4, 'y')");
        run(connection, "MERGE INTO settings(id, label) KEY (id) VALUES (2, 'y')");
    }

    @Test
    void aKeyThatIsCutMayStrikeAnyRow() throws SQLException {
        for (On where : List.of(On.POSTGRESQL, On.MARIADB)) {
            String collation = where == On.MARIADB ? " CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin" : "";
            on(
                    where,
                    "CREATE CONTEXT MyUId BIGINT; CREATE CONTEXT Me VARCHAR(50);"
                            + "CREATE VIEW own AS SELECT * FROM settings WHERE code = ?Me;"
                            + "CREATE VIEW neq AS SELECT * FROM settings WHERE code <> 'adm';"
                            + "CREATE VIEW l AS SELECT label, code FROM settings;");
            elsewhere(
                    "CREATE TABLE settings (code VARCHAR(3)" + collation
                            + " PRIMARY KEY, label VARCHAR(50), secret VARCHAR(50))",
                    "INSERT INTO settings VALUES ('adm', 'x', 'SECRET')");
            Connection connection = connect();
            opened(Privoxy.begin(Map.of("Me", "adm  ")));
            String clause = where == On.POSTGRESQL
                    ? " ON CONFLICT (code) DO UPDATE SET label = settings.secret"
                    : " ON DUPLICATE KEY UPDATE label = secret";
            assertRefusedWrite(connection, "INSERT INTO settings(code, label) VALUES ('adm  ', 'y')" + clause);
            assertRefusedWrite(connection, "INSERT INTO settings(code, label) VALUES ('adm ', 'y')" + clause);
            run(connection, "INSERT INTO settings(code, label) VALUES ('bob', 'y')" + clause);
        }
    }

    @Test
    void aKeyThatIsRoundedInTimeOrScaleMayStrikeAnyRow() throws SQLException {
        for (On where : List.of(On.POSTGRESQL, On.MARIADB)) {
            String[][] keys = {
                {
                    where == On.MARIADB ? "DATETIME" : "TIMESTAMP(0)",
                    "TIMESTAMP '2020-01-01 00:00:00'",
                    "'2020-01-01 00:00:00.4'",
                    "TIMESTAMP '2020-01-01 00:00:00.4'"
                },
                {"NUMERIC(4, 1)", "1.5", "1.52", "1.4999"},
                {where == On.MARIADB ? "TIME" : "TIME(0)", "TIME '00:00:00'", "'00:00:00.3'", "TIME '00:00:00.3'"}
            };
            for (String[] key : keys) {
                on(
                        where,
                        "CREATE VIEW own AS SELECT * FROM settings WHERE k <> " + key[1]
                                + "; CREATE VIEW l AS SELECT label, k FROM settings;");
                elsewhere(
                        "CREATE TABLE settings (k " + key[0] + " PRIMARY KEY, label VARCHAR(50), secret VARCHAR(50))",
                        "INSERT INTO settings VALUES (" + key[1] + ", 'x', 'SECRET')");
                Connection connection = connect();
                request(1);
                String clause = where == On.POSTGRESQL
                        ? " ON CONFLICT (k) DO UPDATE SET label = settings.secret"
                        : " ON DUPLICATE KEY UPDATE label = secret";
                for (String value : List.of(key[2], key[3])) {
                    assertRefusedWrite(
                            connection, "INSERT INTO settings(k, label) VALUES (" + value + ", 'y')" + clause);
                }
            }
        }
    }

    @Test
    void aKeyThatLosesItsBlanksMayStrikeAnyRow() throws SQLException {
        on(
                On.MARIADB,
                "CREATE CONTEXT Me VARCHAR(50); CREATE VIEW own AS SELECT * FROM settings WHERE code = ?Me;"
                        + "CREATE VIEW l AS SELECT label, code FROM settings;");
        elsewhere(
                "CREATE TABLE settings (code CHAR(5) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PRIMARY KEY,"
                        + " label VARCHAR(50), secret VARCHAR(50))",
                "INSERT INTO settings VALUES ('bob', 'x', 'SECRET')");
        Connection connection = connect();
        opened(Privoxy.begin(Map.of("Me", "bob ")));
        assertRefusedWrite(
                connection,
                "INSERT INTO settings(code, label) VALUES ('bob ', 'y') ON DUPLICATE KEY UPDATE label = secret");
    }

    @Test
    void aKeyThatIsOverriddenIsNotGiven() throws SQLException {
        on(On.POSTGRESQL, OTHERS);
        elsewhere(
                "CREATE TABLE settings (id INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, label VARCHAR(50),"
                        + " secret VARCHAR(50))",
                "INSERT INTO settings VALUES (1, 'x', 'SECRET')");
        Connection connection = connect();
        request(1);
        assertRefusedWrite(
                connection,
                "INSERT INTO settings(id, label) OVERRIDING USER VALUE VALUES (7, 'y')"
                        + " ON CONFLICT (id) DO UPDATE SET label = settings.secret");
    }

    // --- what new rows strike, and what they copy --------------------------------------------------------------------

    @Test
    void anExclusionConstraintIsStruckToo() throws SQLException {
        on(On.POSTGRESQL, "CREATE VIEW l AS SELECT id, label FROM settings;");
        elsewhere(
                "CREATE TABLE settings (id INT PRIMARY KEY, label VARCHAR(50), secret VARCHAR(50),"
                        + " EXCLUDE USING hash (secret WITH =))",
                "INSERT INTO settings VALUES (1, 'x', 'SECRET')");
        Connection connection = connect();
        request(1);
        assertRefusedWrite(connection, "INSERT INTO settings VALUES (50, 'a', 'SECRET') ON CONFLICT DO NOTHING");
        run(connection, "INSERT INTO settings VALUES (50, 'a', 'b') ON CONFLICT (id) DO NOTHING");
    }

    @Test
    void aDefaultThatIsComputedReadsWhatItIsComputedFrom() throws SQLException {
        on(On.MARIADB, "CREATE VIEW l AS SELECT id, label, plain FROM settings;");
        elsewhere(
                "CREATE TABLE settings (id INT PRIMARY KEY, secret VARCHAR(50),"
                        + " label VARCHAR(50) DEFAULT (concat(secret, '')), plain VARCHAR(9) DEFAULT 'p')",
                "INSERT INTO settings(id, secret, label) VALUES (1, 'SECRET', 'x')");
        Connection connection = connect();
        request(1);
        assertRefusedWrite(connection, "UPDATE settings SET label = DEFAULT WHERE id = 1");
        assertRefusedWrite(
                connection, "INSERT INTO settings(id, label) VALUES (1, 'q') ON DUPLICATE KEY UPDATE label = DEFAULT");
        assertRefusedWrite(connection, "UPDATE settings SET label = DEFAULT(label) WHERE id = 1");
        run(
                connection,
                "UPDATE settings SET plain = DEFAULT WHERE id = 1",
                "INSERT INTO settings(id, label, secret) VALUES (2, DEFAULT, 'own')");
        assertThat(rows(connection, "SELECT id, label FROM settings")).noneMatch(row -> row.contains("SECRET"));
    }

    @Test
    void aCascadeIsAWriteOfTheRowsThatItReaches() throws SQLException {
        for (On where : On.values()) {
            on(
                    where,
                    "CREATE CONTEXT MyUId BIGINT; CREATE VIEW people AS SELECT id, name FROM persons;"
                            + "CREATE VIEW mine AS SELECT * FROM papers WHERE author_id = ?MyUId;");
            elsewhere(
                    "CREATE TABLE persons (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL)",
                    "CREATE TABLE papers (id BIGINT PRIMARY KEY, author_id BIGINT, title VARCHAR(50),"
                            + " FOREIGN KEY (author_id) REFERENCES persons (id) ON UPDATE CASCADE)",
                    "INSERT INTO persons VALUES (1, 'Ada'), (2, 'Bob')",
                    "INSERT INTO papers VALUES (2, 2, 'SECRET')");
            Connection connection = connect();
            request(1);
            assertRefusedWrite(connection, "UPDATE papers SET author_id = 1 WHERE author_id = 2");
            assertRefusedWrite(connection, "UPDATE persons SET id = 1 WHERE id = 2");
            assertRefusedWrite(connection, "UPDATE persons SET id = 1, name = 'x' WHERE name = 'Bob'");
            run(connection, "UPDATE persons SET name = 'Eve' WHERE id = 2");
        }
    }

    @Test
    void aDefaultInThePlaceOfADeletedRowIsAWriteToo() throws SQLException {
        for (On where : List.of(On.POSTGRESQL, On.H2)) {
            on(
                    where,
                    "CREATE CONTEXT MyUId BIGINT; CREATE VIEW people AS SELECT id, name FROM persons;"
                            + "CREATE VIEW mine AS SELECT * FROM papers WHERE author_id = ?MyUId;");
            elsewhere(
                    "CREATE TABLE persons (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL)",
                    "CREATE TABLE papers (id BIGINT PRIMARY KEY, author_id BIGINT DEFAULT 1, title VARCHAR(50),"
                            + " FOREIGN KEY (author_id) REFERENCES persons (id) ON DELETE SET DEFAULT)",
                    "INSERT INTO persons VALUES (1, 'Ada'), (2, 'Bob')",
                    "INSERT INTO papers VALUES (2, 2, 'SECRET')");
            Connection connection = connect();
            request(1);
            assertRefusedWrite(connection, "DELETE FROM persons WHERE id = 2");
            assertThat(rows(connection, "SELECT * FROM papers WHERE author_id = 1"))
                    .isEmpty();
        }
    }

    @Test
    void whatTheDatabasePutsIntoRowsThatReferIsAWriteToo() throws SQLException {
        for (On where : On.values()) {
            // InnoDB has no SET DEFAULT.
            for (String action : where == On.MARIADB
                    ? List.of("ON UPDATE SET NULL")
                    : List.of("ON UPDATE SET NULL", "ON UPDATE SET DEFAULT")) {
                on(
                        where,
                        "CREATE CONTEXT MyUId BIGINT; CREATE VIEW people AS SELECT id, name FROM persons;"
                                + "CREATE VIEW free AS SELECT * FROM papers WHERE author_id IS NULL;"
                                + "CREATE VIEW mine AS SELECT * FROM papers WHERE author_id = ?MyUId;");
                elsewhere(
                        "CREATE TABLE persons (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL)",
                        "CREATE TABLE papers (id BIGINT PRIMARY KEY, author_id BIGINT DEFAULT 1, title VARCHAR(50),"
                                + " FOREIGN KEY (author_id) REFERENCES persons (id) " + action + ")",
                        "INSERT INTO persons VALUES (1, 'Ada'), (2, 'Bob')",
                        "INSERT INTO papers VALUES (2, 2, 'SECRET')");
                Connection connection = connect();
                request(1);
                assertRefusedWrite(connection, "UPDATE persons SET id = 9 WHERE id = 2");
                assertRefusedWrite(connection, "UPDATE persons SET name = 'x', id = id + 10 WHERE name = 'Bob'");
                run(connection, "UPDATE persons SET name = 'Eve' WHERE id = 2");
                assertThat(rows(connection, "SELECT * FROM papers WHERE author_id = 1"))
                        .isEmpty();
            }
        }
    }

    @Test
    void rowsThatGoWithTheirOwnersTakeNothingOut() throws SQLException {
        for (On where : On.values()) {
            on(where, "CREATE VIEW people AS SELECT id, name FROM persons; CREATE VIEW p AS SELECT id FROM papers;");
            elsewhere(
                    "CREATE TABLE persons (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL)",
                    "CREATE TABLE papers (id BIGINT PRIMARY KEY, author_id BIGINT, title VARCHAR(50),"
                            + " FOREIGN KEY (author_id) REFERENCES persons (id) ON DELETE CASCADE)",
                    "INSERT INTO persons VALUES (1, 'Ada'), (2, 'Bob')",
                    "INSERT INTO papers VALUES (2, 2, 'SECRET'), (3, 2, 'SECRET')");
            Connection connection = connect();
            request(1);
            try (Statement statement = connection.createStatement()) {
                assertThat(statement.executeUpdate("DELETE FROM persons WHERE id = 2"))
                        .as("what went with it is not counted")
                        .isEqualTo(1);
            }
            assertThat(rows(connection, "SELECT id FROM papers")).isEmpty();
        }
    }

    @Test
    void theNumberOfWarningsTellsNothing() throws SQLException {
        String policy = "CREATE VIEW pd AS SELECT * FROM docs WHERE visibility = 'public';";
        on(On.MARIADB, policy);
        elsewhere(
                "CREATE TABLE docs (id INT PRIMARY KEY, title VARCHAR(50), visibility VARCHAR(20))",
                "INSERT INTO docs VALUES (1, 'SECRET', 'private'), (2, 'open', 'public')");
        Connection connection = connect();
        request(1);
        try (Statement statement = connection.createStatement()) {
            for (String like : List.of("SEC%", "XX%")) {
                try (ResultSet rows = statement.executeQuery("SELECT id FROM docs WHERE (CASE WHEN title LIKE '" + like
                        + "' THEN title + 0 ELSE 0 END) >= 0 AND visibility IN ('public', 'public')")) {
                    while (rows.next()) {
                        assertThat(rows.getInt(1)).isEqualTo(2);
                    }
                    assertThat((Throwable) rows.getWarnings()).isNull();
                }
                assertThat((Throwable) statement.getWarnings()).isNull();
                assertThat((Throwable) connection.getWarnings()).isNull();
                for (String asks : List.of(
                        "SHOW WARNINGS", "SHOW COUNT(*) WARNINGS", "SELECT @@warning_count", "SELECT @@error_count")) {
                    assertRefused(connection, asks);
                }
            }
        }
        on(On.POSTGRESQL, policy);
        elsewhere(
                "CREATE TABLE docs (id INT PRIMARY KEY, title TEXT, visibility VARCHAR(20))",
                "INSERT INTO docs VALUES (1, repeat('S', 3000), 'private'), (2, 'open', 'public')");
        Connection other = connect();
        try (Statement statement = other.createStatement()) {
            // A word that is too long is left out, with a notice.
            String sql =
                    "SELECT id FROM docs WHERE to_tsvector('simple', title) IS NOT NULL AND visibility IN ('public'"
                            + ", 'public'".repeat(7) + ")";
            try {
                statement.executeQuery(sql).close();
            } catch (SQLException refused) {
                assertThat((Throwable) refused).isInstanceOf(PrivoxyException.class);
            }
            assertThat((Throwable) statement.getWarnings()).isNull();
            assertThat((Throwable) other.getWarnings()).isNull();
        }
    }

    @Test
    void whatTriggersDoToARowIsNotWhatTheStatementSays() throws SQLException {
        on(On.POSTGRESQL, OTHERS);
        elsewhere(SETTINGS);
        elsewhere(
                "CREATE TRIGGER same BEFORE UPDATE ON settings FOR EACH ROW EXECUTE FUNCTION"
                        + " suppress_redundant_updates_trigger()",
                "CREATE FUNCTION first() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := 1; RETURN NEW; END'");
        Connection connection = connect();
        request(1);
        assertRefusedWrite(connection, "UPDATE settings SET secret = 'SECRET' WHERE id = 1");
        run(connection, "UPDATE settings SET secret = 'mine' WHERE id = 2");
        String insert = "INSERT INTO settings(id, label) VALUES (2, 'y') ON CONFLICT (id) DO UPDATE SET label ="
                + " settings.secret";
        run(connection, insert);
        elsewhere("CREATE TRIGGER one BEFORE INSERT ON settings FOR EACH ROW EXECUTE FUNCTION first()");
        run(connection, "CREATE TABLE another (id INT)");
        assertRefusedWrite(connection, insert);
    }

    @Test
    void aForeignKeyThatIsNotValidIsRefused() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        assertRefusedWrite(
                connection,
                "ALTER TABLE notes ADD CONSTRAINT fkx FOREIGN KEY (text) REFERENCES users (email) NOT VALID");
    }

    // --- sizes -------------------------------------------------------------------------------------------------------

    @Test
    void theCatalogueTellsNoSizesByOtherWays() throws SQLException {
        on(On.H2);
        Connection connection = connect();
        request(1);
        assertRefused(connection, "TABLE INFORMATION_SCHEMA.TABLES");
        assertRefused(
                connection,
                "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES NATURAL JOIN (SELECT 3 AS ROW_COUNT_ESTIMATE) v");
        on(On.MARIADB);
        elsewhere("CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY)", "INSERT INTO counted VALUES (1), (2)");
        Connection other = connect();
        for (String sql : new String[] {
            "SHOW CREATE TABLE counted",
            "SHOW VARIABLES LIKE 'last_insert_id'",
            "SHOW VARIABLES LIKE 'identity'",
            "SHOW SESSION VARIABLES LIKE 'warning_count'",
            "SHOW SESSION VARIABLES",
            "SHOW VARIABLES WHERE Variable_name = 'identity'",
            "SHOW VARIABLES LIKE '%'"
        }) {
            assertRefused(other, sql);
        }
        assertThat(rows(other, "SHOW VARIABLES LIKE 'sql_mode'")).hasSize(1);
    }

    // --- what runs while rows are looked for -------------------------------------------------------------------------

    @Test
    void aCounterDoesNotCountHiddenRows() throws SQLException {
        String policy =
                "CREATE VIEW pd AS SELECT * FROM docs WHERE visibility = 'public'; CREATE VIEW n AS SELECT * FROM"
                        + " copies;";
        String[] tables = {
            "CREATE TABLE docs (id INT PRIMARY KEY, title VARCHAR(50), visibility VARCHAR(20))",
            "CREATE TABLE copies (id INT, text VARCHAR(50))",
            "CREATE SEQUENCE sq",
            "INSERT INTO docs VALUES (1, 'SECRET', 'private')"
        };
        on(On.POSTGRESQL, policy);
        elsewhere(tables);
        Connection connection = connect();
        request(1);
        assertRefusedWrite(
                connection,
                "INSERT INTO copies(id, text) SELECT id + 100, title FROM docs WHERE (CASE WHEN title LIKE 'S%' THEN"
                        + " nextval('sq') END) IS NULL AND visibility = 'public'");
        assertRefused(
                connection,
                "WITH d AS MATERIALIZED (SELECT * FROM docs WHERE CASE WHEN title LIKE 'S%' THEN txid_current() END IS"
                        + " NULL) SELECT id FROM d WHERE visibility = 'public'");
        run(connection, "INSERT INTO copies(id, text) VALUES (nextval('sq'), 'own')");
        run(
                connection,
                "INSERT INTO copies(id, text) SELECT nextval('sq'), title FROM docs WHERE visibility = 'public'");
        for (On where : List.of(On.MARIADB, On.H2)) {
            on(where, policy);
            elsewhere(tables);
            Connection other = connect();
            assertRefusedWrite(
                    other,
                    "INSERT INTO copies(id, text) SELECT id + 100, title FROM docs WHERE (CASE WHEN title LIKE 'S%'"
                            + " THEN NEXT VALUE FOR sq END) IS NULL AND visibility IN ('public', 'public')");
            run(other, "INSERT INTO copies(id, text) VALUES (NEXT VALUE FOR sq, 'own')");
        }
    }

    // --- schemas that are not committed ------------------------------------------------------------------------------

    @Test
    void aSchemaThatIsNotCommittedIsNobodyElses() throws SQLException {
        on(On.POSTGRESQL);
        Connection changing = connect("options", "-c lock_timeout=300");
        Connection reading = connect("options", "-c lock_timeout=300");
        PrivoxyRequest other = Privoxy.open(Map.of("MyUId", 2L));
        opened(other);
        request(1);
        assertThat(rows(reading, "SELECT * FROM posts WHERE public = TRUE")).hasSize(2);
        assertRefused(reading, "SELECT * FROM posts WHERE author_id = 2");
        changing.setAutoCommit(false);
        try (PrivoxyRequest.Joined joined = other.join()) {
            run(changing, "TRUNCATE posts", "ALTER TABLE posts ADD CONSTRAINT uq UNIQUE (author_id), ADD COLUMN w INT");
            assertThat(rows(changing, "SELECT id, name FROM users WHERE id = 1"))
                    .containsExactly("1,Ada");
            assertThat(joined).isNotNull();
        }
        assertRefused(reading, "SELECT * FROM posts WHERE author_id = 2");
        assertThat(rows(reading, "SELECT id, name FROM users WHERE id = 1")).containsExactly("1,Ada");
        changing.rollback();
        assertRefused(reading, "SELECT * FROM posts WHERE author_id = 2");
        assertThat(rows(reading, "SELECT * FROM posts WHERE public = TRUE")).hasSize(2);
        assertThat(rows(changing, "SELECT * FROM posts WHERE public = TRUE")).hasSize(2);
    }

    @Test
    void aTransactionIsDecidedOnWithItsOwnSchema() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        connection.setAutoCommit(false);
        assertThat(rows(
                        connection,
                        "SELECT title FROM events e JOIN members m ON m.event_id = e.id WHERE m.user_id = 1"))
                .containsExactly("seven");
        run(connection, "CREATE TABLE fresh (id INT PRIMARY KEY)", "INSERT INTO fresh VALUES (1)");
        assertRefused(connection, "SELECT id FROM fresh");
        assertThat(rows(connection, "SELECT id, name FROM users WHERE id = 2")).containsExactly("2,Bob");
        run(connection, "UPDATE users SET name = 'Eve' WHERE id = 1");
        connection.commit();
        assertThat(rows(connection, "SELECT id, name FROM users WHERE id = 1")).containsExactly("1,Eve");
        assertRefused(connection, "SELECT email FROM users WHERE id = 2");
    }

    @Test
    void aPlanDoesNotOutliveTheSchemaThatIsTakenBackByText() throws SQLException {
        on(On.POSTGRESQL);
        Connection connection = connect();
        request(1);
        String sql = "SELECT * FROM users WHERE EXISTS (WITH users AS (SELECT 1 AS id) SELECT id FROM users)";
        connection.setAutoCommit(false);
        run(connection, "SAVEPOINT a", "DROP TABLE users CASCADE", "SAVEPOINT b");
        assertThatThrownBy(() -> rows(connection, sql)).isInstanceOf(SQLException.class);
        run(connection, "ROLLBACK TO SAVEPOINT a");
        assertRefused(connection, sql);
        connection.rollback();
        assertRefused(connection, sql);
        assertThat(rows(connection, "SELECT name FROM users WHERE id = 1")).containsExactly("Ada");
    }
}
