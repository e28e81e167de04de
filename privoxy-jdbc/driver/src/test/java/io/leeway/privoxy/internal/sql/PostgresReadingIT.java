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

/** What PostgreSQL reads in a text, we read in it: hand-written texts, random ones, and every word at every place. */
class PostgresReadingIT {
    /** Random texts of a test; {@code -Dreading.texts} for more. */
    private static final int COUNT = Depth.of(500, 20_000);

    private static final SqlOptions OPTIONS = SqlOptions.of(Dialect.POSTGRESQL);
    private static TestDatabase types;
    private static TestDatabase data;
    private static Connection universal;
    private static Connection plain;

    @BeforeAll
    static void open() throws SQLException {
        types = TestDatabases.postgres().freshDatabase("reading_types");
        universal = types.connect();
        PostgresUniversalType.install(universal);
        data = TestDatabases.postgres().freshDatabase("reading_data");
        plain = data.connect();
        try (var statement = plain.createStatement()) {
            statement.execute("SET statement_timeout = '20s'");
            for (String sql : PostgresSamples.TABLES) {
                statement.execute(sql);
            }
        }
    }

    @AfterAll
    static void close() throws SQLException {
        universal.close();
        plain.close();
        types.close();
        data.close();
    }

    @Test
    void randomExpressions() {
        var texts = new ExpressionTexts(Dialect.POSTGRESQL, Seeds.random("expressions of PostgreSQL"));
        Readings.assertSame(
                () -> "SELECT " + texts.next() + " FROM x", COUNT, COUNT / 10, new ViewMeaning(universal), OPTIONS);
    }

    @Test
    void randomTokens() {
        var texts = new LexicalTexts(Dialect.POSTGRESQL, Seeds.random("tokens of PostgreSQL"));
        Readings.assertSame(
                () -> "SELECT " + texts.next() + " FROM x", COUNT, COUNT / 50, new RowsMeaning(plain), OPTIONS);
    }

    @Test
    void randomQueries() {
        var texts = new QueryTexts(Dialect.POSTGRESQL, Seeds.random("queries of PostgreSQL"));
        Readings.assertSame(texts::next, COUNT, COUNT / 2, new RowsMeaning(plain), OPTIONS);
    }

    static List<String> queries() {
        return PostgresSamples.QUERIES;
    }

    static List<String> writes() {
        return PostgresSamples.WRITES;
    }

    @ParameterizedTest
    @MethodSource("queries")
    void readsQueries(String sql) {
        Readings.assertSame(sql, new RowsMeaning(plain), OPTIONS);
    }

    @ParameterizedTest
    @MethodSource("writes")
    void readsWrites(String sql) {
        Readings.assertSame(sql, new WritesMeaning(plain, List.of("x", "t1", "t2")), OPTIONS);
    }

    @Test
    void mutatedQueries() throws SQLException {
        var texts = new MutatedTexts(PostgresSamples.QUERIES, words(), Seeds.random("mutations of PostgreSQL"));
        Readings.assertSame(texts::next, COUNT, COUNT / 200, new RowsMeaning(plain), OPTIONS);
    }

    @Test
    void everyWordEverywhere() throws SQLException {
        var texts = new WordTexts(Dialect.POSTGRESQL, words(), Seeds.random("words of POSTGRESQL"), COUNT);
        Readings.assertSame(texts::next, texts.count(), texts.count() / 4, new RowsMeaning(plain), OPTIONS);
    }

    private static List<String> words() throws SQLException {
        var words = new TreeSet<String>(Keywords.of(Dialect.POSTGRESQL).words());
        try (var statement = plain.createStatement();
                var rows = statement.executeQuery("SELECT upper(word) FROM pg_get_keywords()")) {
            while (rows.next()) {
                words.add(rows.getString(1));
            }
        }
        return List.copyOf(words);
    }
}
