package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.UnsupportedQueryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
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

    private static final String READ = "SELECT u, c FROM members WHERE u = 1 AND c = 5";
    private static final String TASK = "SELECT id, txt FROM tasks WHERE c = 5";

    private Connection tasks(On where) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT u, c FROM members WHERE u = ?MyUId;
                CREATE VIEW t AS SELECT t.* FROM tasks t JOIN members m ON m.c = t.c WHERE m.u = ?MyUId;
                """, new String[] {
            "CREATE TABLE members (u BIGINT NOT NULL, c BIGINT NOT NULL, PRIMARY KEY (u, c))",
            "CREATE TABLE tasks (id BIGINT PRIMARY KEY, c BIGINT NOT NULL, txt VARCHAR(20))",
            "INSERT INTO tasks VALUES (1, 5, 'SECRET')"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    private static Savepoint set(Connection connection, String name) throws SQLException {
        return name.isEmpty() ? connection.setSavepoint() : connection.setSavepoint(name);
    }

    /** A name means the savepoint that was set with it last, and the one before after its release. */
    @ParameterizedTest
    @EnumSource(On.class)
    void noNameOfASavepointMeansAnotherOne(On where) throws SQLException {
        Connection connection = tasks(where);
        connection.setAutoCommit(false);
        List<String> names = List.of(
                "",
                "a",
                "A",
                "jdbc_savepoint_0",
                "jdbc_savepoint_1",
                "_jid_0",
                "_jid_1",
                "SYSTEM_SAVEPOINT_0",
                "SYSTEM_SAVEPOINT_1",
                "privoxy_savepoint_1");
        for (String name : names) {
            for (boolean named : new boolean[] {false, true}) {
                Savepoint first = set(connection, named ? name : "");
                run(connection, "INSERT INTO members VALUES (1, 5)");
                assertThat(rows(connection, READ)).hasSize(1);
                Savepoint second = set(connection, name);
                connection.releaseSavepoint(first);
                try {
                    connection.rollback(second);
                    connection.commit();
                } catch (SQLException gone) {
                    // With the one before it, where the database takes them together.
                    connection.rollback();
                }
                boolean isThere = countOfMembers() > 0;
                if (isThere) {
                    assertThat(rows(connection, READ)).hasSize(1);
                    assertThat(rows(connection, TASK)).containsExactly("1,SECRET");
                } else {
                    assertRefused(connection, TASK);
                }
                connection.rollback();
                elsewhere("DELETE FROM members");
                assertThat(rows(connection, READ)).isEmpty();
                connection.rollback();
            }
        }
    }

    private int countOfMembers() throws SQLException {
        try (Connection plain = database.plain()) {
            return rows(plain, "SELECT * FROM members").size();
        }
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void aSavepointTellsItsOwnNameAndIsOfItsConnection(On where) throws SQLException {
        Connection connection = tasks(where);
        connection.setAutoCommit(false);
        Savepoint named = connection.setSavepoint("a");
        assertThat(named.getSavepointName()).isEqualTo("a");
        assertThatThrownBy(named::getSavepointId).isInstanceOf(SQLException.class);
        Savepoint first = connection.setSavepoint();
        Savepoint second = connection.setSavepoint();
        assertThat(second.getSavepointId()).isNotEqualTo(first.getSavepointId());
        assertThatThrownBy(first::getSavepointName).isInstanceOf(SQLException.class);
        run(connection, "INSERT INTO members VALUES (1, 5)");
        connection.rollback(named);
        assertThat(rows(connection, READ)).isEmpty();
        connection.releaseSavepoint(named);

        Connection other = connect();
        other.setAutoCommit(false);
        Savepoint others = other.setSavepoint("a");
        for (Savepoint none : new Savepoint[] {others, new Written(), null}) {
            assertThatThrownBy(() -> connection.rollback(none)).hasMessageContaining("none of this connection");
            assertThatThrownBy(() -> connection.releaseSavepoint(none)).hasMessageContaining("none of this connection");
        }
        connection.rollback();
        other.rollback();
    }

    /** Of an application's own making: a driver would put its name into SQL. */
    private static final class Written implements Savepoint {

        @Override
        public int getSavepointId() {
            return 1;
        }

        @Override
        public String getSavepointName() {
            return "a`; DELETE FROM members";
        }

        @Override
        public String toString() {
            return getSavepointName();
        }
    }
}
