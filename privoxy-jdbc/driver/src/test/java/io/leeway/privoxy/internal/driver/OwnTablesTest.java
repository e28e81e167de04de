package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnTablesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TEMP TABLE t (id INT)",
                "CREATE LOCAL TEMPORARY TABLE t (id INT)",
                "CREATE TABLE PG_TEMP.t (id INT)",
                "CREATE TABLE U&\"pg_t\\0065mp\".t (id INT)",
                "CREATE TABLE u&\"pg!0074emp\" UESCAPE '!' . t (id INT)"
            })
    void aSessionWithTablesOfItsOwnSharesWithNobody(String sql) {
        var first = new OwnTables();
        var second = new OwnTables();

        first.changedBy(sql);
        second.changedBy(sql);

        assertThat(first.inSettings(List.of("a"))).hasSize(2).isNotEqualTo(second.inSettings(List.of("a")));
        assertThat(first.onPath(List.of("public"))).isNotEqualTo(second.onPath(List.of("public")));
    }

    @Test
    void otherChangesOfTheSchemaAreNoneOfItsOwn() {
        var tables = new OwnTables();

        tables.changedBy("CREATE TABLE t (id INT)");

        assertThat(tables.inSettings(List.of("a"))).containsExactly("a");
        assertThat(tables.onPath(List.of("public"))).containsExactly("public");
    }
}
