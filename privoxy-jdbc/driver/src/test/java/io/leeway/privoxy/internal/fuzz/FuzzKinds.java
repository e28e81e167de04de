package io.leeway.privoxy.internal.fuzz;

import io.leeway.privoxy.internal.fuzz.FuzzStep.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Draws steps of the kinds that an attacker found: conflicts, names, settings and schemas between preparing and running,
 * changes of the schema that tell, guesses, two threads on one statement.
 */
final class FuzzKinds {

    private static final String[] TABLES = {"users", "posts", "events", "members", "notes", "settings"};

    private final RandomGenerator random;
    private final Dialect dialect;

    FuzzKinds(RandomGenerator random, Dialect dialect) {
        this.random = random;
        this.dialect = dialect;
    }

    FuzzStep step(int request, int connection) {
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> of(pick(Kind.WRITE, Kind.WRITE, Kind.KEYS), request, connection, conflict());
            case 4, 5 -> of(Kind.QUERY, request, connection, shown());
            case 6, 7, 8 -> of(Kind.QUERY, request, connection, with());
            case 9, 10 -> kept(request, connection);
            case 11 -> of(Kind.RUN_KEPT, request, connection);
            case 12 -> of(Kind.SET, request, connection, setting());
            case 13 -> of(Kind.SCHEMA, request, connection, pick("public", "PUBLIC", "x", "X"));
            case 14, 15 -> of(Kind.DDL, request, connection, ddl());
            case 16, 17 -> of(Kind.GUESS, request, connection, guess());
            case 18 -> of(Kind.WRITE, request, connection, own());
            default ->
                random.nextInt(4) == 0
                        ? of(Kind.TWO_THREADS, request, connection, "SELECT email FROM users WHERE id = ?")
                        : of(Kind.QUERY, request, connection, shown());
        };
    }

    @SafeVarargs
    private <T> T pick(T... options) {
        return options[random.nextInt(options.length)];
    }

    /** Reads what is shown, or asks past it. */
    FuzzStep read(int request, int connection) {
        return of(pick(Kind.QUERY, Kind.PARTIAL), request, connection, pick(shown(), with()));
    }

    /**
     * Rows that are known to one, then a change of the schema by another, in a transaction or not, and what these rows would
     * open if the schema were that one; where the one reads an older state, too.
     */
    List<FuzzStep> uncommitted() {
        boolean within = random.nextBoolean();
        boolean snapshot = random.nextInt(3) == 0;
        var steps = new ArrayList<FuzzStep>();
        if (snapshot) {
            steps.add(new FuzzStep(Kind.ISOLATION, 1, 1, List.of(), 1, List.of()));
            steps.add(new FuzzStep(Kind.AUTO_COMMIT, 1, 1, List.of(), 1, List.of()));
        }
        steps.add(of(Kind.QUERY, 1, 1, pick("SELECT * FROM posts WHERE public = TRUE", "SELECT id, name FROM users")));
        if (within) {
            steps.add(new FuzzStep(Kind.AUTO_COMMIT, 0, 0, List.of(), 1, List.of()));
        }
        steps.add(of(Kind.WRITE, 0, 0, pick("DELETE FROM posts WHERE public = TRUE", "TRUNCATE TABLE posts")));
        steps.add(of(
                Kind.DDL,
                0,
                0,
                pick(
                        "CREATE UNIQUE INDEX uq ON posts (author_id)",
                        "CREATE UNIQUE INDEX uq ON posts (author_id)",
                        "ALTER TABLE posts ADD CONSTRAINT uq UNIQUE (author_id)",
                        "ALTER TABLE posts ADD CONSTRAINT uf FOREIGN KEY (author_id) REFERENCES users (id)")));
        if (random.nextBoolean()) {
            steps.add(of(Kind.QUERY, 0, 0, "SELECT * FROM posts WHERE public = TRUE"));
        }
        if (snapshot && random.nextBoolean()) {
            steps.add(of(Kind.QUERY, 1, 1, "SELECT * FROM posts WHERE public = TRUE"));
        }
        steps.add(of(Kind.QUERY, 1, 1, "SELECT * FROM posts WHERE author_id = " + pick("3", "4")));
        steps.add(of(pick(Kind.COMMIT, Kind.ROLLBACK), 0, 0));
        steps.add(of(Kind.QUERY, 1, pick(1, 2), "SELECT * FROM posts WHERE author_id = " + pick("3", "4")));
        return steps;
    }

    /**
     * A row that comes of a clause, not of the table, told as if it were a membership; then what that would open. Aggregates
     * make one row of none wherever they stand.
     */
    List<FuzzStep> falseFacts() {
        String event = pick("8", "9");
        String where = " FROM members WHERE user_id = 1 AND event_id = " + event;
        String made = pick(
                "SELECT 1 AS one" + where + " ORDER BY count(*)",
                "SELECT 1 AS one" + where + " WINDOW w AS (ORDER BY count(*))",
                "SELECT 1 AS one" + where + " WINDOW w AS (PARTITION BY max(role))",
                "SELECT 1 AS one" + where + " HAVING TRUE",
                "SELECT 1 AS one" + where + " HAVING count(*) >= 0",
                "SELECT DISTINCT 1 AS one" + where + " ORDER BY max(role) = 'x'",
                dialect == Dialect.MARIADB ? "SELECT max(1) AS one" + where : "SELECT DISTINCT ON (count(*)) 1" + where,
                "SELECT user_id AS one" + where + " ORDER BY count(*)");
        String asked = pick(
                "SELECT id FROM users WHERE id = 1 AND EXISTS (" + made + ")",
                "SELECT id FROM users WHERE id = 1 AND 1 IN (" + made + ")",
                "SELECT id FROM users WHERE id = 1 AND 1 = (" + made + ")",
                "SELECT u.id FROM users u JOIN (" + made + ") q ON TRUE WHERE u.id = 1",
                "WITH q AS (" + made + ") SELECT * FROM q",
                "SELECT * FROM (" + made + ") q",
                "SELECT EXISTS (SELECT 1 FROM notes n ORDER BY count(m.user_id)) AS x FROM members m"
                        + " WHERE m.user_id = 1 AND m.event_id = " + event,
                made);
        return List.of(
                of(Kind.QUERY, 0, 0, asked),
                of(Kind.QUERY, 0, pick(0, 1), "SELECT * FROM events WHERE id = " + event),
                of(Kind.QUERY, 0, 0, "SELECT * FROM members WHERE user_id = 1 AND event_id = " + event));
    }

    /** Texts with a guess in clauses of inner queries, in the order of rows and where a NULL decides; {@code ?} is it. */
    private List<String> hidden() {
        var all = new ArrayList<>(List.of(
                "(SELECT label FROM settings) ORDER BY hidden = 'SECRET one?'",
                "(SELECT label FROM settings LIMIT 2) ORDER BY hidden = 'SECRET one?' DESC LIMIT 1",
                "SELECT label FROM (SELECT label FROM settings ORDER BY hidden = 'SECRET one?' DESC LIMIT 1) q",
                "SELECT label FROM settings WHERE id = (SELECT id FROM settings ORDER BY hidden = 'SECRET one?' LIMIT 1)",
                "SELECT label, rank() OVER w FROM settings WINDOW w AS (ORDER BY hidden = 'SECRET one?')",
                "SELECT label, lag(id) OVER (ORDER BY hidden = 'SECRET one?') FROM settings",
                "SELECT count(*) FROM (SELECT DISTINCT hidden = 'SECRET one?' FROM settings WHERE id = 1 OR id = 2) q",
                "SELECT count(*) FROM (SELECT 1 AS x FROM settings GROUP BY nullif(hidden, 'SECRET one?')) q",
                "SELECT id FROM users WHERE id = 1 AND EXISTS (SELECT 1 FROM settings GROUP BY id HAVING max(hidden) ="
                        + " 'SECRET one?')",
                "SELECT 1 FROM settings WHERE hidden LIKE 'SECRET one?' ESCAPE NULL",
                "SELECT label FROM settings WHERE hidden = COALESCE(lower(NULL), 'SECRET one?')",
                "SELECT label FROM settings WHERE hidden IN (SELECT 'SECRET one?' UNION ALL SELECT NULL)",
                "SELECT label FROM settings WHERE CAST(hidden AS CHAR(20)) = 'SECRET one?'"));
        if (dialect != Dialect.MARIADB) {
            // MariaDB's server ends at VALUES … ORDER BY with a sub-query on its columns.
            all.add("VALUES (1), (2) ORDER BY (SELECT count(*) FROM settings WHERE hidden = 'SECRET one?' AND id = 1)");
            all.add("SELECT DISTINCT ON (id) label FROM settings ORDER BY id, hidden = 'SECRET one?'");
        }
        if (dialect == Dialect.POSTGRESQL) {
            String count = "(SELECT count(*)::int FROM settings WHERE hidden = 'SECRET one?')";
            all.addAll(List.of(
                    "SELECT count(*) FROM (SELECT 1 AS x ORDER BY generate_series(1, " + count + ")) q",
                    "SELECT id FROM users WHERE id = 1 AND EXISTS (SELECT 1 ORDER BY generate_series(1, " + count
                            + "))",
                    "SELECT id FROM users WHERE id = 1 AND EXISTS (SELECT 1 GROUP BY generate_series(1, " + count
                            + "))",
                    "SELECT id FROM users WHERE id = 1 AND EXISTS (SELECT generate_series(1, count(*)) FROM settings"
                            + " WHERE hidden = 'SECRET one?')",
                    "SELECT EXISTS (SELECT unnest(array_agg(label)) FROM settings WHERE hidden = 'SECRET one?')",
                    "SELECT x FROM (SELECT 1 AS x WINDOW w AS (ORDER BY generate_series(1, " + count + "))) q",
                    "SELECT ARRAY(SELECT label FROM settings ORDER BY hidden = 'SECRET one?')"));
        }
        return all;
    }

    private FuzzStep of(Kind kind, int request, int connection, String... texts) {
        return new FuzzStep(kind, request, connection, List.of(texts), random.nextInt(FuzzGrammar.CHOICES), List.of());
    }

    /** A row that may strike another, and shows or copies something of it. */
    private String conflict() {
        String row = pick(
                "(label) VALUES ('y')",
                "(id, label) VALUES (DEFAULT, 'y')",
                "(id, label) VALUES (1, 'y')",
                "(id, label) VALUES (1.4, 'y')",
                "(id, label) VALUES (0.6, 'y')",
                "(id, label) VALUES (CAST(1.4 AS DECIMAL(5, 1)), 'y')",
                "(id, label) VALUES (2, 'y')",
                "(code, label) VALUES ('KEYQ  ', 'y')",
                (dialect == Dialect.POSTGRESQL ? "(id, label) OVERRIDING USER VALUE" : "(id, label)")
                        + " VALUES (2, 'y')",
                "(id, label) VALUES (NULL, 'y'), (NULL, 'z')",
                "(code, label) VALUES ('keyq', 'y')",
                "(code, label) VALUES ('KEYZ', 'y')",
                "(code, label) VALUES (NULL, 'y')",
                "(id, code, label) VALUES (77, 'KEYQ', 'y')",
                "VALUES (1, 'KEYQ', 'y', 'x')");
        String value = pick("settings.hidden", "'z'", "concat(settings.hidden, '')", "settings.label");
        String returning = pick("", "", " RETURNING hidden", " RETURNING *");
        String clause = switch (dialect) {
            case POSTGRESQL ->
                pick(
                                " ON CONFLICT (id)",
                                " ON CONFLICT (code)",
                                " ON CONFLICT",
                                " ON CONFLICT ON CONSTRAINT settings_pkey")
                        + pick(
                                " DO UPDATE SET label = " + value,
                                " DO UPDATE SET (label, code) = (" + value + ", 'c')",
                                " DO UPDATE SET label = DEFAULT");
            case MARIADB -> " ON DUPLICATE KEY UPDATE label = " + pick(value, value, "DEFAULT");
            case H2 -> "";
        };
        String verb = switch (dialect) {
            case POSTGRESQL -> "INSERT INTO settings";
            case MARIADB -> pick("INSERT INTO settings", "INSERT INTO settings", "INSERT IGNORE INTO settings");
            case H2 -> "MERGE INTO settings";
        };
        if (dialect == Dialect.H2) {
            return pick(
                    "MERGE INTO settings(id, label) KEY (" + pick("id", "label") + ") VALUES ("
                            + pick("1", "1.4", "0.6", "2") + ", 'y')",
                    "MERGE INTO settings USING (VALUES (1)) s (k) ON id = s.k WHEN MATCHED THEN UPDATE SET label ="
                            + " hidden",
                    "MERGE INTO settings t USING users u ON t.id = u.id WHEN MATCHED THEN UPDATE SET label = u.email",
                    "SELECT hidden FROM FINAL TABLE (UPDATE settings SET label = 'z' WHERE id = 1)",
                    "SELECT hidden FROM OLD TABLE (DELETE FROM settings WHERE id = 1)",
                    "INSERT INTO settings " + row);
        }
        if (random.nextInt(6) == 0 && dialect == Dialect.MARIADB) {
            return "REPLACE INTO settings" + row + returning;
        }
        if (random.nextInt(6) == 0 && dialect == Dialect.POSTGRESQL) {
            return "MERGE INTO settings USING (VALUES (1)) s (k) ON id = s.k WHEN MATCHED THEN UPDATE SET label = "
                    + value + returning;
        }
        return verb + row + clause + returning;
    }

    /** What shows whether something got into a column that views show. */
    private String shown() {
        return pick(
                "SELECT id, label FROM settings",
                "SELECT id, label FROM kv",
                "SELECT * FROM settings",
                "SELECT label, code FROM settings",
                "SELECT * FROM notes",
                "SELECT id, name FROM users",
                "SELECT * FROM t1",
                "SELECT * FROM events WHERE id = " + pick("7", "8"),
                "SELECT * FROM members WHERE user_id = " + pick("1", "2"),
                "TABLE settings",
                asked());
    }

    /** What tells of sizes and sessions. */
    private String asked() {
        return switch (dialect) {
            case POSTGRESQL ->
                pick(
                        "SHOW search_path",
                        "TABLE pg_class",
                        "SELECT c FROM pg_class c WHERE relname = 'users'",
                        "SELECT * FROM settings WHERE NOT to_tsvector(hidden) @@ to_tsquery('secrets')",
                        "SELECT most_common_vals FROM pg_stats WHERE tablename = 'users'",
                        "SELECT * FROM " + FuzzWorld.COUNTER,
                        FuzzWorld.next(dialect, "SELECT "));
            case MARIADB ->
                pick(
                        "SHOW CREATE TABLE settings",
                        "SHOW WARNINGS",
                        "SHOW COUNT(*) WARNINGS",
                        "SHOW VARIABLES LIKE 'last_insert_id'",
                        "SHOW TABLE STATUS",
                        "SHOW INDEX FROM settings",
                        "SELECT LAST_INSERT_ID()",
                        FuzzWorld.next(dialect, "SELECT "));
            case H2 ->
                pick(
                        "SHOW TABLES",
                        "SHOW COLUMNS FROM settings",
                        "TABLE INFORMATION_SCHEMA.TABLES",
                        "SCRIPT",
                        FuzzWorld.next(dialect, "SELECT "));
        };
    }

    private String with() {
        String name = pick(pick(TABLES), pick(TABLES), "t", "dual", "kv", "\"users\"", "t1");
        String table = pick(TABLES);
        String query = pick(
                "SELECT id, name FROM users",
                "SELECT id, label FROM settings",
                "SELECT id FROM users",
                "SELECT * FROM " + table,
                "SELECT * FROM posts WHERE public = TRUE",
                "SELECT user_id, event_id, role FROM members WHERE user_id = " + pick("1", "2"),
                "SELECT id, name FROM users UNION SELECT id, label FROM settings");
        String with = "WITH " + pick("", "", "RECURSIVE ") + name + pick("", "", "(id)") + " AS (" + query + ") ";
        String read = pick(
                "SELECT * FROM " + name,
                "SELECT a.* FROM " + name + " a",
                "SELECT * FROM " + table,
                "SELECT * FROM notes WHERE id IN (SELECT id FROM " + name + ")");
        return switch (random.nextInt(5)) {
            // The name means something inside only.
            case 4 ->
                "SELECT * FROM " + name + " WHERE " + pick("1 IN (", "EXISTS (") + "WITH " + name
                        + " AS (SELECT 1 AS id) SELECT id FROM " + name + ")";
            case 0 -> "SELECT * FROM (" + with + read + ") z";
            case 1 -> "WITH o AS (" + with + read + ") SELECT * FROM o";
            default -> with + read;
        };
    }

    private FuzzStep kept(int request, int connection) {
        if (random.nextInt(3) == 0) {
            String text = pick(
                    "SELECT id, 'a\\' AS b, ' || ? || ' AS c -- '\nFROM users WHERE id = 1",
                    "UPDATE notes SET text = 'a\\', author = ' || ? || ' + 0 WHERE id = 1 -- '\n");
            return new FuzzStep(
                    Kind.KEEP,
                    request,
                    connection,
                    List.of(text),
                    FuzzSetters.OBJECT,
                    List.of(pick(
                            ", (SELECT email FROM users WHERE id=3), ",
                            " + 0, text = (SELECT email FROM users WHERE id = 3), author = ")));
        }
        return of(
                Kind.KEEP,
                request,
                connection,
                pick(
                        "SELECT id, \"email\" AS q FROM users",
                        "SELECT id, text FROM notes",
                        "SELECT id, label FROM settings",
                        "SELECT id, name FROM users",
                        "UPDATE notes SET text = 'w' WHERE id = 1",
                        "WITH t AS (SELECT id, name FROM users) SELECT * FROM t",
                        shown(),
                        conflict()));
    }

    private String setting() {
        return switch (dialect) {
            case POSTGRESQL ->
                pick(
                        "SET standard_conforming_strings = off",
                        "SET standard_conforming_strings = on",
                        "SET search_path = x, public",
                        "SET search_path = public, x",
                        "SET search_path = x",
                        "SET default_text_search_config = 'simple'",
                        "SET default_text_search_config = 'pg_catalog.english'",
                        "SET IntervalStyle = 'iso_8601'",
                        "RESET ALL",
                        "DISCARD ALL",
                        "DEALLOCATE ALL");
            case MARIADB ->
                pick(
                        "SET sql_mode = 'ANSI_QUOTES'",
                        "SET sql_mode = ''",
                        "SET sql_mode = 'NO_BACKSLASH_ESCAPES'",
                        "SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
                        "SET sql_mode = 'PIPES_AS_CONCAT'",
                        "SET sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'",
                        "SET character_set_connection = latin1",
                        "SET sql_mode = DEFAULT",
                        "SET insert_id = 1",
                        "SET auto_increment_offset = 1",
                        "USE fuzz_x");
            case H2 ->
                pick(
                        "SET SCHEMA x",
                        "SET SCHEMA PUBLIC",
                        "SET SCHEMA_SEARCH_PATH x, PUBLIC",
                        "SET REFERENTIAL_INTEGRITY FALSE",
                        "SET MODE MySQL",
                        "SET NON_KEYWORDS VALUE");
        };
    }

    private String ddl() {
        String column = pick("value", "date", "x", "n", "user", "hidden", "label");
        String computed =
                pick(column, "(" + column + ")", "concat(" + column + ")", "lower(" + column + ")", "'c'", "1 + 1");
        var all = new ArrayList<>(List.of(
                "ALTER TABLE kv ADD COLUMN more VARCHAR(50) DEFAULT " + computed,
                "ALTER TABLE kv ALTER COLUMN label SET DEFAULT " + computed,
                "ALTER TABLE settings ALTER COLUMN id SET DEFAULT " + pick("1", "2"),
                "CREATE TEMPORARY TABLE members (user_id INT, event_id INT, role VARCHAR(20))",
                "CREATE TEMPORARY TABLE members AS SELECT 1 AS user_id, 8 AS event_id, 'x' AS role",
                "CREATE TEMPORARY TABLE t AS SELECT 2 AS user_id, 7 AS event_id, 'x' AS role",
                "CREATE TEMPORARY TABLE t (user_id INT, event_id INT, role VARCHAR(20))",
                "CREATE TABLE t (user_id INT, event_id INT, role VARCHAR(20))",
                "CREATE UNIQUE INDEX g ON settings (label)",
                "CREATE INDEX g ON users (" + pick("name", "lower(name)", "lower(email)", "(salary - 777003)") + ")",
                "ALTER TABLE posts DROP COLUMN public",
                "ALTER TABLE kv DROP COLUMN label",
                "ALTER TABLE kv ADD COLUMN label VARCHAR(50) DEFAULT " + computed,
                "TRUNCATE TABLE notes",
                "ALTER TABLE posts ADD CONSTRAINT uq UNIQUE (author_id)",
                "ALTER TABLE notes ADD CONSTRAINT nu FOREIGN KEY (author) REFERENCES users (id)",
                "DROP TABLE kv",
                "ALTER TABLE notes ADD CONSTRAINT f FOREIGN KEY (text) REFERENCES users (email)",
                "CREATE VIEW seen AS SELECT * FROM users"));
        switch (dialect) {
            case POSTGRESQL ->
                all.addAll(List.of(
                        "CREATE TEMP TABLE users AS SELECT id, name FROM users",
                        "ALTER TABLE notes ADD CONSTRAINT f FOREIGN KEY (text) REFERENCES users (email) NOT VALID",
                        "ALTER TABLE settings ADD COLUMN shown TEXT GENERATED ALWAYS AS (hidden) STORED",
                        "CREATE SCHEMA \"$user\"",
                        "ALTER TABLE settings ALTER COLUMN label TYPE TEXT USING hidden",
                        "ALTER TABLE settings DISABLE TRIGGER ALL"));
            case MARIADB ->
                all.addAll(List.of(
                        "ALTER TABLE posts FORCE, ALGORITHM=COPY",
                        "CREATE INDEX g ON posts (title) ALGORITHM=COPY",
                        "ALTER TABLE settings ADD UNIQUE (label(2))",
                        "ALTER TABLE settings ADD SYSTEM VERSIONING",
                        "ALTER TABLE settings MODIFY label VARCHAR(60) DEFAULT (hidden)",
                        "ALTER TABLE settings AUTO_INCREMENT = 1",
                        "CREATE OR REPLACE TABLE t1 AS SELECT id, label FROM settings",
                        "ALTER TABLE users CHANGE name name VARCHAR(60)"));
            case H2 ->
                all.addAll(List.of(
                        "ALTER TABLE notes ADD CONSTRAINT f FOREIGN KEY (text) REFERENCES users (email) NOCHECK",
                        "ALTER TABLE notes SET REFERENTIAL_INTEGRITY FALSE",
                        "CREATE LOCAL TEMPORARY TABLE t (user_id INT, event_id INT, role VARCHAR(20))",
                        "CREATE LINKED TABLE seen('', 'jdbc:h2:mem:x', '', '', 'USERS')",
                        "CREATE SYNONYM seen FOR users",
                        "CREATE ALIAS seen FOR 'java.lang.System.getProperty'",
                        "ALTER TABLE settings ALTER COLUMN label SET ON UPDATE hidden"));
        }
        return all.get(random.nextInt(all.size()));
    }

    /** Two texts that differ in a guess of what nobody may see: the first is right. */
    private String[] guess() {
        var all = new ArrayList<String[]>();
        for (String text : List.of(
                "UPDATE settings SET hidden = 'SECRET one?' WHERE id = 1",
                "DELETE FROM settings WHERE hidden = 'SECRET one?'",
                "UPDATE settings SET label = 'x' WHERE hidden = 'SECRET one?'",
                "SELECT count(*) FROM settings WHERE hidden = 'SECRET one?'",
                "SELECT label FROM settings ORDER BY hidden = 'SECRET one?'",
                "INSERT INTO notes SELECT 900, 1, 'x' FROM settings WHERE hidden = 'SECRET one?'",
                "UPDATE notes SET text = 'x' WHERE EXISTS (SELECT 1 FROM settings WHERE hidden = 'SECRET one?')",
                "CREATE INDEX g ON settings (label) WHERE hidden = 'SECRET one?' AND 1/id > 0",
                "CREATE INDEX g ON settings (ln(case when hidden = 'SECRET one?' then 0 else 1 end))",
                "CREATE INDEX g ON users (sqrt(salary - 777004 + length('?')))",
                "CREATE UNIQUE INDEX g ON settings (nullif(hidden, 'SECRET one?'))",
                "ALTER TABLE settings ADD CONSTRAINT c CHECK (hidden <> 'SECRET one?')",
                "ALTER TABLE settings ADD COLUMN c INT DEFAULT (1 / (hidden = 'SECRET one?'))",
                "SELECT 1 FROM notes WHERE (SELECT hidden FROM settings WHERE id = 1) = 'SECRET one?'")) {
            all.add(new String[] {text.replace("?", ""), text.replace("?", "s")});
        }
        for (String text : hidden()) {
            all.add(new String[] {text.replace("?", ""), text.replace("?", "s")});
        }
        // Counters, numbers and warnings that rows leave behind which nobody is shown.
        String shown = switch (dialect) {
            case POSTGRESQL -> "public IN (TRUE" + ", TRUE".repeat(7) + ")";
            case MARIADB -> "public IN (TRUE, TRUE)";
            case H2 -> "TRUE IN (public, public, public, public, public)";
        };
        for (String value : dialect == Dialect.MARIADB
                ? List.of(FuzzWorld.next(dialect, ""), "LAST_INSERT_ID(77)", "title + 0")
                : List.of(FuzzWorld.next(dialect, ""))) {
            String text =
                    "FROM posts WHERE (CASE WHEN title = 'SECRET two?' THEN " + value + " END) IS NULL AND " + shown;
            for (String begins : List.of("SELECT id ", "INSERT INTO notes SELECT id + 900, 1, 'x' ")) {
                all.add(new String[] {begins + text.replace("?'", "'"), begins + text.replace("?'", "s'")});
            }
        }
        if (dialect == Dialect.MARIADB) {
            for (String text : List.of(
                    "INSERT INTO settings(id, label) VALUES (1, 'l1') ON DUPLICATE KEY UPDATE hidden = 'SECRET one?'",
                    "INSERT INTO settings(id, label, hidden) VALUES (1, 'l1', 'SECRET one?')"
                            + " ON DUPLICATE KEY UPDATE label = 'l1', hidden = values(hidden)",
                    "REPLACE INTO settings(id, code, label, hidden) VALUES (1, 'KEYQ', 'l1', 'SECRET one?')",
                    "UPDATE IGNORE settings SET hidden = 'SECRET one?' WHERE id = 1")) {
                all.add(new String[] {text.replace("?", ""), text.replace("?", "s")});
            }
        }
        return all.get(random.nextInt(all.size()));
    }

    /** Own rows in tables of the session's own, under the names of others. */
    private String own() {
        return pick(
                "INSERT INTO t VALUES (1, 8, 'x')",
                "INSERT INTO t VALUES (2, 7, 'x')",
                "INSERT INTO settings(id, code, label) VALUES (9, 'KEY9', 'mine')",
                "DELETE FROM kv WHERE id = 2",
                "UPDATE kv SET label = DEFAULT",
                "UPDATE settings SET label = DEFAULT WHERE id = 1",
                "UPDATE settings SET id = DEFAULT WHERE id = 2");
    }
}
