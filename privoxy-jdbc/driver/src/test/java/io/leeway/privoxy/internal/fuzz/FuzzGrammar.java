package io.leeway.privoxy.internal.fuzz;

import io.leeway.privoxy.internal.fuzz.FuzzStep.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Draws scenarios. What they need beside SQL's ordinary sentences is drawn from what has been an attack before. */
final class FuzzGrammar {

    private static final Map<String, String[]> COLUMNS = Map.of(
            "users", new String[] {"id", "name", "email", "salary"},
            "posts", new String[] {"id", "author_id", "title", "public"},
            "events", new String[] {"id", "title"},
            "members", new String[] {"user_id", "event_id", "role"},
            "notes", new String[] {"id", "author", "text"},
            "times", new String[] {"id", "held", "began", "opens", "label"});
    private static final String[] TABLES = {"users", "posts", "events", "members", "notes", "times"};
    /** Of a step's choices; it has many divisors. */
    static final int CHOICES = 720;

    private static final Map<String, String> TIMES =
            Map.of("held", "2020-01-01", "began", "2020-01-01 09:00:00", "opens", "09:00:00");
    /** The connection that is a pool's handle. */
    private static final int POOLED = 3;

    private final RandomGenerator random;
    private final Dialect dialect;
    private final FuzzKinds kinds;

    FuzzGrammar(RandomGenerator random, Dialect dialect) {
        this.random = random;
        this.dialect = dialect;
        this.kinds = new FuzzKinds(random, dialect);
    }

    List<FuzzStep> scenario() {
        int connections = 2 + random.nextInt(3);
        int requests = 1 + random.nextInt(3);
        if (random.nextInt(6) == 0) {
            return still(requests, connections);
        }
        int length = 4 + random.nextInt(9);
        var steps = new ArrayList<FuzzStep>();
        if (random.nextInt(15) == 0) {
            steps.addAll(kinds.uncommitted());
            length /= 2;
        } else if (random.nextInt(15) == 0) {
            steps.addAll(kinds.falseFacts());
            length /= 2;
        }
        for (int i = 0; i < length; i++) {
            steps.add(step(random.nextInt(requests), random.nextInt(connections)));
        }
        return steps;
    }

    /** Requests beside which nobody writes: what they may be shown follows from the state in which they begin. */
    private List<FuzzStep> still(int requests, int connections) {
        var steps = new ArrayList<FuzzStep>();
        for (int i = random.nextInt(3); i > 0; i--) {
            steps.add(of(Kind.WRITER, 0, 0, writer()));
        }
        for (int i = 0; i < connections; i++) {
            steps.add(of(Kind.RECONNECT, 0, i));
        }
        for (int i = 0; i < requests; i++) {
            steps.add(of(Kind.NEXT_REQUEST, i, 0));
        }
        for (int i = 4 + random.nextInt(5); i > 0; i--) {
            int request = random.nextInt(requests);
            int connection = random.nextInt(connections);
            steps.add(
                    switch (random.nextInt(8)) {
                        case 0, 1 -> kinds.read(request, connection);
                        case 2, 3 -> prepared(pick(Kind.PREPARED, Kind.PREPARED, Kind.KEEP), request, connection);
                        case 4 -> of(Kind.RUN_KEPT, request, connection);
                        default -> of(Kind.QUERY, request, connection, query());
                    });
        }
        return steps;
    }

