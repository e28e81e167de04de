package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MariaDbHolesIT extends HolesContract {

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }

    @Override
    void more(CheckedDatabase created) throws SQLException {
        created.plain()
                .execute(
                        "CREATE FUNCTION leak() RETURNS VARCHAR(200) READS SQL DATA"
                                + " RETURN (SELECT text FROM notes WHERE id = 11)",
                        "CREATE PROCEDURE leak_to_log() INSERT INTO logs SELECT id, text FROM notes",
                        "CREATE PROCEDURE shown() SELECT * FROM notes",
                        "CREATE VIEW notes_view AS SELECT * FROM notes");
    }

    @Override
    Map<String, Preparing> preparationsOfTheDriver() {
        return Map.of("indexes", (c, sql) -> c.prepareStatement(sql, new int[] {1}));
    }

    @Override
    List<String> errorsWithValues() {
        return List.of(
                "SELECT id FROM notes WHERE CAST(text AS INTEGER) = 1 AND owner_id <=> 2 OR shared = TRUE",
                "UPDATE salaries SET user_id = 3 WHERE CAST(amount AS INTEGER) = 4",
                "INSERT INTO salaries SELECT 9, 9, amount FROM salaries WHERE id = 1",
                "UPDATE salaries SET amount = '" + SECRET + "' WHERE id = 2");
    }

    @Test
    void executableComments() throws SQLException {
        closed(
                "SELECT name FROM users /*! UNION SELECT text FROM notes */",
                "SELECT name FROM users /*!50000 UNION SELECT text FROM notes */",
                "SELECT name FROM users /*!100100 UNION SELECT text FROM notes */",
                "SELECT name FROM users /*M! UNION SELECT text FROM notes */",
                "SELECT name FROM users /*M!100100 UNION SELECT text FROM notes */",
                "SELECT /*! text FROM notes */");
        // Whether these run depends on the server's version, so they are refused whatever is in them.
        refused(
                "SELECT name FROM users /*!999999 UNION SELECT text FROM notes */",
                "SELECT name FROM users WHERE id = 1 /*!50000 AND name = 'Ada' */");
        allowed("SELECT name FROM users WHERE id = 1 /* !50000 AND name = 'x' */", "Ada");
    }

    @Test
    void rulesOfTheDatabasesReading() throws SQLException {
        closed(
                "SELECT name FROM users # comment ' \n UNION SELECT text FROM notes # '",
                "SELECT name FROM users --\tcomment '\n UNION SELECT text FROM notes",
                "SELECT name FROM users WHERE id = 1--1 UNION SELECT text FROM notes",
                "SELECT name FROM users WHERE name = '\\'' UNION SELECT text FROM notes # '",
                "SELECT name FROM users WHERE name = \"'\" UNION SELECT text FROM notes # '",
                "SELECT name FROM users WHERE name = \"\\\"'\" UNION SELECT text FROM notes # '\"",
                "SELECT name FROM users WHERE name = `name` AND `name` <> '`' UNION SELECT text FROM notes",
                "SELECT name FROM users WHERE name = _latin1'a' UNION SELECT text FROM notes",
                "SELECT name FROM users WHERE name = N'a' UNION SELECT text FROM notes",
                "SELECT name FROM users WHERE name = 0x41 UNION SELECT text FROM notes",
                "SELECT name FROM users WHERE name = x'41' || EXISTS (SELECT 1 FROM notes)",
                "SELECT name FROM users WHERE name = 'a' && id = 1 || EXISTS (SELECT 1 FROM notes)",
                "SELECT `text` FROM `notes`",
                "SELECT text FROM " + database().plain().name() + ".notes",
                "SELECT name FROM users /* /* */ UNION SELECT text FROM notes",
                "SELECT name FROM users WHERE name = 'a' 'b' UNION SELECT text FROM notes");
        allowed("SELECT name FROM users WHERE id = 1 AND name <> \"' UNION SELECT text FROM notes\"", "Ada");
        allowed("SELECT name FROM users # , notes\n WHERE id = 2", "Ben");
    }

    @Test
    void ansiQuotes() throws SQLException {
        try (Statement statement = connection().createStatement()) {
            statement.execute("SET sql_mode = 'ANSI_QUOTES'");
            assertRefusal(
                    "name",
                    catchThrowableOfType(
                            SQLException.class, () -> statement.executeQuery("SELECT \"text\" FROM notes")));
            statement.execute("SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES'");
            assertRefusal(
                    "backslash",
                    catchThrowableOfType(
                            SQLException.class,
                            () -> statement.executeQuery(
                                    "SELECT name FROM users WHERE name = '\\' UNION SELECT text FROM notes -- '")));
            statement.execute("SET sql_mode = ''");
            assertRefusal(
                    "backslash",
                    catchThrowableOfType(
                            SQLException.class,
                            () -> statement.executeQuery(
                                    "SELECT name FROM users WHERE name = '\\' UNION SELECT \\'' UNION SELECT text FROM notes")));
        }
        allowed("SELECT \"text\" FROM users WHERE id = 1", "text");
    }

    @Test
    void functionsAndProcedures() throws SQLException {
        closed(
                "SELECT leak()",
                "SELECT name FROM users WHERE name = leak()",
                "SELECT name FROM users ORDER BY leak()",
                "CALL leak_to_log()",
                "CALL shown()",
                "DO leak()",
                "SELECT LOAD_FILE('/etc/passwd')",
                "SELECT @x := text FROM notes",
                "SELECT text INTO @x FROM notes WHERE id = 11",
                "SET @x = (SELECT text FROM notes WHERE id = 11)",
                "SET @x = 1",
                "SET STATEMENT max_statement_time = 1 FOR SELECT text FROM notes",
                "SELECT @x",
                "SELECT FOUND_ROWS()",
                "SELECT ROW_COUNT()",
                "BEGIN NOT ATOMIC INSERT INTO logs SELECT id, text FROM notes; END",
                "EXECUTE IMMEDIATE 'SELECT text FROM notes'",
                "PREPARE p FROM 'SELECT text FROM notes'",
                "ANALYZE SELECT text FROM notes",
                "EXPLAIN EXTENDED SELECT text FROM notes",
                "EXPLAIN FORMAT=JSON SELECT text FROM notes");
        refused("{call shown()}", "{? = call leak()}", "{call leak_to_log()}");
        allowed("SELECT UPPER(name) FROM users WHERE id = 1", "ADA");
    }

    @Test
    void filesAndHandlers() throws SQLException {
        closed("CHECKSUM TABLE notes", "CHECK TABLE notes");
        refused(
                "HANDLER notes OPEN",
                "LOCK TABLES notes READ",
                "SELECT text FROM notes INTO OUTFILE 'leeway-notes'",
                "SELECT name FROM users INTO OUTFILE 'leeway-users'",
                "SELECT text FROM notes INTO DUMPFILE 'leeway-notes'",
                "LOAD DATA INFILE '/etc/passwd' INTO TABLE logs",
                "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE logs",
                "LOAD XML INFILE '/etc/passwd' INTO TABLE logs",
                "HANDLER notes READ FIRST",
                "INSTALL SONAME 'x'",
                "KILL 1",
                "FLUSH TABLES notes WITH READ LOCK");
    }

    @Test
    void show() throws SQLException {
        closed(
                "SHOW TABLE STATUS",
                "SHOW INDEX FROM notes",
                "SHOW PROCESSLIST",
                "SHOW FULL PROCESSLIST",
                "SHOW STATUS",
                "SHOW WARNINGS",
                "SHOW ERRORS",
                "SHOW TABLES WHERE (SELECT COUNT(*) FROM notes) > 1",
                "SHOW VARIABLES WHERE Variable_name = (SELECT text FROM notes WHERE id = 11)",
                "SELECT table_rows FROM information_schema.tables WHERE table_name = 'notes'",
                "SELECT * FROM information_schema.tables",
                "SELECT cardinality FROM information_schema.statistics",
                "SELECT info FROM information_schema.processlist",
                "SELECT * FROM mysql.user",
                "SELECT * FROM mysql.column_stats",
                "SELECT variable_value FROM information_schema.session_status");
    }

    @Test
    void writesOfMariaDb() throws SQLException {
        closed(
                "INSERT INTO logs (id, text) VALUES (72, 'x') RETURNING (SELECT text FROM notes WHERE id = 11)",
                "DELETE FROM salaries WHERE id = 1 RETURNING amount",
                "REPLACE INTO logs SELECT id, text FROM notes",
                "REPLACE INTO salaries (id, user_id, amount) VALUES (1, 1, 'x') RETURNING (SELECT text FROM notes WHERE id = 11)",
                "INSERT INTO logs VALUES (1, 'x') ON DUPLICATE KEY UPDATE text = (SELECT text FROM notes WHERE id = 11)",
                "INSERT INTO logs SET id = 73, text = (SELECT text FROM notes WHERE id = 11)",
                "UPDATE logs, notes SET logs.text = notes.text WHERE notes.id = 11",
                "UPDATE logs JOIN notes ON notes.id = 11 SET logs.text = 'x'",
                "DELETE logs FROM logs JOIN notes ON notes.text LIKE 'S%'",
                "DELETE FROM logs USING logs, notes WHERE notes.text LIKE 'S%'",
                "UPDATE salaries SET user_id = 1 ORDER BY amount LIMIT 1");
        try (Statement statement = connection().createStatement()) {
            assertThat(statement.executeUpdate("INSERT INTO logs SET id = 74, text = 'y'"))
                    .isOne();
            assertThat(statement.executeUpdate("DELETE FROM logs WHERE id = 74"))
                    .isOne();
        }
    }

    @Test
    void selectsOfMariaDb() throws SQLException {
        closed(
                "SELECT SQL_CALC_FOUND_ROWS name FROM users, notes",
                "SELECT STRAIGHT_JOIN text FROM notes",
                "SELECT text FROM notes LIMIT 1, 1",
                "SELECT text FROM notes LIMIT 1 OFFSET 1",
                "SELECT text FROM notes USE INDEX (PRIMARY)",
                "SELECT text FROM notes LOCK IN SHARE MODE",
                "SELECT text FROM notes WHERE 1 XOR 0",
                "SELECT GROUP_CONCAT(text) FROM notes",
                "SELECT owner_id, COUNT(*) FROM notes GROUP BY owner_id WITH ROLLUP",
                "SELECT JSON_ARRAYAGG(text) FROM notes",
                "SELECT 1 FROM DUAL WHERE EXISTS (SELECT 1 FROM notes)",
                "SELECT 1 WHERE (SELECT COUNT(*) FROM notes) > 1",
                "SELECT name FROM users PROCEDURE ANALYSE()",
                "SELECT text FROM (notes)");
    }

    @Test
    void severalStatementsWhereTheDriverAllowsThem() throws SQLException {
        try (Connection several = database().connect("allowMultiQueries", "true");
                Statement statement = several.createStatement()) {
            assertRefusal(
                    "second",
                    catchThrowableOfType(
                            SQLException.class,
                            () -> statement.execute("SELECT name FROM users; SELECT text FROM notes")));
            assertRefusal(
                    "delimiter",
                    catchThrowableOfType(
                            SQLException.class,
                            () -> statement.execute(
                                    "SELECT name FROM users WHERE name = ';' ; SELECT text FROM notes")));
            assertThat(statement.execute("SELECT name FROM users WHERE id = 1; SELECT name FROM users WHERE id = 2"))
                    .isTrue();
            assertThat(firstColumn(statement.getResultSet())).containsExactly("Ada");
            assertThat(statement.getMoreResults()).isTrue();
            assertThat(firstColumn(statement.getResultSet())).containsExactly("Ben");
        }
    }

    @Test
    void tablesThatAreGivenAnotherName() throws SQLException {
        refused(
                "RENAME TABLE notes TO logs2",
                "ALTER TABLE notes RENAME TO logs2",
                "ALTER TABLE salaries CHANGE amount shown VARCHAR(200)",
                "ALTER TABLE salaries RENAME COLUMN amount TO shown",
                "CREATE TABLE merged (id BIGINT, text VARCHAR(200)) ENGINE=MERGE UNION=(notes)",
                "ALTER TABLE logs EXCHANGE PARTITION p WITH TABLE notes");
    }

    @Test
    void viewsOfTheDatabase() throws SQLException {
        closed("SELECT text FROM notes_view", "SELECT text FROM notes_view WHERE id = 11");
        // A view of the database counts as a table, and the policy has no view for it.
        closed("SELECT text FROM notes_view WHERE owner_id = 2");
    }
}
