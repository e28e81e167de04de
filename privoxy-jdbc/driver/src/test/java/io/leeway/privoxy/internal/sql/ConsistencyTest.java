package io.leeway.privoxy.internal.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link Consistency} over the texts that are compared with the databases, and many more that no database accepts. */
class ConsistencyTest {

    private static final int COUNT = 20_000;

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void ofSamples(Dialect dialect) {
        samples(dialect).forEach(sql -> Consistency.check(sql, SqlOptions.of(dialect)));
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void ofMutations(Dialect dialect) {
        var words = Keywords.of(dialect).words();
        var texts = new MutatedTexts(samples(dialect), words, Seeds.random("consistent mutations, " + dialect));
        for (int i = 0; i < COUNT; i++) {
            Consistency.check(texts.next(), SqlOptions.of(dialect));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void ofTokens(Dialect dialect) {
        var texts = new LexicalTexts(dialect, Seeds.random("consistent tokens, " + dialect));
        for (int i = 0; i < COUNT; i++) {
            Consistency.check("SELECT " + texts.next() + " FROM x", SqlOptions.of(dialect));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void ofCutTexts(Dialect dialect) {
        for (String sql : samples(dialect)) {
            for (int length = 0; length < sql.length(); length++) {
                Consistency.check(sql.substring(0, length), SqlOptions.of(dialect));
                Consistency.check(sql.substring(length), SqlOptions.of(dialect));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void ofPartsOfSubqueries(Dialect dialect) {
        for (String sql : List.of(
                "SELECT (SELECT 4, 5).a",
                "SELECT (((SELECT 4, 5))).a",
                "SELECT ((SELECT a FROM t))[1]",
                "SELECT ((t)).a FROM t")) {
            Consistency.check(sql, SqlOptions.of(dialect));
        }
    }

    /** An alias may be written as a string, which may say what no name may have. */
    @Test
    void ofAliasesThatAreStrings() {
        SqlOptions options = SqlOptions.of(Dialect.MARIADB);
        Consistency.check("SELECT 1 AS 'a\\\\b', 2 'a\\'b', 3 'a`b', 4 '\\n', 5 '\\Z'", options);

        assertThatThrownBy(() -> SqlParser.parse("SELECT 1 AS 'a\\0'", options))
                .isInstanceOf(UnsupportedSqlException.class)
                .hasMessageContaining("NUL character");
        Consistency.check("SELECT 1 '\\0'", options);
    }

    @Test
    void aPrecisionIsANumberWithoutFields() {
        SqlOptions options = SqlOptions.of(Dialect.POSTGRESQL);

        assertThatThrownBy(() -> SqlParser.parse("SELECT localtimestamp(0 .\"id\")", options))
                .isInstanceOf(UnsupportedSqlException.class);
        Consistency.check("SELECT localtimestamp(0)", options);
    }

    private static List<String> samples(Dialect dialect) {
        var samples = new ArrayList<String>();
        switch (dialect) {
            case POSTGRESQL -> {
                samples.addAll(PostgresSamples.QUERIES);
                samples.addAll(PostgresSamples.WRITES);
            }
            case MARIADB -> {
                samples.addAll(MariaDbSamples.QUERIES);
                samples.addAll(MariaDbSamples.WRITES);
            }
            case H2 -> {
                samples.addAll(H2Samples.QUERIES);
                samples.addAll(H2Samples.WRITES);
            }
        }
        return samples;
    }
}