    private FuzzStep step(int request, int connection) {
        if (random.nextInt(3) == 0) {
            return kinds.step(request, connection);
        }
        int roll = random.nextInt(100);
        if (roll < 34) {
            return of(roll < 22 ? Kind.QUERY : roll < 28 ? Kind.PARTIAL : Kind.SCROLL, request, connection, query());
        }
        if (roll < 42) {
            return random.nextInt(4) == 0
                    ? stored(pick(Kind.PREPARED, Kind.VALUES, Kind.VALUES), request, connection)
                    : prepared(Kind.PREPARED, request, connection);
        }
        if (roll < 45) {
            return prepared(Kind.KEEP, request, connection);
        }
        if (roll < 48) {
            return of(Kind.RUN_KEPT, request, connection);
        }
        if (roll < 60) {
            return of(Kind.WRITER, request, connection, writer());
        }
        if (roll < 66) {
            return of(random.nextInt(4) == 0 ? Kind.KEYS : Kind.WRITE, request, connection, write());
        }
        if (roll < 69) {
            return of(Kind.BATCH, request, connection, texts(2 + random.nextInt(2)));
        }
        if (roll < 72) {
            return of(Kind.MULTI, request, connection, texts(2 + random.nextInt(2)));
        }
        if (roll < 76) {
            return of(Kind.SET, request, connection, set());
        }
        if (roll < 80) {
            return of(Kind.AUTO_COMMIT, request, connection);
        }
        if (roll < 84) {
            return of(pick(Kind.COMMIT, Kind.ROLLBACK), request, connection);
        }
        if (roll < 88) {
            return of(
                    pick(Kind.SAVEPOINT, Kind.ROLLBACK_TO, Kind.RELEASE),
                    request,
                    connection,
                    pick("a", "b\"; --", "c d"));
        }
        if (roll < 90) {
            return of(Kind.ISOLATION, request, connection);
        }
        if (roll < 92) {
            return of(Kind.UPDATABLE, request, connection, updatable());
        }
        if (roll < 94) {
            return of(
                    pick(Kind.READ_ONLY, Kind.SCHEMA, Kind.RECONNECT),
                    request,
                    connection,
                    pick("public", "x", "PUBLIC"));
        }
        if (roll == 94) {
            return of(pick(Kind.OLD_HANDLE, Kind.RECONNECT), request, POOLED, "SELECT id, name FROM users");
        }
        if (roll < 97) {
            return of(Kind.NEXT_REQUEST, request, connection);
        }
        return roll < 99 || dialect == Dialect.H2
                ? of(Kind.XA, request, connection, query(), query())
                : of(Kind.DDL, request, connection, ddl());
    }

    @SafeVarargs
    private <T> T pick(T... options) {
        return options[random.nextInt(options.length)];
    }

    private FuzzStep of(Kind kind, int request, int connection, String... texts) {
        return of(kind, request, connection, List.of(texts));
    }

    private FuzzStep of(Kind kind, int request, int connection, List<String> texts) {
        return new FuzzStep(kind, request, connection, texts, random.nextInt(CHOICES), List.of());
    }

    private FuzzStep prepared(Kind kind, int request, int connection) {
        String table = pick(TABLES);
        String column = pick(COLUMNS.get(table));
        String more = pick(COLUMNS.get(table));
        String begin = "SELECT " + pick("*", "*", columns(table)) + " FROM " + table + " WHERE ";
        boolean isArray = dialect != Dialect.MARIADB && random.nextInt(8) == 0;
        boolean isOne = isArray || random.nextInt(3) > 0;
        String text = isOne
                ? begin
                        + column
                        + (isArray ? " = ANY (?)" : pick(" = ?", " = ?", " = ?", " > ?", " LIKE ?"))
                        + pick("", "", " AND " + condition(table))
                : begin + column + " = ? " + pick("AND ", "OR ") + more + " = ?";
        return new FuzzStep(
                kind,
                request,
                connection,
                List.of(text),
                FuzzSetters.draw(random),
                isOne ? List.of(value(column)) : List.of(value(column), value(more)));
    }

