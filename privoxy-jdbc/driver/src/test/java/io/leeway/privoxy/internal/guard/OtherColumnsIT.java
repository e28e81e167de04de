package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A result of other columns than were decided on, as somebody has changed a table past the policy, is not shown. */
class OtherColumnsIT extends Cases {

    private static final String ADD = "ALTER TABLE t ADD COLUMN secret VARCHAR(20) DEFAULT 'SECRET'";

    private Connection shown(On where) throws Exception {
        on(where, "CREATE VIEW all_of_it AS SELECT id, v FROM t;\n", new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 1), (2, 2)"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    private static void assertWithheld(Step step) {
        assertThatThrownBy(step::run)
                .isInstanceOf(PrivoxyException.class)
                .extracting(thrown -> ((PrivoxyException) thrown).code())
                .isEqualTo(PrivoxyErrorCode.SCHEMA_OF_STATEMENT);
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException;
    }

    @ParameterizedTest
    @EnumSource
    void aColumnThatSomebodyHasAddedIsNotShown(On where) throws Exception {
        for (String sql : List.of(
                "SELECT * FROM t ORDER BY id",
                "SELECT x.*, 1 FROM t x ORDER BY id",
                "SELECT * FROM t UNION ALL SELECT * FROM t",
                "SELECT * FROM (SELECT * FROM t) q",
                "WITH w AS (SELECT * FROM t) SELECT * FROM w")) {
            Connection connection = shown(where);
            assertThat(rows(connection, sql)).as(sql).isNotEmpty();
            elsewhere(ADD);
            assertWithheld(() -> assertThat(rows(connection, sql)).as(sql).isEmpty());
            // By now the schema is known.
            assertRefused(connection, sql);
            assertThat(rows(connection, "SELECT id, v FROM t ORDER BY id")).containsExactly("1,1", "2,2");
            close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void norByAnyOtherMethod(On where) throws Exception {
        Connection connection = shown(where);
        try (Statement statement = connection.createStatement()) {
            assertThat(statement.execute("SELECT * FROM t ORDER BY id")).isTrue();
            elsewhere(ADD);
            assertThat(statement.execute("SELECT * FROM t ORDER BY id")).isTrue();
            assertWithheld(statement::getResultSet);
            assertThatThrownBy(() -> {
                        ResultSet again = statement.getResultSet();
                        assertThat(again == null || !again.next()).isTrue();
                        throw new SQLException("nothing is shown");
                    })
                    .isInstanceOf(SQLException.class);
        }
        assertRefused(connection, "SELECT * FROM t");
    }

    @ParameterizedTest
    @EnumSource
    void norOfAPreparedStatement(On where) throws Exception {
        Connection connection = shown(where);
        try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM t WHERE id > ? ORDER BY id")) {
            statement.setInt(1, 0);
            try (ResultSet result = statement.executeQuery()) {
                assertThat(result.getMetaData().getColumnCount()).isEqualTo(2);
            }
            elsewhere(ADD);
            // PostgreSQL may refuse the plan that it has prepared by itself.
            assertThatThrownBy(() -> {
                        try (ResultSet result = statement.executeQuery()) {
                            assertThat(result.getMetaData().getColumnCount()).isEqualTo(2);
                        }
                    })
                    .isInstanceOf(SQLException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"POSTGRESQL", "MARIADB"})
    void norWhatAWriteReturns(On where) throws Exception {
        Connection connection = shown(where);
        String delete = "DELETE FROM t WHERE id = %d RETURNING *";
        assertThat(rows(connection, delete.formatted(1))).containsExactly("1,1");
        elsewhere(ADD);
        assertWithheld(() -> rows(connection, delete.formatted(2)));
        if (where == On.POSTGRESQL) {
            close();
            Connection keys = shown(where);
            try (Statement statement = keys.createStatement()) {
                statement.executeUpdate("UPDATE t SET v = 2 WHERE id = 1", Statement.RETURN_GENERATED_KEYS);
                elsewhere(ADD);
                statement.executeUpdate("UPDATE t SET v = 3 WHERE id = 1", Statement.RETURN_GENERATED_KEYS);
                assertWithheld(statement::getGeneratedKeys);
            }
        }
    }

    /** Each has the number of columns that was decided on. */
    @ParameterizedTest
    @EnumSource
    void ordinaryResultsAreShown(On where) throws Exception {
        on(where, """
            CREATE VIEW all_t AS SELECT * FROM t;
            CREATE VIEW all_u AS SELECT * FROM u;
            """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, v INT, w INT)",
            "CREATE TABLE u (id INT PRIMARY KEY, v INT"
                    + (where == On.POSTGRESQL ? ")" : ", hidden INT INVISIBLE DEFAULT 1)"),
            "INSERT INTO t VALUES (1, 1, 1)",
            "INSERT INTO u (id, v) VALUES (1, 1)"
        });
        Connection connection = connect();
        request(1);
        var softly = new SoftAssertions();
        for (String sql : List.of(
                "SELECT * FROM t",
                "SELECT * FROM u",
                "SELECT t.*, u.* FROM t JOIN u ON u.id = t.id",
                "SELECT * FROM t JOIN u USING (id)",
                "SELECT * FROM t NATURAL JOIN u",
                "SELECT * FROM t LEFT JOIN u USING (id, v)",
                "SELECT * FROM t RIGHT JOIN u USING (id)",
                "SELECT * FROM t CROSS JOIN u",
                "SELECT COUNT(*) FROM t",
                "SELECT 1",
                "SELECT 1, 2 FROM t LIMIT 1",
                "SELECT DISTINCT v, w FROM t",
                "SELECT v, COUNT(*), SUM(w) FROM t GROUP BY v",
                "VALUES (1, 2), (3, 4)",
                "(SELECT id, v FROM t ORDER BY id LIMIT 1) ORDER BY 1",
                "(SELECT id FROM t) UNION ALL (SELECT v FROM u) ORDER BY 1 LIMIT 3",
                "SELECT id, v FROM t INTERSECT SELECT id, v FROM u",
                "SELECT * FROM (SELECT t.id, u.v AS uv FROM t, u) q",
                "WITH w AS (SELECT id, v FROM u) SELECT w.*, 1 FROM w",
                "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT i, i FROM r",
                "SELECT q.* FROM (SELECT * FROM t JOIN u USING (id)) q")) {
            shows(softly, connection, where, sql);
        }
        if (where == On.POSTGRESQL) {
            for (String sql : List.of(
                    "SELECT t FROM t",
                    "SELECT t.* FROM t FULL JOIN u USING (id)",
                    "SELECT * FROM t FULL JOIN u USING (id)",
                    "TABLE t",
                    "SELECT * FROM generate_series(1, 2) WITH ORDINALITY",
                    "SELECT * FROM unnest(ARRAY[1], ARRAY['a']) AS x(a, b)",
                    "INSERT INTO t VALUES (5, 5, 5) RETURNING *, id + 1",
                    "UPDATE t SET v = 6 WHERE id = 5 RETURNING *",
                    "DELETE FROM t WHERE id = 5 RETURNING id",
                    "WITH x AS (INSERT INTO u VALUES (7, 7) RETURNING *) SELECT v FROM x",
                    "SHOW search_path",
                    "SELECT current_schema, current_user")) {
                shows(softly, connection, where, sql);
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO t VALUES (8, 8, 8)", Statement.RETURN_GENERATED_KEYS);
            statement.getGeneratedKeys().close();
            statement.executeUpdate("UPDATE t SET v = 9 WHERE id = 9", new String[] {"id"});
            statement.getGeneratedKeys().close();
        }
        softly.assertAll();
    }

    private static void shows(SoftAssertions softly, Connection connection, On where, String sql) {
        try {
            rows(connection, sql);
        } catch (SQLException refused) {
            // What the database or the policy does not take is no case.
            if (refused instanceof PrivoxyException own) {
                softly.assertThat(own.code())
                        .as("%s %s", where, sql)
                        .isNotEqualTo(PrivoxyErrorCode.SCHEMA_OF_STATEMENT);
            }
        }
    }
}
