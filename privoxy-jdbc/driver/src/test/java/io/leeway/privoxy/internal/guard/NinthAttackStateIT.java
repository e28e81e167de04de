package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.UnsupportedQueryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ways past the policy that a ninth attacker found, and their relatives: what drivers and traces keep between two calls. */
class NinthAttackStateIT extends Cases {

    private Connection own(On where) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW own AS SELECT * FROM t WHERE grp = ?MyUId;
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, v INT, grp INT NOT NULL, secret VARCHAR(20))",
            "INSERT INTO t VALUES (1, 1, 1, 'mine'), (2, 2, 2, 'SECRET'), (3, 3, 1, 'mine')"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    private static ResultSet onFirst(Connection connection) throws SQLException {
        ResultSet rows = connection
                .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)
                .executeQuery("SELECT id, v, grp, secret FROM t WHERE grp = 1 ORDER BY id");
        assertThat(rows.next()).isTrue();
        return rows;
    }

    private interface Move {

        void of(ResultSet rows) throws SQLException;
    }

    /** The driver may keep the key that was set before the cursor moved. */
    @ParameterizedTest
    @EnumSource(On.class)
    void noRowIsReadOrDeletedByAKeyThatWasSetBeforeAMove(On where) throws SQLException {
        Connection connection = own(where);
        for (Move move : List.<Move>of(
                ResultSet::first,
                ResultSet::next,
                rows -> rows.absolute(1),
                rows -> {
                    rows.beforeFirst();
                    rows.next();
                },
                rows -> {
                    rows.moveToInsertRow();
                    rows.moveToCurrentRow();
                })) {
            for (Move last : List.<Move>of(ResultSet::refreshRow, ResultSet::deleteRow, ResultSet::updateRow)) {
                for (boolean again : new boolean[] {true, false}) {
                    try (ResultSet rows = onFirst(connection)) {
                        rows.updateInt("id", 2);
                        move.of(rows);
                        if (again) {
                            rows.updateInt("v", 3);
                        }
                        assertThatThrownBy(() -> last.of(rows)).isInstanceOf(UnsupportedQueryException.class);
                        assertThat(rows.getString("secret")).isEqualTo("mine");
                    }
                }
            }
        }
        try (ResultSet rows = onFirst(connection)) {
            rows.refreshRow();
            rows.next();
            rows.refreshRow();
            assertThat(rows.getInt("id")).isEqualTo(3);
        }
        assertThat(rows(connection, "SELECT id, v FROM t WHERE grp = 1 ORDER BY id"))
                .containsExactly("1,1", "3,3");
    }

    /** One by one they would run with the parameters that were set last, which nobody checked. */
    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"MARIADB", "H2"})
    void noBatchOfChangesOfTheSchemaHasParameters(On where) throws SQLException {
        Connection connection = own(where);
        String sql = "ALTER TABLE t ALTER COLUMN v SET DEFAULT " + (where == On.H2 ? "CAST(? AS INT)" : "?");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, 7);
            statement.addBatch();
            statement.setInt(1, 8);
            statement.addBatch();
            statement.setInt(1, 99);
            assertThatThrownBy(statement::executeBatch)
                    .isInstanceOf(UnsupportedQueryException.class)
                    .hasMessageContaining("with parameters");
            assertThat(statement.executeBatch()).isEmpty();
        }
        run(connection, "INSERT INTO t (id, grp, secret) VALUES (4, 1, 'mine')");
        assertThat(rows(connection, "SELECT v FROM t WHERE id = 4 AND grp = 1")).containsExactly("null");
        try (PreparedStatement statement =
                connection.prepareStatement("CREATE TABLE IF NOT EXISTS fresh (id INT PRIMARY KEY)")) {
            statement.addBatch();
            statement.addBatch();
            assertThat(statement.executeBatch()).hasSize(2);
        }
    }
}
