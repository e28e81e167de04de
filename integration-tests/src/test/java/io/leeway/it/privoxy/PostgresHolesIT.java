package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PostgresHolesIT extends HolesContract {

    @Override
    DatabaseServer server() {
        return TestDatabases.postgres();
    }

    @Override
    void more(CheckedDatabase created) throws SQLException {
        created.plain()
                .execute(
                        "CREATE FUNCTION leak() RETURNS TEXT LANGUAGE sql AS 'SELECT text FROM notes WHERE id = 11'",
                        "CREATE FUNCTION leaks() RETURNS SETOF TEXT LANGUAGE sql AS 'SELECT text FROM notes'",
                        "CREATE PROCEDURE leak_to_log() LANGUAGE sql AS"
                                + " 'INSERT INTO logs SELECT id, text FROM notes'",
                        "CREATE VIEW notes_view AS SELECT * FROM notes",
                        "CREATE SEQUENCE numbers",
                        "CREATE TABLE like_logs (id BIGINT NOT NULL, text VARCHAR(200))",
                        "CREATE TABLE parts (id BIGINT NOT NULL, text VARCHAR(200)) PARTITION BY RANGE (id)",
                        "ANALYZE notes");
    }

    @Override
    Map<String, Preparing> preparationsOfTheDriver() {
        int forward = ResultSet.TYPE_FORWARD_ONLY;
        int readOnly = ResultSet.CONCUR_READ_ONLY;
        return Map.of(
                "call", Connection::prepareCall,
                "call with type", (c, sql) -> c.prepareCall(sql, forward, readOnly),
                "call with holdability",
                        (c, sql) -> c.prepareCall(sql, forward, readOnly, ResultSet.CLOSE_CURSORS_AT_COMMIT));
    }

    @Override
    List<String> errorsWithValues() {
        return List.of(
                "SELECT id FROM notes WHERE CAST(text AS INTEGER) = 0 AND owner_id = 2 OR shared = TRUE",
                "SELECT id FROM notes WHERE text::date = '2020-01-01' AND owner_id = 2 OR shared = TRUE",
                "UPDATE salaries SET user_id = NULL WHERE id = 1",
                "CREATE INDEX ON drafts ((CAST(text AS INTEGER)))",
                "ALTER TABLE drafts ALTER text TYPE INTEGER USING CAST(text AS INTEGER)",
                "INSERT INTO salaries SELECT 9, 9, amount FROM salaries WHERE id = 1");
    }

    @Test
    void tableAndOnly() throws SQLException {
        closed("TABLE notes", "TABLE ONLY notes", "SELECT * FROM ONLY notes", "SELECT * FROM notes *", "(TABLE notes)");
        allowed("TABLE users", "1", "2");
    }

    @Test
    void selectInto() throws SQLException {
        closed(
                "SELECT text INTO copied FROM notes",
                "SELECT text INTO TEMP copied FROM notes",
                "CREATE TABLE c2 AS TABLE notes");
    }

    @Test
    void copy() throws SQLException {
        refused(
                "COPY notes TO STDOUT",
                "COPY notes TO '/tmp/notes'",
                "COPY (SELECT * FROM notes) TO STDOUT",
                "COPY notes TO PROGRAM 'cat'",
                "COPY logs FROM PROGRAM 'cat /etc/passwd'");
    }

    @Test
    void functions() throws SQLException {
        closed(
                "SELECT leak()",
                "SELECT public.leak()",
                "SELECT * FROM leaks()",
                "SELECT name FROM users WHERE name = leak()",
                "SELECT name FROM users ORDER BY leak()",
                "SELECT name FROM users LIMIT length(leak())",
                "INSERT INTO logs VALUES (71, leak())",
                "SELECT query_to_xml('SELECT * FROM notes', true, true, '')",
                "SELECT table_to_xml('notes', true, true, '')",
                "SELECT database_to_xml(true, true, '')",
                "SELECT ts_stat('SELECT to_tsvector(text) FROM notes')",
                "SELECT pg_relation_size('notes')",
                "SELECT currval('numbers') FROM (SELECT nextval('numbers')) s",
                "SELECT set_config('row_security', 'off', false)",
                "SELECT set_config('search_path', 'x', false), 1");
        refused("SELECT pg_read_file('postgresql.conf')", "SELECT lo_import('/etc/passwd')");
        allowed("SELECT upper(name) FROM users WHERE id = 1", "ADA");
    }

    @Test
    void procedures() throws SQLException {
        closed("CALL leak_to_log()", "DO $$ BEGIN INSERT INTO logs SELECT id, text FROM notes; END $$");
        try (CallableStatement call = connection().prepareCall("{? = call leak()}")) {
            call.registerOutParameter(1, java.sql.Types.VARCHAR);
            assertRefusal("call", catchThrowableOfType(SQLException.class, call::execute));
        } catch (SQLException atPreparing) {
            assertRefusal("call", atPreparing);
        }
    }

    @Test
    void rulesOfTheDatabasesReading() throws SQLException {
        closed(
                "SELECT name FROM users WHERE name = $$'$$ OR EXISTS (SELECT 1 FROM notes) OR name = $$'$$",
                "SELECT name FROM users WHERE name = $a$ $b$ $a$ OR EXISTS (SELECT 1 FROM notes) -- $b$",
                "SELECT name FROM users WHERE name = E'\\'' OR EXISTS (SELECT 1 FROM notes) -- '",
                "SELECT name FROM users WHERE name = '\\' OR EXISTS (SELECT 1 FROM notes) -- '",
                "SELECT name FROM users WHERE name = U&'\\0027' OR EXISTS (SELECT 1 FROM notes)",
                "SELECT name FROM users WHERE name = B'1'::text OR EXISTS (SELECT 1 FROM notes)",
                "SELECT name FROM users /* /* */ WHERE id = 0 */ WHERE EXISTS (SELECT 1 FROM notes) /* */",
                "SELECT \"text\" FROM \"notes\"",
                "SELECT U&\"\\0074ext\" FROM notes",
                "SELECT text FROM public.notes",
                "SELECT text FROM \"public\".\"notes\" AS users",
                "SELECT notes.* FROM notes",
                "SELECT notes FROM notes",
                "SELECT row_to_json(n) FROM notes n",
                "SELECT (n).text FROM notes n",
                "SELECT text(n) FROM notes n",
                "SELECT n::text FROM notes n");
        allowed("SELECT name FROM users WHERE id = 1 AND name <> $$ ' FROM notes $$", "Ada");
        allowed("SELECT name /* /* notes */ */ FROM users WHERE id = 2", "Ben");
        allowed("SELECT U&\"n\\0061me\" FROM users WHERE id = 2", "Ben");
    }

    @Test
    void theSearchPathDecidesWhatANameMeans() throws SQLException {
        database()
                .plain()
                .execute(
                        "CREATE SCHEMA other",
                        "CREATE VIEW other.users AS SELECT id, text AS name FROM public.notes",
                        "CREATE TABLE other.logs AS SELECT id, text FROM public.notes");
        try (Statement statement = connection().createStatement()) {
            statement.execute("SET search_path = other, public");
            assertRefusal(
                    "view",
                    catchThrowableOfType(SQLException.class, () -> statement.executeQuery("SELECT name FROM users")));
            assertRefusal(
                    "table",
                    catchThrowableOfType(SQLException.class, () -> statement.executeQuery("SELECT text FROM logs")));
            statement.execute("SET search_path = public");
        }
        allowed("SELECT name FROM users WHERE id = 1", "Ada");
        closed("SELECT name FROM other.users");
    }

    @Test
    void aTemporaryTableThatHidesAnother() throws SQLException {
        connection().setAutoCommit(false);
        try (Statement statement = connection().createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE notes2 (id BIGINT)");
        }
        refused("SELECT text FROM public.notes", "SELECT text FROM notes, notes2");
        connection().setAutoCommit(true);
    }

    @Test
    void viewsOfTheDatabase() throws SQLException {
        closed("SELECT text FROM notes_view", "SELECT text FROM notes_view WHERE id = 11");
        // A view of the database counts as a table, and the policy has no view for it.
        closed("SELECT text FROM notes_view WHERE owner_id = 2");
    }

    @Test
    void joinsOfPostgres() throws SQLException {
        closed(
                "SELECT u.name, n.text FROM users u, LATERAL (SELECT text FROM notes WHERE owner_id = u.id) n",
                "SELECT name FROM users NATURAL JOIN notes",
                "SELECT id FROM users JOIN notes USING (id)",
                "SELECT name FROM users u FULL JOIN notes n ON n.owner_id = u.id",
                "SELECT DISTINCT ON (owner_id) text FROM notes",
                "SELECT string_agg(text, ',') FROM notes",
                "SELECT array_agg(n) FROM notes n",
                "SELECT json_agg(notes) FROM notes",
                "SELECT count(*) FILTER (WHERE shared) FROM notes",
                "SELECT row_number() OVER (ORDER BY text) FROM notes",
                "SELECT ARRAY(SELECT text FROM notes)",
                "SELECT ROW((SELECT text FROM notes WHERE id = 11))",
                "SELECT id FROM users LIMIT (SELECT COUNT(*) FROM notes)",
                "SELECT id FROM users OFFSET (SELECT COUNT(*) FROM notes WHERE text LIKE 'S%')",
                "SELECT text FROM notes FETCH FIRST 1 ROW ONLY",
                "SELECT count(*) OVER (ORDER BY id ROWS (SELECT COUNT(*) FROM notes) PRECEDING) FROM users",
                "SELECT id FROM users GROUP BY GROUPING SETS ((id), ((SELECT count(*) FROM notes)))");
        refused("SELECT text FROM notes TABLESAMPLE SYSTEM (100)");
    }

    @Test
    void returning() throws SQLException {
        closed(
                "UPDATE salaries SET user_id = user_id WHERE id = 1 RETURNING amount",
                "UPDATE salaries SET user_id = user_id WHERE id = 1 RETURNING *",
                "DELETE FROM salaries WHERE id = 1 RETURNING amount",
                "INSERT INTO logs VALUES (72, 'x') RETURNING (SELECT text FROM notes WHERE id = 11)",
                "INSERT INTO logs VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET text = (SELECT text FROM notes WHERE id = 11)",
                "INSERT INTO salaries VALUES (1, 1, 'x') ON CONFLICT (id) DO UPDATE SET user_id = 1 RETURNING amount",
                "UPDATE salaries SET user_id = 1 FROM notes WHERE notes.id = 11",
                "DELETE FROM logs USING notes WHERE notes.text LIKE 'S%'",
                "WITH d AS (DELETE FROM notes RETURNING text) SELECT text FROM d",
                "WITH d AS (UPDATE salaries SET user_id = user_id RETURNING amount) INSERT INTO logs SELECT 1000 + length(amount), amount FROM d",
                "MERGE INTO logs l USING notes n ON l.id = n.id WHEN NOT MATCHED THEN INSERT VALUES (n.id, n.text)");
        try (Statement statement = connection().createStatement();
                ResultSet rows = statement.executeQuery("INSERT INTO logs VALUES (74, 'y') RETURNING text")) {
            assertThat(firstColumn(rows)).containsExactly("y");
            statement.executeUpdate("DELETE FROM logs WHERE id = 74");
        }
    }

    @Test
    void generatedKeys() throws SQLException {
        String update = "UPDATE salaries SET user_id = user_id WHERE id = 1";
        try (Statement statement = connection().createStatement()) {
            assertRefusal(
                    "all",
                    catchThrowableOfType(
                            SQLException.class,
                            () -> statement.executeUpdate(update, Statement.RETURN_GENERATED_KEYS)));
            assertRefusal(
                    "name",
                    catchThrowableOfType(
                            SQLException.class, () -> statement.executeUpdate(update, new String[] {"amount"})));
            assertThat(statement.executeUpdate(update, new String[] {"user_id"}))
                    .isOne();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                assertThat(firstColumn(keys)).containsExactly("1");
            }
        }
    }

    @Test
    void cursorsAndPreparedStatementsOfTheServer() throws SQLException {
        closed(
                "PREPARE p AS SELECT text FROM notes",
                "DECLARE c CURSOR FOR SELECT text FROM notes",
                "EXPLAIN ANALYZE SELECT text FROM notes",
                "EXPLAIN (ANALYZE, FORMAT JSON) SELECT text FROM notes",
                "LOCK TABLE notes",
                "LISTEN x",
                "CREATE MATERIALIZED VIEW mv AS SELECT * FROM notes",
                "CREATE RULE r AS ON INSERT TO logs DO ALSO INSERT INTO logs SELECT id, text FROM notes",
                "CREATE FUNCTION f() RETURNS SETOF notes LANGUAGE sql AS 'SELECT * FROM notes'",
                "SET ROLE pg_monitor",
                "SET SESSION AUTHORIZATION postgres",
                "SET session_replication_role = replica",
                "ALTER ROLE postgres SET search_path = x",
                "NOTIFY x, 'y'");
        refused("EXECUTE p", "FETCH ALL FROM c", "MOVE 1 IN c", "VACUUM notes", "CREATE EXTENSION dblink");
    }

    @Test
    void tablesThatAreGivenAnotherName() throws SQLException {
        closed(
                "ALTER TABLE notes RENAME TO logs2",
                "ALTER TABLE salaries RENAME COLUMN amount TO shown",
                "ALTER TABLE notes RENAME id TO number",
                "ALTER TABLE IF EXISTS notes RENAME TO logs2",
                "ALTER TABLE notes SET SCHEMA information_schema",
                "ALTER SCHEMA public RENAME TO hidden",
                "ALTER TABLE like_logs INHERIT logs",
                "ALTER TABLE parts ATTACH PARTITION like_logs FOR VALUES FROM (1) TO (9)",
                // Where there is a default partition, an error tells whether it has such a row.
                "CREATE TABLE parted PARTITION OF parts FOR VALUES FROM (10) TO (11)",
                "ALTER TABLE logs RENAME TO x; ALTER TABLE notes RENAME TO logs");
        connection().setAutoCommit(false);
        try (Statement statement = connection().createStatement()) {
            statement.execute("CREATE TABLE made (id BIGINT, CONSTRAINT positive CHECK (id > 0))");
            statement.execute("ALTER TABLE made RENAME CONSTRAINT positive TO above_zero");
        }
        connection().rollback();
        connection().setAutoCommit(true);
    }

    @Test
    void functionsInDefinitions() throws SQLException {
        closed(
                "ALTER TABLE logs ADD COLUMN copied TEXT DEFAULT leak()",
                "ALTER TABLE logs ADD COLUMN copied TEXT DEFAULT (public.leak())",
                "ALTER TABLE logs ADD COLUMN copied XML DEFAULT query_to_xml('SELECT * FROM notes', true, true, '')",
                "ALTER TABLE logs ALTER COLUMN text TYPE TEXT USING leak()",
                "ALTER TABLE logs ALTER COLUMN text TYPE TEXT USING CASE WHEN leak() = '' THEN '' ELSE text END",
                "ALTER TABLE logs ADD CHECK (leak() > '')",
                "CREATE TABLE defaults (id BIGINT, text TEXT DEFAULT \"leak\"())",
                // A conversion and a check may fail for some values, and tell by that that there are such.
                "ALTER TABLE logs ALTER id TYPE NUMERIC USING CAST(id AS NUMERIC(20))",
                "ALTER TABLE logs ADD CONSTRAINT positive CHECK (id > -1000)");
        connection().setAutoCommit(false);
        try (Statement statement = connection().createStatement()) {
            statement.execute("CREATE TABLE made (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n NUMERIC(10, 2)"
                    + " DEFAULT abs(-1.5), at TIMESTAMP DEFAULT now(), u VARCHAR(20) REFERENCES salaries (amount),"
                    + " CHECK (n > 0 AND u IN ('a', 'b')), UNIQUE (n, u))");
            statement.execute("CREATE INDEX ON made USING btree (lower(u), n) WHERE n > 1");
        }
        connection().rollback();
        connection().setAutoCommit(true);
    }

    @Test
    void statistics() throws SQLException {
        closed(
                "SELECT most_common_vals::text, histogram_bounds::text FROM pg_stats WHERE tablename = 'notes'",
                "SELECT n_live_tup FROM pg_stat_user_tables",
                "SELECT reltuples FROM pg_class WHERE relname = 'notes'",
                "SELECT * FROM pg_class",
                "SELECT query FROM pg_stat_activity",
                "SELECT last_value FROM numbers",
                "SELECT * FROM pg_sequences",
                "SELECT rolpassword FROM pg_authid",
                "SELECT c.* FROM pg_class AS c (a, b)");
        allowed("SELECT relname FROM pg_class WHERE relname = 'notes'", "notes");
    }
}