    /**
     * A write with values, three rows of them for a batch; into no column in which canaries are missed later, since only
     * what a write reads is decided on.
     */
    private FuzzStep stored(Kind kind, int request, int connection) {
        String[] write = pick(
                new String[] {"INSERT INTO notes VALUES (?, ?, ?)", "id", "author", "text"},
                new String[] {"UPDATE notes SET text = ? WHERE id = ?", "text", "id"},
                new String[] {"UPDATE users SET name = ? WHERE id = ?", "text", "id"},
                new String[] {"UPDATE posts SET title = ? WHERE id = ?", "text", "id"},
                new String[] {"UPDATE posts SET title = ? WHERE author_id = ?", "text", "id"},
                new String[] {"INSERT INTO settings(id, code, label) VALUES (?, ?, ?)", "id", "text", "text"},
                new String[] {"UPDATE times SET label = ? WHERE began = ?", "text", "began"},
                new String[] {"DELETE FROM members WHERE user_id = ?", "id"},
                new String[] {"DELETE FROM notes WHERE text = ?", "text"});
        var values = new ArrayList<Object>();
        for (int row = kind == Kind.VALUES ? 3 : 1; row > 0; row--) {
            for (int i = 1; i < write.length; i++) {
                // Nothing that tells whose it is where views show it.
                values.add(write[i].equals("text") ? pick("own", "w", " own", "own ") : value(write[i]));
            }
        }
        return new FuzzStep(kind, request, connection, List.of(write[0]), FuzzSetters.draw(random), values);
    }

    /** A value for a column: of its kind, at an edge, or of another one. */
    private Object value(String column) {
        boolean number = column.endsWith("id") || column.equals("salary") || column.equals("author");
        if (TIMES.containsKey(column)) {
            return pick(
                    TIMES.get(column),
                    TIMES.get(column),
                    Timestamp.valueOf("2020-01-01 09:00:00"),
                    LocalDateTime.parse("2020-01-01T09:00:00"),
                    OffsetDateTime.parse("2020-01-01T09:00:00+09:00"),
                    OffsetDateTime.parse("2020-01-01T09:00:00Z"),
                    LocalDate.parse("2020-01-01"),
                    "2020-01-01 09:00:00+09",
                    "infinity");
        }
        if (random.nextInt(4) == 0) {
            return pick(
                    (Object) 4294967297L,
                    65537L,
                    257L,
                    new BigDecimal("1.0"),
                    BigInteger.ONE,
                    1.0d,
                    1.0f,
                    "1",
                    " 1",
                    "1e0",
                    "Ada ",
                    "ada",
                    "\ud800",
                    "01",
                    true,
                    'A',
                    -1L,
                    "");
        }
        if (column.equals("public")) {
            return pick((Object) true, true, false);
        }
        return number
                ? (Object) (long) (1 + random.nextInt(9))
                : pick("Ada", "Bob", "ada@x", "one", "three", "guest", "EVENT8");
    }

    private String columns(String table) {
        String[] all = COLUMNS.get(table);
        var some = new ArrayList<String>();
        for (String column : all) {
            if (random.nextInt(3) > 0) {
                some.add(column);
            }
        }
        return some.isEmpty() ? all[0] : String.join(", ", some);
    }

    private String condition(String table) {
        String column = pick(COLUMNS.get(table));
        if (column.equals("public")) {
            return "public = " + pick("TRUE", "TRUE", "FALSE");
        }
        boolean number = column.endsWith("id") || column.equals("salary") || column.equals("author");
        if (TIMES.containsKey(column)) {
            return column + pick(" = '", " = '", " >= '") + TIMES.get(column) + "'";
        }
        String own = number
                ? Integer.toString(1 + random.nextInt(9))
                : pick(
                        "'Ada'",
                        "'Bob'",
                        "'one'",
                        "'three'",
                        "'guest'",
                        "'ada@x'",
                        "'moved'",
                        "'ada '",
                        "N'Ada'",
                        "'EVENT8'");
        return switch (random.nextInt(8)) {
            case 0 -> column + " IN (" + own + ", " + (number ? "2" : "'x'") + ")";
            case 1 -> column + " IS " + pick("", "NOT ") + "NULL";
            case 2 -> number ? column + pick(" > ", " < ", " >= ", " <> ") + own : column + " LIKE " + own;
            default -> column + " = " + own;
        };
    }

