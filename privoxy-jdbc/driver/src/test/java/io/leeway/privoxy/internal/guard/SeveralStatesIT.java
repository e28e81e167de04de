package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keys, foreign keys and that a row is itself hold in one state of the database. Statements that lock or write, and
 * transactions with a snapshot that write or know of later, read several.
 */
class SeveralStatesIT extends Cases {

    private static final String OF_USERS =
            "SELECT p.id FROM posts p WHERE EXISTS (SELECT 1 FROM users u WHERE u.id = p.author) ORDER BY p.id";
    private static final String AUTHORS = "SELECT p.id FROM posts p JOIN users u ON u.id = p.author ORDER BY p.id";

    /** Of each row of t its number and its value may be seen, of each post and user the number. */
    private Connection keyed(On where) throws SQLException {
        keyed(
                where,
                """
                CREATE VIEW tt AS SELECT id, v FROM t;
                CREATE VIEW mine AS SELECT * FROM o WHERE owner = ?MyUId;
                CREATE VIEW lines AS SELECT l.* FROM l JOIN o ON o.id = l.o WHERE o.owner = ?MyUId;
                """,
                "CREATE TABLE t (id INT PRIMARY KEY, v INT, secret INT NOT NULL)",
                "INSERT INTO t VALUES (1, 1, 5), (2, 2, 5), (3, 3, 5)",
                "CREATE TABLE o (id INT PRIMARY KEY, owner INT NOT NULL, txt VARCHAR(20))",
                "CREATE TABLE l (id INT PRIMARY KEY, o INT NOT NULL REFERENCES o (id), txt VARCHAR(20))",
                "INSERT INTO o VALUES (1, 1, 'mine'), (2, 2, 'SECRET')",
                "INSERT INTO l VALUES (1, 1, 'mine'), (2, 2, 'SECRET')");
        Connection connection = connect();
        request(1);
        return connection;
    }

    // --- statements --------------------------------------------------------------------------------------------------

