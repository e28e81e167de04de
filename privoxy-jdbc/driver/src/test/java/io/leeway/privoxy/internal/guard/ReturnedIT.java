package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.UnsupportedQueryException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is returned beside a row that was written is of the state after the write. */
class ReturnedIT extends Cases {

    private static final String GREATER = "EXISTS (SELECT 1 FROM t x WHERE x.id = t.id AND x.secret >= t.secret)";

    private Connection shown(On where) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW ids AS SELECT id FROM t;
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, secret BIGINT NOT NULL)", "INSERT INTO t VALUES (2, 471142)"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET secret = 5 WHERE id = 2 RETURNING id, " + GREATER,
                "UPDATE t SET secret = 5 WHERE id = 2 RETURNING id, "
                        + "(SELECT x.id FROM t x WHERE x.id = t.id AND x.secret >= t.secret)",
                "UPDATE t SET secret = 5 WHERE id = 2 RETURNING id, CASE WHEN " + GREATER + " THEN 1 END",
                "INSERT INTO t VALUES (2, 5) ON CONFLICT (id) DO UPDATE SET secret = 5 RETURNING id, " + GREATER,
                "DELETE FROM t WHERE id = 2 RETURNING id, " + GREATER,
                "WITH w AS (UPDATE t SET secret = 5 WHERE id = 2 RETURNING id, " + GREATER
                        + " AS g) SELECT id, g FROM w",
                "MERGE INTO t USING (VALUES (2)) v (i) ON t.id = v.i WHEN MATCHED THEN UPDATE SET secret = 5 RETURNING id, "
                        + GREATER
            })
    void noSubQueryReadsTheRowAsItWas(String sql) throws SQLException {
        Connection connection = shown(On.POSTGRESQL);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery(sql)).isInstanceOf(UnsupportedQueryException.class);
        }
        connection.rollback();
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.execute("UPDATE t SET secret = 5 WHERE id = 2 RETURNING id"))
                    .isTrue();
        }
        connection.rollback();
    }
}