    private String query() {
        String table = pick(TABLES);
        return switch (random.nextInt(12)) {
            case 0 -> "SELECT * FROM " + table;
            case 1 ->
                "SELECT e.* FROM events e JOIN members m ON m.event_id = e.id WHERE m.user_id = " + pick("1", "2", "3");
            case 2 -> "SELECT * FROM events WHERE id = " + pick("7", "8", "9");
            case 3 -> "SELECT * FROM users WHERE " + pick("id", "id", "email") + " = " + pick("1", "2", "3", "'ada@x'");
            case 4 -> "SELECT p.*, u.name FROM posts p JOIN users u ON u.id = p.author_id WHERE " + qualified("p");
            case 5 -> "SELECT * FROM members WHERE user_id = " + pick("1", "2", "3") + pick("", " FOR UPDATE");
            case 6 ->
                "SELECT " + columns(table) + " FROM " + table + " WHERE " + condition(table) + " OR "
                        + condition(table);
            case 7 -> "SELECT * FROM posts WHERE public = TRUE" + pick("", " ORDER BY id LIMIT 2");
            case 8 ->
                "SELECT * FROM events e WHERE EXISTS (SELECT 1 FROM members m WHERE m.event_id = e.id AND m.user_id = "
                        + pick("1", "2", "4") + ")";
            case 9 -> "SELECT * FROM posts WHERE author_id = " + pick("1", "2", "3", "4");
            case 10 -> "SELECT DISTINCT " + columns(table) + " FROM " + table + " WHERE " + condition(table);
            default ->
                "SELECT " + pick("*", columns(table)) + " FROM " + table + " WHERE " + condition(table)
                        + pick("", "", " AND " + condition(table));
        };
    }

    private String qualified(String alias) {
        return alias + "." + pick("id = 1", "id = 2", "public = TRUE", "author_id = 1", "author_id = 3");
    }

    /** What somebody past the policy does; no canary becomes visible by it. */
    private String writer() {
        return pick(
                "UPDATE posts SET author_id = 3 WHERE id = 1",
                "UPDATE posts SET author_id = 1 WHERE id = 1",
                "UPDATE posts SET public = FALSE, author_id = 3 WHERE id = 5",
                "UPDATE posts SET public = TRUE WHERE id = 1",
                "UPDATE posts SET title = 'moved' WHERE id IN (1, 3)",
                "UPDATE users SET email = 'ada2@x' WHERE id = 1",
                "UPDATE users SET email = 'ada@x', salary = 101 WHERE id = 1",
                "UPDATE users SET name = 'moved' WHERE id = " + pick("1", "2", "3"),
                "DELETE FROM members WHERE user_id = 1 AND event_id = " + pick("7", "8"),
                "DELETE FROM members WHERE user_id = 2",
                "INSERT INTO members VALUES (1, 8, 'guest')",
                "INSERT INTO members VALUES (2, 7, 'guest')",
                "UPDATE members SET event_id = 7 WHERE user_id = 2 AND event_id = 8",
                "UPDATE members SET role = 'owner' WHERE user_id = 1",
                "DELETE FROM posts WHERE id = 3",
                "INSERT INTO posts VALUES (6, 3, 'six', TRUE)",
                "UPDATE notes SET text = 'n3', author = 2 WHERE id = 1");
    }

    private String write() {
        return pick(
                "UPDATE users SET email = 'own@x' WHERE id = " + pick("1", "2"),
                "UPDATE users SET name = 'own' WHERE id = " + pick("1", "2"),
                "UPDATE posts SET title = 'own' WHERE id = " + pick("1", "3", "4"),
                "UPDATE posts SET public = TRUE WHERE id = " + pick("1", "2", "4"),
                "UPDATE posts SET author_id = 2 WHERE author_id = 1",
                "DELETE FROM members WHERE user_id = 1",
                "DELETE FROM members WHERE user_id = 1 AND event_id = 7",
                "INSERT INTO notes VALUES (" + (3 + random.nextInt(4)) + ", 1, 'own')",
                "INSERT INTO notes SELECT id + 500, 1, email FROM users",
                "INSERT INTO notes SELECT id + 500, 1, \"email\" FROM users",
                "UPDATE notes SET text = (SELECT title FROM posts WHERE id = 2) WHERE id = 1",
                "UPDATE notes SET author = author WHERE id = 1",
                "DELETE FROM notes WHERE id = 2");
    }

