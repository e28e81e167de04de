package io.leeway.privoxy.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SessionParserTest {

    private static Statement.Setting setting(String sql, Dialect dialect) {
        var statements = SqlParser.parse(sql, SqlOptions.of(dialect)).statements();
        assertThat(statements).hasSize(1);
        return ((Statement.Set) statements.get(0)).settings().get(0);
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aBareWordKeepsItsSpelling(Dialect dialect) {
        Statement.Setting setting = setting("SET privoxy.Role = Editor", dialect);

        assertThat(setting.name().parts()).extracting(name -> name.raw()).containsExactly("privoxy", "Role");
        assertThat(setting.values())
                .singleElement()
                .isInstanceOfSatisfying(
                        Expr.Column.class,
                        word -> assertThat(word.name().last().raw()).isEqualTo("Editor"));
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void defaultIsNoValue(Dialect dialect) {
        assertThat(setting("SET privoxy.Role = DEFAULT", dialect).values()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void resetOfTheContextIsRead(Dialect dialect) {
        assertThat(setting("RESET privoxy", dialect).name().isSimple()).isTrue();
        assertThat(setting("RESET privoxy.MyUId", dialect).name().last().raw()).isEqualTo("MyUId");
    }

    @Test
    void otherResetsOfMariaDbAreRefused() {
        for (String sql : new String[] {"RESET MASTER", "RESET QUERY CACHE", "RESET SLAVE"}) {
            assertThatThrownBy(() -> SqlParser.parse(sql, SqlOptions.of(Dialect.MARIADB)))
                    .isInstanceOf(UnsupportedSqlException.class)
                    .hasMessageContaining("RESET");
        }
    }
}
