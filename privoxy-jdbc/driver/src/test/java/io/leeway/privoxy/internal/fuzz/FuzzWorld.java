package io.leeway.privoxy.internal.fuzz;

import io.leeway.privoxy.PrivoxyXADataSource;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * A random schema with a random policy and canaries: what begins with {@value #SECRET} is shown by no view to anybody who
 * asks here, an event's title is only while its member is one.
 */
final class FuzzWorld implements AutoCloseable {

    /** Begins every text that nobody may see. */
    static final String SECRET = "SECRET";
    /** Begins the titles of events, before their number. */
    static final String EVENT = "EVENT";
    /** Added to numbers that nobody may see. */
    static final int SECRET_NUMBER = 777_000;

    /** A canary in a message; not these digits within the number of a query, which is hexadecimal. */
    static final Pattern SAID = Pattern.compile(SECRET + " |(?<![0-9a-f])7770\\d\\d(?![0-9a-f])");

    /** Name of a schema, or end of that of a database, in which tables have the same names. */
    static final String OTHER = "x";

    private static final int LOCK_MILLIS = 30;
    /** MariaDB's. */
    private static final String WAITS = "innodb_lock_wait_timeout=0,lock_wait_timeout=1";

    private static final int PATIENCE = 60;
    private static final int LARGE_OBJECTS = 9;
    /** A sequence that anybody may count with. */
    static final String COUNTER = "sq";

    final Dialect dialect;
    final TestDatabase database;
    final Path policy;
    final String policyText;
    /** The schema, on MariaDB the database, in which tables have the same names. */
    final String other;

    private final List<String> tables;
    private final List<String> reset;
    private final String booleans;
    private final String sight;

    FuzzWorld(Dialect dialect, DatabaseServer server, Path directory, int number, RandomGenerator random)
            throws SQLException {
        this.dialect = dialect;
        String text = dialect == Dialect.MARIADB
                ? "VARCHAR(60) CHARACTER SET utf8mb4 COLLATE " + pick(random, "utf8mb4_nopad_bin", "utf8mb4_general_ci")
                : pick(random, "VARCHAR(60)", dialect == Dialect.POSTGRESQL ? "TEXT" : "VARCHAR(100)");
        String key = pick(random, "BIGINT", "INT");
        this.booleans = "BOOLEAN";
        boolean keys = random.nextBoolean();
        var made = new ArrayList<String>(List.of(
                "CREATE TABLE users (id " + key + " PRIMARY KEY, name " + text + " NOT NULL, email " + text
                        + (random.nextBoolean() ? " NOT NULL UNIQUE" : "") + ", salary INT"
                        + (random.nextBoolean() ? " NOT NULL)" : ")"),
                "CREATE TABLE posts (id " + key + " PRIMARY KEY, author_id " + key + " NOT NULL"
                        + (keys ? " REFERENCES users (id)" + pick(random, "", " ON UPDATE CASCADE") : "") + ", title "
                        + text + ", public " + booleans
                        + " NOT NULL)",
                "CREATE TABLE events (id " + key + " PRIMARY KEY, title " + text + " NOT NULL)",
                "CREATE TABLE members (user_id " + key + " NOT NULL, event_id " + key + " NOT NULL"
                        + (random.nextBoolean() && keys ? " REFERENCES events (id)" : "") + ", role " + text
                        + " NOT NULL, PRIMARY KEY (user_id, event_id))",
                "CREATE TABLE notes (id " + key + " PRIMARY KEY, author " + key + ", text " + text + ")",
                "CREATE TABLE kv (id INT PRIMARY KEY, label VARCHAR(50), "
                        + (dialect == Dialect.H2 ? "\"VALUE\"" : "value")
                        + " VARCHAR(50), " + (dialect == Dialect.H2 ? "n" : "date") + " VARCHAR(50), x VARCHAR(50))"));
        made.addAll(settings(dialect, text, random));
        made.add(times(dialect, random));
        made.add("CREATE SEQUENCE " + COUNTER);
        tables = List.copyOf(made);
        var views = new ArrayList<String>();
        views.add("CREATE CONTEXT MyUId " + key + ";");
        views.add(
                "CREATE VIEW labels AS SELECT id, label" + (random.nextBoolean() ? ", code" : "") + " FROM settings;");
        views.add("CREATE VIEW most AS SELECT * FROM settings WHERE "
                + pick(random, "id <> 1", "id > 1", "code <> 'KEYQ'") + ";");
        views.add("CREATE VIEW keys_only AS SELECT id, label FROM kv;");
        views.add("CREATE VIEW names AS SELECT id, name FROM users;");
        views.add("CREATE VIEW me AS SELECT * FROM users WHERE id = ?MyUId;");
        views.add("CREATE VIEW public_posts AS SELECT * FROM posts WHERE public = TRUE;");
        var seen = new ArrayList<>(List.of(
                "SELECT email FROM users WHERE id = ?",
                "SELECT CAST(salary AS " + (dialect == Dialect.MARIADB ? "CHAR" : "VARCHAR")
                        + ") FROM users WHERE id = ?",
                "SELECT title FROM posts WHERE public = TRUE",
                "SELECT role FROM members WHERE user_id = ?",
                "SELECT e.title FROM events e JOIN members m ON m.event_id = e.id WHERE m.user_id = ?"));
        if (random.nextBoolean()) {
            seen.add("SELECT title FROM posts WHERE author_id = ?");
            views.add("CREATE VIEW my_posts AS SELECT * FROM posts WHERE author_id = ?MyUId;");
        }
        views.add("CREATE VIEW my_memberships AS SELECT * FROM members WHERE user_id = ?MyUId;");
        views.add("CREATE VIEW my_events AS SELECT e.* FROM events e JOIN members m ON m.event_id = e.id"
                + " WHERE m.user_id = ?MyUId;");
        if (random.nextBoolean()) {
            seen.add("SELECT o.role FROM members o JOIN members m ON m.event_id = o.event_id WHERE m.user_id = ?");
            views.add("CREATE VIEW companions AS SELECT o.* FROM members o JOIN members m ON m.event_id = o.event_id"
                    + " WHERE m.user_id = ?MyUId;");
        }
        if (dialect == Dialect.POSTGRESQL && random.nextBoolean()) {
            // Under another configuration of text search it would show all.
            views.add("CREATE VIEW worded AS SELECT * FROM settings WHERE NOT to_tsvector(hidden) @@"
                    + " to_tsquery('secrets');");
        }
        views.add("CREATE VIEW all_notes AS SELECT * FROM notes;");
        views.add("CREATE VIEW at_nine AS SELECT * FROM times WHERE "
                + pick(random, "began = '2020-01-01 09:00:00'", "held = '2020-01-01'", "opens = '09:00:00'") + ";");
        if (random.nextInt(3) == 0) {
            views.add("CREATE ASSERTION owners AS SELECT event_id FROM members WHERE role = 'owner'"
                    + " IS CONTAINED IN SELECT event_id FROM members WHERE role = 'owner';");
        }
        sight = String.join(" UNION ALL ", seen);
        policyText = String.join("\n", views);
        policy = directory.resolve("fuzz-" + dialect + number + ".sql");
        try {
            Files.writeString(policy, policyText);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reset = List.of(
                "DELETE FROM settings",
                "DELETE FROM kv",
                "DELETE FROM times",
                "DELETE FROM members",
                "DELETE FROM posts",
                "DELETE FROM events",
                "DELETE FROM notes",
                "DELETE FROM users",
                "INSERT INTO users VALUES (1, 'Ada', 'ada@x', 100), (2, 'Bob', 'bob@x', 200),"
                        + " (3, 'Cy', 'SECRET3@x', 777003), (4, 'Di', 'SECRET4@x', 777004)",
                "INSERT INTO posts VALUES (1, 1, 'one', TRUE), (2, 3, 'SECRET two', FALSE), (3, 3, 'three', TRUE),"
                        + " (4, 4, 'SECRET four', FALSE), (5, 2, 'five', TRUE)",
                "INSERT INTO events VALUES (7, 'EVENT7'), (8, 'EVENT8'), (9, 'SECRET nine')",
                "INSERT INTO members VALUES (1, 7, 'guest'), (3, 8, 'owner'), (2, 8, 'guest'), (4, 9, 'SECRET role')",
                "INSERT INTO notes VALUES (1, 1, 'n1'), (2, 3, 'n2')",
                "INSERT INTO settings(id, code, label, hidden) VALUES (1, 'KEYQ', 'l1', 'SECRET one'),"
                        + " (2, NULL, 'l2', 'mine')",
                "INSERT INTO kv VALUES (1, 'k1', 'SECRET v', 'SECRET d', 'SECRET x')",
                // What another zone, another calendar or NULL makes of the first is a canary.
                "INSERT INTO times VALUES (1, '2020-01-01', '2020-01-01 09:00:00', '09:00:00', 't1'),"
                        + " (2, '2019-12-31', '2020-01-01 00:00:00', '00:00:00', 'SECRET zone'),"
                        + " (3, '2020-01-02', '2020-01-01 18:00:00', '18:00:00', 'SECRET zone'),"
                        + " (4, '2020-01-03', '2020-01-01 14:00:00', '14:00:00', 'SECRET zone'),"
                        + " (5, NULL, NULL, NULL, 'SECRET null')");
        database = server.freshDatabase("fuzz").execute(tables.toArray(String[]::new));
        if (dialect == Dialect.POSTGRESQL) {
            database.execute(
                    "ALTER DATABASE " + database.name() + " SET default_text_search_config = 'pg_catalog.english'");
        }
        if (dialect == Dialect.POSTGRESQL) {
            // Its driver takes numbers for the names of these.
            for (int object = 1; object <= LARGE_OBJECTS; object++) {
                database.execute("SELECT lo_from_bytea(" + object + ", 'SECRET large')");
            }
        }
        other = dialect == Dialect.MARIADB ? database.name() + "_" + OTHER : OTHER;
        try (Connection connection = plain()) {
            makeOther(connection);
        }
    }

    /** The schema in which tables have the same names, and all is canaries. */
    private void makeOther(Connection plain) throws SQLException {
        String in = other + ".";
        String schema = dialect == Dialect.MARIADB ? "DATABASE " : "SCHEMA ";
        try (Statement statement = plain.createStatement()) {
            for (String sql : List.of(
                    "DROP " + schema + "IF EXISTS " + other + (dialect == Dialect.MARIADB ? "" : " CASCADE"),
                    "CREATE " + schema + other,
                    "CREATE TABLE " + in + "notes AS SELECT 1 AS id, 1 AS author, 'SECRET other' AS text",
                    "CREATE TABLE " + in
                            + "settings AS SELECT 1 AS id, 'KEYQ' AS code, 'SECRET l' AS label, 's' AS hidden",
                    "CREATE TABLE " + in
                            + "users AS SELECT 1 AS id, 'SECRET n' AS name, 'SECRET m' AS email, 777000 AS salary")) {
                statement.execute(sql);
            }
        }
    }

    /** A table with a key that defaults fill in, and another unique index. */
    private static List<String> settings(Dialect dialect, String text, RandomGenerator random) {
        var all = new ArrayList<String>();
        String id = switch (dialect) {
            case POSTGRESQL ->
                pick(
                        random,
                        "id INT PRIMARY KEY DEFAULT 1",
                        "id INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
                        "id SERIAL PRIMARY KEY");
            case MARIADB ->
                pick(random, "id INT PRIMARY KEY DEFAULT 1", "id INT AUTO_INCREMENT PRIMARY KEY", "id INT PRIMARY KEY");
            case H2 ->
                pick(random, "id INT DEFAULT 1 PRIMARY KEY", "id INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY");
        };
        String code = "code " + text
                + (dialect == Dialect.POSTGRESQL
                        ? pick(random, "", " UNIQUE", " UNIQUE NULLS NOT DISTINCT")
                        : pick(random, "", " UNIQUE"));
        String more = dialect == Dialect.MARIADB
                ? pick(random, "", ", UNIQUE (code(3))", ", lo VARCHAR(60) AS (lower(code)) STORED INVISIBLE UNIQUE")
                : "";
        String label = dialect == Dialect.MARIADB
                ? pick(random, "label VARCHAR(60)", "label VARCHAR(60) DEFAULT (concat(hidden, ''))")
                : "label VARCHAR(60)";
        String end = dialect == Dialect.POSTGRESQL ? pick(random, "", ", EXCLUDE USING hash (hidden WITH =)") : "";
        all.add("CREATE TABLE settings (" + id + ", " + code + ", hidden VARCHAR(60), " + label + more + end + ")");
        if (dialect == Dialect.POSTGRESQL) {
            all.add(pick(
                    random,
                    "CREATE INDEX settings_label ON settings (label)",
                    "CREATE UNIQUE INDEX settings_lower ON settings (lower(code))",
                    "CREATE UNIQUE INDEX settings_part ON settings (code) WHERE label <> 'none'"));
        }
        return all;
    }

    private static String times(Dialect dialect, RandomGenerator random) {
        String moment = switch (dialect) {
            case POSTGRESQL -> pick(random, "TIMESTAMP", "TIMESTAMP WITH TIME ZONE");
            case MARIADB -> pick(random, "DATETIME", "TIMESTAMP NULL");
            case H2 -> pick(random, "TIMESTAMP", "TIMESTAMP WITH TIME ZONE");
        };
        return "CREATE TABLE times (id INT PRIMARY KEY, held DATE, began " + moment
                + ", opens TIME, label VARCHAR(60))";
    }

    /** Changes what no view shows to a user. */
    List<String> hide(int user) {
        String own = "(SELECT event_id FROM (SELECT * FROM members) o WHERE user_id = " + user + ")";
        var all = new ArrayList<>(List.of(
                "UPDATE users SET email = concat('SECRET y', id), salary = id + 777100 WHERE id <> " + user,
                "UPDATE posts SET title = concat('SECRET y', id) WHERE public = FALSE AND author_id <> " + user,
                "DELETE FROM posts WHERE id = 4 AND public = FALSE AND author_id <> " + user,
                "INSERT INTO posts VALUES (90, 4, 'SECRET y', FALSE), (91, 4, 'SECRET y', FALSE)",
                "UPDATE events SET title = concat('SECRET y', id) WHERE id NOT IN " + own,
                "INSERT INTO events VALUES (90, 'SECRET y')",
                "UPDATE members SET role = 'SECRET y' WHERE user_id <> " + user + " AND event_id NOT IN " + own,
                "INSERT INTO members VALUES (3, 90, 'SECRET y')",
                "UPDATE settings SET hidden = 'SECRET other' WHERE id = 1",
                "UPDATE kv SET x = 'SECRET y'",
                "UPDATE times SET label = 'SECRET y' WHERE id <> 1"));
        if (!policyText.contains("VIEW companions")) {
            all.add("UPDATE members SET role = 'SECRET y' WHERE user_id <> " + user);
        }
        if (!policyText.contains("VIEW my_posts")) {
            all.add("UPDATE posts SET title = concat('SECRET z', id) WHERE public = FALSE");
        }
        return all;
    }

    static String pick(RandomGenerator random, String... options) {
        return options[random.nextInt(options.length)];
    }

    /** A query, past the policy, of what its views show to a user. */
    String sight(int user) {
        return sight.replace("?", Integer.toString(user));
    }

    /** A checked connection. */
    Connection connect(boolean keepsStatements) throws SQLException {
        Properties properties = properties();
        if (keepsStatements && dialect == Dialect.MARIADB) {
            properties.setProperty("useServerPrepStmts", "true");
        }
        if (keepsStatements && dialect == Dialect.POSTGRESQL) {
            properties.setProperty("prepareThreshold", "1");
        }
        return DriverManager.getConnection("jdbc:privoxy:" + url().substring(5), properties);
    }

    /** Of checked connections that are pooled, or work on branches. */
    PrivoxyXADataSource source() throws SQLException {
        String more = switch (dialect) {
            case POSTGRESQL -> "?options=-c%20lock_timeout=" + LOCK_MILLIS;
            case MARIADB -> "&allowMultiQueries=true&sessionVariables=" + WAITS;
            case H2 -> "";
        };
        var source = new PrivoxyXADataSource();
        source.setUrl("jdbc:privoxy:" + url().substring(5) + more);
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setPrivoxyPolicy(policy.toString());
        return source;
    }

    /** A connection past the policy. */
    Connection plain() throws SQLException {
        Properties properties = properties();
        properties.remove("privoxyPolicy");
        return DriverManager.getConnection(url(), properties);
    }

    /** With short waits: one thread holds all connections. */
    String url() {
        return database.jdbcUrl() + (dialect == Dialect.H2 ? ";LOCK_TIMEOUT=20" : "");
    }

    private Properties properties() {
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", policy.toString());
        switch (dialect) {
            case MARIADB -> {
                properties.setProperty("allowMultiQueries", "true");
                properties.setProperty("sessionVariables", WAITS);
            }
            case POSTGRESQL -> properties.setProperty("options", "-c lock_timeout=" + LOCK_MILLIS);
            case H2 -> {
                // In the URL.
            }
        }
        return properties;
    }

    /** The rows of the beginning, once more. */
    void reset(Connection plain) throws SQLException {
        try (Statement statement = plain.createStatement()) {
            for (String sql : reset) {
                statement.addBatch(sql);
            }
            statement.executeBatch();
        }
    }

    /** The sequence's next value. */
    long count(Connection plain) throws SQLException {
        try (Statement statement = plain.createStatement();
                ResultSet row = statement.executeQuery(next(dialect, "SELECT "))) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The expression that counts. */
    static String next(Dialect dialect, String before) {
        return before + (dialect == Dialect.POSTGRESQL ? "nextval('" + COUNTER + "')" : "NEXT VALUE FOR " + COUNTER);
    }

    /** Makes the tables anew, after a scenario has changed them. */
    void rebuild(Connection plain) throws SQLException {
        // A server may need a while to see that a connection is closed, and with it its locks are gone.
        wait(plain, PATIENCE);
        try (Statement statement = plain.createStatement()) {
            for (String table : List.of(
                    "members", "posts", "events", "notes", "users", "settings", "kv", "times", "t", "t1", "t2")) {
                statement.execute("DROP TABLE IF EXISTS " + table);
            }
            statement.execute("DROP SEQUENCE IF EXISTS " + COUNTER);
            for (String sql : tables) {
                statement.execute(sql);
            }
        }
        makeOther(plain);
        wait(plain, 1);
    }

    /** How many seconds at most, or for one nearly none. */
    private void wait(Connection plain, int seconds) throws SQLException {
        String most = switch (dialect) {
            case POSTGRESQL -> "SET lock_timeout = " + (seconds == 1 ? LOCK_MILLIS : seconds * 1_000);
            case MARIADB -> "SET lock_wait_timeout = " + seconds;
            case H2 -> "";
        };
        if (!most.isEmpty()) {
            try (Statement statement = plain.createStatement()) {
                statement.execute(most);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        if (dialect == Dialect.MARIADB) {
            database.execute("DROP DATABASE " + other);
        }
        database.close();
    }

    @Override
    public String toString() {
        return dialect + "\n" + String.join(";\n", tables) + ";\n" + policyText;
    }
}