    private static List<String> locking(On where) {
        return where == On.MARIADB
                ? List.of(" FOR UPDATE", " LOCK IN SHARE MODE")
                : where == On.H2
                        ? List.of(" FOR UPDATE")
                        : List.of(" FOR UPDATE", " FOR SHARE", " FOR NO KEY UPDATE", " FOR KEY SHARE");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void noRowIsItselfWhereItIsLockedAndWhereItIsNot(On where) throws SQLException {
        Connection connection = keyed(where);
        for (String rows : List.of(
                "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t x WHERE x.id = t.id AND x.secret = t.secret) ORDER BY"
                        + " id",
                "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t x WHERE x.id = t.id AND x.secret >= t.secret) ORDER BY"
                        + " id",
                "SELECT id FROM t WHERE secret = (SELECT x.secret FROM t x WHERE x.id = t.id) ORDER BY id",
                "SELECT id FROM t WHERE id IN (SELECT x.id FROM t x WHERE x.secret = t.secret) ORDER BY id",
                "SELECT t.id FROM t JOIN t x ON x.id = t.id AND x.secret >= t.secret ORDER BY t.id",
                "SELECT t.id FROM t JOIN (SELECT x.id, x.secret FROM t x) y ON y.id = t.id AND y.secret >= t.secret"
                        + " ORDER BY t.id",
                "WITH q AS (SELECT id, secret FROM t) SELECT t.id FROM t JOIN q ON q.id = t.id AND q.secret = t.secret"
                        + " ORDER BY t.id")) {
            assertThat(rows(connection, rows)).as(rows).containsExactly("1", "2", "3");
            for (String locking : locking(where)) {
                assertRefused(connection, rows + locking);
            }
        }
        for (String locking : locking(where)) {
            assertRefused(connection, OF_USERS + locking);
            assertRefused(connection, AUTHORS + locking);
        }
        if (where == On.POSTGRESQL) {
            assertRefused(connection, AUTHORS + " FOR UPDATE OF p");
            assertRefused(
                    connection,
                    "SELECT t.id FROM t WHERE id IN (SELECT x.id FROM t x WHERE x.secret = t.secret FOR UPDATE)"
                            + " ORDER BY t.id");
        }
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void noRowIsItselfWhereItIsWritten(On where) throws SQLException {
        Connection connection = keyed(where);
        for (String write : List.of(
                "UPDATE t SET v = v WHERE EXISTS (SELECT 1 FROM (SELECT * FROM t) x WHERE x.id = t.id"
                        + " AND x.secret = t.secret)",
                "UPDATE t SET v = (SELECT x.v FROM (SELECT * FROM t) x WHERE x.id = t.id AND x.secret = t.secret)",
                "DELETE FROM t WHERE id IN (SELECT x.id FROM (SELECT * FROM t) x WHERE x.secret = t.secret)",
                "DELETE FROM posts WHERE EXISTS (SELECT 1 FROM users u WHERE u.id = posts.author)")) {
            assertRefusedWrite(connection, write);
        }
        if (where != On.H2) {
            assertRefusedWrite(
                    connection,
                    where == On.MARIADB
                            ? "UPDATE t JOIN t x ON x.id = t.id AND x.secret = t.secret SET t.v = 1"
                            : "UPDATE t SET v = 1 FROM t x WHERE x.id = t.id AND x.secret = t.secret");
        }
        if (where != On.POSTGRESQL) {
            return;
        }
        assertRefusedWrite(
                connection,
                "MERGE INTO t USING t x ON x.id = t.id AND x.secret = t.secret WHEN MATCHED THEN UPDATE SET v = 1");
        assertRefusedWrite(connection, "DELETE FROM t USING t x WHERE x.id = t.id AND x.secret = t.secret");
    }

    @Test
    void noRowsOfAQueryThatMariaDbLocksAreThemselves() throws SQLException {
        Connection connection = keyed(On.MARIADB);
        assertRefusedWrite(
                connection,
                "INSERT INTO z SELECT t.id FROM t JOIN t x ON x.id = t.id AND x.secret = t.secret ORDER BY t.id");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void whatViewsShowByColumnsIsShownInAnyState(On where) throws SQLException {
        Connection connection = keyed(where);
        for (String locking : locking(where)) {
            assertThat(rows(connection, "SELECT id, v FROM t WHERE id = 2" + locking))
                    .containsExactly("2,2");
            assertThat(rows(connection, "SELECT * FROM o WHERE id = 1 AND owner = 1" + locking))
                    .containsExactly("1,1,mine");
            assertThat(rows(
                            connection,
                            "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t x WHERE x.id = t.id AND x.v >= t.v)"
                                    + " ORDER BY id" + locking))
                    .containsExactly("1", "2", "3");
            assertThat(rows(
                            connection,
                            "SELECT id FROM o WHERE owner = 1 AND id IN (SELECT id FROM t WHERE v = 1)" + locking))
                    .containsExactly("1");
        }
        run(connection, "UPDATE o SET txt = 'mine' WHERE id = 1 AND owner = 1");
        run(connection, "UPDATE o SET txt = 'mine' WHERE owner = 1 AND id IN (SELECT id FROM t WHERE v = 1)");
        run(connection, "INSERT INTO z SELECT id FROM o WHERE owner = 1 ORDER BY id");
        run(connection, "DELETE FROM z WHERE id IN (SELECT id FROM o WHERE owner = 1)");
        assertThat(rows(connection, "SELECT id, txt FROM o WHERE owner = 1")).containsExactly("1,mine");
    }

    /** A right that is older than what it opens, as if it had been read before. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatIsWrittenMayBeOpenedByWhatIsReadBesideIt(On where) throws SQLException {
        Connection connection = keyed(where);
        run(connection, "UPDATE l SET txt = 'mine' WHERE o IN (SELECT id FROM o WHERE owner = 1)");
        for (String locking : locking(where)) {
            assertThat(rows(
                            connection,
                            "SELECT id, txt FROM l WHERE o IN (SELECT id FROM o WHERE owner = 1) ORDER BY id"
                                    + locking))
                    .containsExactly("1,mine");
        }
        run(connection, "DELETE FROM l WHERE o IN (SELECT id FROM o WHERE owner = 1)");
    }
}