    private List<String> texts(int count) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            texts.add(
                    switch (random.nextInt(6)) {
                        case 0 -> set();
                        case 1 -> pick("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "ROLLBACK TO SAVEPOINT a");
                        case 2 -> query();
                        default -> write();
                    });
        }
        return texts;
    }

    private String set() {
        return switch (dialect) {
            case POSTGRESQL ->
                pick(
                        "SET search_path = x, public",
                        "SET LOCAL search_path = x, public",
                        "RESET ALL",
                        "RESET search_path",
                        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                        "SET TimeZone = 'Asia/Tokyo'",
                        "BEGIN",
                        "COMMIT",
                        "ROLLBACK",
                        "SET standard_conforming_strings = off",
                        "SET search_path = public",
                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                        "SAVEPOINT a",
                        "ROLLBACK TO SAVEPOINT a",
                        "RELEASE SAVEPOINT a",
                        "SET DateStyle = 'German'");
            case MARIADB ->
                pick(
                        "SET sql_mode = 'ANSI_QUOTES'",
                        "SET sql_mode = DEFAULT",
                        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
                        "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                        "BEGIN",
                        "START TRANSACTION",
                        "COMMIT",
                        "ROLLBACK",
                        "SET autocommit = 0",
                        "SET autocommit = 1",
                        "SAVEPOINT a",
                        "ROLLBACK TO SAVEPOINT a",
                        "SET time_zone = '+09:00'",
                        "SET sql_select_limit = 1",
                        "SET sql_auto_is_null = 1",
                        "SET sql_mode = 'NO_BACKSLASH_ESCAPES'",
                        "SET names latin1");
            case H2 ->
                pick(
                        "SET SCHEMA PUBLIC",
                        "SET AUTOCOMMIT OFF",
                        "SET AUTOCOMMIT ON",
                        "COMMIT",
                        "ROLLBACK",
                        "SAVEPOINT A",
                        "ROLLBACK TO SAVEPOINT A",
                        "SET TIME ZONE 'Asia/Tokyo'",
                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SNAPSHOT",
                        "SET SCHEMA_SEARCH_PATH PUBLIC");
        };
    }

    private String updatable() {
        return pick(
                "SELECT id, author, text FROM notes WHERE id = 1",
                "SELECT id, name /* from posts */ FROM users WHERE id = 1",
                "SELECT id, name -- from posts \n FROM users WHERE id = 2",
                "SELECT id, name AS \" from events \" FROM users WHERE id = 2",
                "SELECT id, title FROM posts WHERE public = TRUE",
                "SELECT id, name FROM users WHERE id = " + pick("1", "2"));
    }

    private String ddl() {
        return pick(
                "ALTER TABLE notes ADD COLUMN more INT DEFAULT 0 NOT NULL",
                "ALTER TABLE users ADD COLUMN shown VARCHAR(60) GENERATED ALWAYS AS (email) STORED",
                dialect == Dialect.POSTGRESQL
                        ? "ALTER TABLE users ALTER COLUMN name TYPE VARCHAR(60) USING email"
                        : "ALTER TABLE users MODIFY name VARCHAR(60) AS (email)",
                dialect == Dialect.POSTGRESQL
                        ? "ALTER TABLE posts ALTER COLUMN public TYPE boolean USING true"
                        : "ALTER TABLE posts MODIFY author_id TINYINT",
                "ALTER TABLE posts DROP COLUMN public",
                "ALTER TABLE posts ADD COLUMN public BOOLEAN DEFAULT TRUE NOT NULL",
                "CREATE TABLE t1 AS SELECT id, email FROM users",
                "CREATE TABLE t2 AS SELECT id, name FROM users",
                "CREATE INDEX notes_author ON notes (author)",
                "ALTER TABLE users RENAME TO events");
    }
}
