package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlScanTest {

    @Test
    void wordsInStringsNamesAndCommentsDoNotCount() {
        assertThat(hasReturning("INSERT INTO t VALUES ('returning')")).isFalse();
        assertThat(hasReturning("INSERT INTO t VALUES ('it''s returning')")).isFalse();
        assertThat(hasReturning("INSERT INTO t VALUES (E'\\' returning ')")).isFalse();
        assertThat(hasReturning("INSERT INTO \"returning\" VALUES (1)")).isFalse();
        assertThat(hasReturning("INSERT INTO t VALUES ($$returning$$, $a$ $$ returning $a$)"))
                .isFalse();
        assertThat(hasReturning("INSERT INTO t VALUES (1) -- returning")).isFalse();
        assertThat(hasReturning("INSERT INTO t /* /* */ returning */ VALUES (1)"))
                .isFalse();
        assertThat(hasReturning("INSERT INTO returning_ VALUES (xreturning)")).isFalse();
        assertThat(hasReturning("INSERT INTO t VALUES (1) /* x */ Returning id"))
                .isTrue();
        assertThat(hasReturning("INSERT INTO t VALUES (1)--\nRETURNING id")).isTrue();
    }

    @Test
    void aSemicolonAtTheEndIsNoSecondStatement() {
        assertThat(SqlScan.of("DELETE FROM t; -- done\n ").hasSeveralStatements())
                .isFalse();
        assertThat(SqlScan.of("DELETE FROM t; ;").hasSeveralStatements()).isFalse();
        assertThat(SqlScan.of("DELETE FROM t; DELETE FROM u").hasSeveralStatements())
                .isTrue();
        assertThat(SqlScan.of("INSERT INTO t VALUES (';a')").hasSeveralStatements())
                .isFalse();
        assertThat(SqlScan.of("DELETE FROM t; -- done").withoutSemicolon()).isEqualTo("DELETE FROM t");
    }

    @Test
    void unterminatedTextEndsTheScan() {
        assertThat(hasReturning("INSERT INTO t VALUES ('x")).isFalse();
        assertThat(hasReturning("INSERT INTO t VALUES ($a$ returning")).isFalse();
        assertThat(hasReturning("/* returning")).isFalse();
        assertThat(hasReturning("E'\\")).isFalse();
    }

    private static boolean hasReturning(String sql) {
        return SqlScan.of(sql).hasWord("returning");
    }
}
