package io.leeway.privoxy.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcEscapeTest {

    @Test
    void datesAndTimesAreRead() {
        String sql = "SELECT {d '2020-01-31'}, {t '10:00:00'}, {ts '2020-01-31 10:00:00.5'}";

        for (Dialect dialect : Dialect.values()) {
            assertThat(SqlParser.parse(sql, SqlOptions.of(dialect)).statements())
                    .as(dialect.toString())
                    .hasSize(1);
        }
    }

    /** MariaDB takes them for strings, or parts of one: found by comparing random texts with the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{d 'abc' '2020-01-01'}",
                "{d '2020-02-31'}",
                "{d ''}",
                "{d '2020-01-31'} 'abc'",
                "{t 'soon'}",
                "{ts '2020-01-31 25:00:00'}"
            })
    void whatIsNoDateOrTimeIsRefusedForMariaDb(String escape) {
        assertThatThrownBy(() -> SqlParser.parse("SELECT " + escape, SqlOptions.of(Dialect.MARIADB)))
                .isInstanceOf(UnsupportedSqlException.class)
                .hasMessageContaining("JDBC escape");
    }
}
