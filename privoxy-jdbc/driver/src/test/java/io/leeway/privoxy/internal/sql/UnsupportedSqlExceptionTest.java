package io.leeway.privoxy.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UnsupportedSqlExceptionTest {

    @Test
    void refusalsNameConstructAndPlaceButNoLiteral() {
        assertThatThrownBy(() -> SqlParser.parse(
                        "SELECT 'secret',\n  a FROM t TABLESAMPLE BERNOULLI (1)", SqlOptions.of(Dialect.POSTGRESQL)))
                .isInstanceOfSatisfying(UnsupportedSqlException.class, refusal -> {
                    assertThat(refusal.construct()).contains("TABLESAMPLE");
                    assertThat(refusal.line()).isEqualTo(2);
                    assertThat(refusal.column()).isEqualTo(12);
                });
        assertThatThrownBy(() -> SqlParser.parse("SELECT 1 'secret'", SqlOptions.of(Dialect.POSTGRESQL)))
                .hasMessageNotContaining("secret");
    }
}
