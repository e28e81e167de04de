package io.leeway.privoxy.internal.sql;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What MariaDB reads in a text, we read in it: hand-written texts, random ones in several SQL modes, and every word at
 * every place. */
class MariaDbReadingIT {
    /** Random texts of a test; {@code -Dreading.texts} for more. */
    private static final int COUNT = Depth.of(300, 10_000);

    private static TestDatabase database;
    private static Connection connection;

    @BeforeAll
    static void open() throws SQLException {
        database = TestDatabases.mariadb().freshDatabase("reading");
        connection = database.connect();
        try (var statement = connection.createStatement()) {
            statement.execute("SET SESSION max_statement_time = 20");
            for (String sql : MariaDbSamples.TABLES) {
                statement.execute(sql);
            }
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
        database.close();
    }

    private static SqlOptions mode(String mode) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SET sql_mode = '" + mode + "'");
            try (var rows = statement.executeQuery("SELECT @@sql_mode")) {
                rows.next();
                return SqlOptions.ofSqlMode(rows.getString(1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PIPES_AS_CONCAT", "HIGH_NOT_PRECEDENCE", "ANSI", "IGNORE_SPACE,NO_BACKSLASH_ESCAPES"})
    void randomExpressions(String mode) throws SQLException {
        var options = mode(mode);
        var texts = new ExpressionTexts(Dialect.MARIADB, Seeds.random("expressions of MariaDB " + mode));
        Readings.assertSame(
                () -> "SELECT " + texts.next() + " FROM x", COUNT, COUNT / 10, new RowsMeaning(connection), options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PIPES_AS_CONCAT", "HIGH_NOT_PRECEDENCE", "ANSI", "IGNORE_SPACE,NO_BACKSLASH_ESCAPES"})
    void randomExpressionsAsViews(String mode) throws SQLException {
        var options = mode(mode);
        var texts = new ExpressionTexts(Dialect.MARIADB, Seeds.random("views of MariaDB " + mode));
        Readings.assertSame(
                () -> "SELECT " + texts.next() + " FROM x",
                COUNT / 5,
                COUNT / 20,
                new MariaDbViewMeaning(connection),
                options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PIPES_AS_CONCAT", "HIGH_NOT_PRECEDENCE", "ANSI", "IGNORE_SPACE,NO_BACKSLASH_ESCAPES"})
    void randomTokens(String mode) throws SQLException {
        var options = mode(mode);
        var texts = new LexicalTexts(Dialect.MARIADB, Seeds.random("tokens of MariaDB " + mode));
        Readings.assertSame(
                () -> "SELECT " + texts.next() + " FROM x", COUNT, COUNT / 50, new RowsMeaning(connection), options);
    }

    @Test
    void randomQueries() throws SQLException {
        var options = mode("");
        var texts = new QueryTexts(Dialect.MARIADB, Seeds.random("queries of MariaDB"));
        Readings.assertSame(texts::next, COUNT, COUNT / 2, new RowsMeaning(connection), options);
    }

    static List<String> queries() {
        return MariaDbSamples.QUERIES;
    }

    static List<String> writes() {
        return MariaDbSamples.WRITES;
    }

    @ParameterizedTest
    @MethodSource("queries")
    void readsQueries(String sql) throws SQLException {
        Readings.assertSame(sql, new RowsMeaning(connection), mode(""));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void readsWrites(String sql) throws SQLException {
        Readings.assertSame(sql, new WritesMeaning(connection, List.of("x", "t1", "t2")), mode(""));
    }

    @Test
    void mutatedQueries() throws SQLException {
        var texts = new MutatedTexts(MariaDbSamples.QUERIES, words(), Seeds.random("mutations of MARIADB"));
        Readings.assertSame(texts::next, COUNT, COUNT / 200, new RowsMeaning(connection), mode(""));
    }

    @Test
    void everyWordEverywhere() throws SQLException {
        var texts = new WordTexts(Dialect.MARIADB, words(), Seeds.random("words of MARIADB"), COUNT);
        Readings.assertSame(texts::next, texts.count(), texts.count() / 4, new RowsMeaning(connection), mode(""));
    }

    private static List<String> words() throws SQLException {
        var words = new TreeSet<String>(Keywords.of(Dialect.MARIADB).words());
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "SELECT upper(word) FROM information_schema.keywords UNION SELECT upper(function) FROM information_schema.sql_functions")) {
            while (rows.next()) {
                if (rows.getString(1).matches("\\w+")) {
                    words.add(rows.getString(1));
                }
            }
        }
        // their effect is time, or chance
        words.removeAll(
                List.of("RANDOM_BYTES", "SLEEP", "BENCHMARK", "GET_LOCK", "MASTER_POS_WAIT", "MASTER_GTID_WAIT"));
        return List.copyOf(words);
    }
}
