package io.leeway.privoxy.internal.sql;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.h2.util.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What H2 reads in a text, we read in it: hand-written texts, random ones, and every word at every place. */
class H2ReadingTest {
    /** Random texts of a test; {@code -Dreading.texts} for more. */
    private static final int COUNT = Depth.of(500, 20_000);

    private static final SqlOptions OPTIONS = SqlOptions.of(Dialect.H2);
    private static TestDatabase database;
    private static Connection connection;

    @BeforeAll
    static void open() throws SQLException {
        database = TestDatabases.h2().freshDatabase("reading");
        connection = database.connect();
        try (var statement = connection.createStatement()) {
            for (String sql : H2Samples.TABLES) {
                statement.execute(sql);
            }
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void randomExpressions() {
        var texts = new ExpressionTexts(Dialect.H2, Seeds.random("expressions of H2"));
        Readings.assertSame(
                () -> "SELECT " + texts.next() + " FROM x", COUNT, COUNT / 10, new RowsMeaning(connection), OPTIONS);
    }

    @Test
    void randomTokens() {
        var texts = new LexicalTexts(Dialect.H2, Seeds.random("tokens of H2"));
        Readings.assertSame(
                () -> "SELECT " + texts.next() + " FROM x", COUNT, COUNT / 50, new RowsMeaning(connection), OPTIONS);
    }

    @Test
    void randomQueries() {
        var texts = new QueryTexts(Dialect.H2, Seeds.random("queries of H2"));
        Readings.assertSame(texts::next, COUNT, COUNT / 2, new RowsMeaning(connection), OPTIONS);
    }

    static List<String> queries() {
        return H2Samples.QUERIES;
    }

    static List<String> writes() {
        return H2Samples.WRITES;
    }

    @ParameterizedTest
    @MethodSource("queries")
    void readsQueries(String sql) throws Exception {
        Readings.assertSame(sql, new RowsMeaning(connection), OPTIONS);
    }

    @ParameterizedTest
    @MethodSource("writes")
    void readsWrites(String sql) throws Exception {
        Readings.assertSame(sql, new WritesMeaning(connection, List.of("x", "t1", "t2")), OPTIONS);
    }

    @Test
    void mutatedQueries() throws Exception {
        // a recursion whose end was taken away would not end
        var queries = H2Samples.QUERIES.stream()
                .filter(sql -> !sql.contains("RECURSIVE"))
                .toList();
        var words = words();
        words.remove("RECURSIVE");
        var texts = new MutatedTexts(queries, List.copyOf(words), Seeds.random("mutations of H2"));
        Readings.assertSame(texts::next, COUNT, COUNT / 200, new RowsMeaning(connection), OPTIONS);
    }

    @Test
    void everyWordEverywhere() throws Exception {
        var texts = new WordTexts(Dialect.H2, words(), Seeds.random("words of H2"), COUNT);
        Readings.assertSame(texts::next, texts.count(), texts.count() / 4, new RowsMeaning(connection), OPTIONS);
    }

    private static Set<String> words() throws Exception {
        var words = new TreeSet<String>(Keywords.of(Dialect.H2).words());
        String help = new String(Utils.getResource("/org/h2/res/help.csv"), StandardCharsets.UTF_8);
        Pattern.compile("[A-Z_][A-Z_0-9]+")
                .matcher(help)
                .results()
                .map(MatchResult::group)
                .forEach(words::add);
        // ends the session; takes any value
        words.removeAll(List.of("ABORT_SESSION", "ANY_VALUE"));
        // write files
        words.removeAll(List.of("BACKUP", "CSVWRITE", "FILE_WRITE", "SCRIPT"));
        return words;
    }
}
