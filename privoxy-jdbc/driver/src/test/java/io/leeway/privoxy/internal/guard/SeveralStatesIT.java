package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** That a query has no answer may be so no longer when it is asked. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatOthersHaveChangedProvesNoAnswerEmpty(On where) throws SQLException {
        owned(where);
        Connection connection = connect();
        assertThat(rows(connection, "SELECT id, email FROM t WHERE id = 2")).containsExactly("2,x");
        elsewhere("UPDATE t SET email = 'y' WHERE id = 2");
        assertRefused(connection, "SELECT id, secret FROM t WHERE id = 2 AND email <> 'x'");
        assertRefused(connection, "SELECT id, secret FROM t WHERE id IN (2, 2) AND email <> 'x'");
        assertRefused(connection, "SELECT id, secret FROM t WHERE owner = 1 OR id = 2 AND email > 'x'");
        assertRefused(
                connection, "SELECT secret FROM t WHERE id = (SELECT id FROM t u WHERE u.email = 'y') AND id = 2");
        assertRefusedWrite(connection, "UPDATE t SET owner = 3 WHERE id = 2 AND email <> 'x' AND secret = 'SECRET'");
        assertThat(rows(connection, "SELECT id, email FROM t WHERE id = 2 AND email <> 'x'"))
                .containsExactly("2,y");
    }

    /** Also where many rows are asked for at once. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatOthersHaveChangedOfManyRowsProvesNoAnswerEmpty(On where) throws SQLException {
        owned(where);
        Connection connection = connect();
        for (int id = 3; id < 23; id++) {
            elsewhere("INSERT INTO t VALUES (" + id + ", 'x" + id + "', 2, 'SECRET')");
        }
        StringBuilder ids = new StringBuilder("3");
        StringBuilder either = new StringBuilder("id = 3");
        for (int many = 4; many < 23; many++) {
            ids.append(", ").append(many);
            either.append(" OR id = ").append(many);
            assertThat(rows(connection, "SELECT id, email FROM t WHERE id IN (" + ids + ")"))
                    .hasSize(many - 2);
            assertRefused(connection, "SELECT id, secret FROM t WHERE id IN (" + ids + ") AND email < 'x'");
            assertRefused(connection, "SELECT id, secret FROM t WHERE (" + either + ") AND email < 'x'");
            assertRefused(
                    connection,
                    "SELECT id, secret FROM t WHERE id IN (SELECT u.id FROM t u WHERE " + either + ") AND email = 'a'");
        }
    }

    /** That a condition holds of all rows may be so no longer either: then the answer hangs on what stands beside it. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatOthersHaveChangedHidesNoConditionBesideIt(On where) throws SQLException {
        owned(where);
        Connection connection = connect();
        assertThat(rows(connection, "SELECT id, email FROM t WHERE id = 2")).containsExactly("2,x");
        elsewhere("UPDATE t SET email = 'y' WHERE id = 2");
        assertRefused(connection, "SELECT id FROM t WHERE id = 2 AND (email = 'x' OR secret = 'SECRET')");
        assertRefused(connection, "SELECT id FROM t WHERE id = 2 AND (email = 'x' OR secret < 'T')");
    }

    // --- transactions ------------------------------------------------------------------------------------------------

    private static final int SNAPSHOT_OF_H2 = 6;

    /** A snapshot as it is with the database's own means. */
    private Connection snapshot(int isolation) throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(isolation);
        assertThat(rows(connection, "SELECT id FROM z")).isEmpty();
        return connection;
    }

    private static int[] isolations(On where) {
        return where == On.H2
                ? new int[] {Connection.TRANSACTION_REPEATABLE_READ, SNAPSHOT_OF_H2, Connection.TRANSACTION_SERIALIZABLE
                }
                : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE};
    }

    private void owned(On where) throws SQLException {
        on(where, """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW mine AS SELECT * FROM t WHERE owner = ?MyUId;
            CREATE VIEW names AS SELECT id, email FROM t;
            CREATE VIEW zz AS SELECT id FROM z;
            """, new String[] {
            "CREATE TABLE z (id INT PRIMARY KEY)",
            "CREATE TABLE t (id INT PRIMARY KEY, email VARCHAR(20) NOT NULL UNIQUE, owner INT NOT NULL,"
                    + " secret VARCHAR(20))",
            "INSERT INTO t VALUES (1, 'a', 1, 'mine'), (2, 'x', 2, 'SECRET')"
        });
        request(1);
    }

    /** An index tells the writer that a key is free which the snapshot still has. */
    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"POSTGRESQL", "MARIADB"})
    void noKeyIsBelievedBetweenOwnRowsAndThoseOfTheSnapshot(On where) throws SQLException {
        for (String[] way : new String[][] {
            {"DELETE FROM t WHERE id = 2", "INSERT INTO t VALUES (8, 'x', 1, 'new')"},
            {"DELETE FROM t WHERE id = 2", "UPDATE t SET email = 'x' WHERE id = 1"},
            {"UPDATE t SET email = 'zz' WHERE id = 2", "UPDATE t SET email = 'x' WHERE id = 1"}
        }) {
            owned(where);
            Connection connection = snapshot(Connection.TRANSACTION_REPEATABLE_READ);
            elsewhere(way[0]);
            run(connection, way[1]);
            String id = way[1].startsWith("INSERT") ? "8" : "1";
            assertThat(rows(connection, "SELECT id, email, owner FROM t WHERE owner = 1 AND id = " + id))
                    .containsExactly(id + ",x,1");
            assertRefused(connection, "SELECT * FROM t WHERE email = 'x'");
            connection.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void noPrimaryKeyIsEither(int isolation) throws SQLException {
        owned(On.POSTGRESQL);
        Connection connection = snapshot(isolation);
        elsewhere("DELETE FROM t WHERE id = 2");
        run(connection, "INSERT INTO t VALUES (2, 'y', 1, 'new')");
        assertThat(rows(connection, "SELECT id, email, owner FROM t WHERE id = 2 AND owner = 1"))
                .containsExactly("2,y,1");
        assertRefused(connection, "SELECT * FROM t WHERE id = 2");
        assertThat(rows(connection, "SELECT * FROM t WHERE id = 2 AND owner = 1"))
                .containsExactly("2,y,1,new");
        connection.rollback();
        assertThat(rows(connection, "SELECT id, email FROM t ORDER BY id")).containsExactly("1,a");
    }

    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"POSTGRESQL", "MARIADB"})
    void noForeignKeyIsBelievedThatAnOwnWriteMayHaveBroken(On where) throws SQLException {
        for (int isolation :
                where == On.MARIADB ? new int[] {Connection.TRANSACTION_REPEATABLE_READ} : isolations(where)) {
            keyed(where);
            Connection connection = snapshot(isolation);
            assertThat(rows(connection, AUTHORS)).containsExactly("10", "20", "30");
            elsewhere("UPDATE posts SET author = 1 WHERE id = 20");
            run(connection, "DELETE FROM users WHERE id = 2");
            assertRefused(connection, AUTHORS);
            assertRefused(connection, OF_USERS);
            assertThat(rows(connection, "SELECT id FROM posts ORDER BY id")).containsExactly("10", "20", "30");
            connection.rollback();
            assertThat(rows(connection, AUTHORS)).containsExactly("10", "20", "30");
            connection.rollback();
        }
    }

    /** On MariaDB an own change makes a row of later visible in the snapshot. */
    @Test
    void noForeignKeyIsBelievedOfARowThatAnOwnWriteHasMadeVisible() throws SQLException {
        keyed(On.MARIADB);
        Connection connection = snapshot(Connection.TRANSACTION_REPEATABLE_READ);
        elsewhere("INSERT INTO users VALUES (4)", "INSERT INTO posts VALUES (40, 4), (41, 1)");
        assertThat(rows(connection, AUTHORS)).containsExactly("10", "20", "30");
        run(connection, "DELETE FROM posts WHERE id = 30");
        assertRefused(connection, AUTHORS);
    }

    private void tasks(On where) throws SQLException {
        on(where, """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW zz AS SELECT id FROM z;
            CREATE VIEW ti AS SELECT id FROM tasks;
            CREATE VIEW mm AS SELECT u, c FROM members WHERE u = ?MyUId;
            CREATE VIEW ta AS SELECT t.id, t.c, t.txt FROM tasks t JOIN members m ON m.c = t.c WHERE m.u = ?MyUId;
            """, new String[] {
            "CREATE TABLE z (id INT PRIMARY KEY)",
            "CREATE TABLE members (u INT NOT NULL, c INT NOT NULL, n INT, PRIMARY KEY (u, c))",
            "CREATE TABLE tasks (id INT PRIMARY KEY, c INT, txt VARCHAR(20))",
            "INSERT INTO tasks VALUES (1, 5, 'SECRET'), (2, 6, 'mine')",
            "INSERT INTO members VALUES (1, 6, 0)"
        });
        request(1);
    }

    private static final String MEMBER = "SELECT u, c FROM members WHERE u = 1 AND c = 5";
    private static final String TASK = "SELECT id, txt FROM tasks WHERE c = 5";

    private void becomesMember() throws SQLException {
        elsewhere("DELETE FROM tasks WHERE id = 1", "INSERT INTO members VALUES (1, 5, 0)");
    }

    @Test
    void noRightOpensWhatWasThereBeforeIt() throws SQLException {
        for (List<String> way : List.of(
                List.of(MEMBER + " FOR UPDATE"),
                List.of(MEMBER + " LOCK IN SHARE MODE"),
                List.of("UPDATE members SET n = 1 WHERE u = 1 AND c = 5", MEMBER))) {
            tasks(On.MARIADB);
            Connection connection = snapshot(Connection.TRANSACTION_REPEATABLE_READ);
            becomesMember();
            if (way.size() > 1) {
                run(connection, way.get(0));
            }
            assertThat(rows(connection, way.get(way.size() - 1))).containsExactly("1,5");
            assertRefused(connection, TASK);
            assertThat(rows(connection, TASK + " FOR UPDATE")).isEmpty();
            connection.rollback();
            assertThat(rows(connection, MEMBER)).containsExactly("1,5");
            assertThat(rows(connection, TASK)).isEmpty();
            connection.rollback();
        }
    }

    /** MariaDB's other engines show what is there now beside the snapshot of InnoDB's tables. */
    @ParameterizedTest
    @ValueSource(strings = {"MyISAM", "Aria", "MEMORY"})
    void norDoesOneOfATableThatNoSnapshotShows(String engine) throws SQLException {
        String together = "SELECT t.id, t.txt FROM tasks t JOIN members m ON m.c = t.c WHERE m.u = 1 AND t.id = 1";
        for (List<String> way : List.of(List.of(together), List.of(MEMBER, TASK))) {
            tasks(On.MARIADB);
            elsewhere("ALTER TABLE members ENGINE = " + engine);
            Connection connection = snapshot(Connection.TRANSACTION_REPEATABLE_READ);
            elsewhere("UPDATE tasks SET txt = 'harmless' WHERE id = 1", "INSERT INTO members VALUES (1, 5, 0)");
            if (way.size() > 1) {
                assertThat(rows(connection, way.get(0))).containsExactly("1,5");
            }
            assertRefused(connection, way.get(way.size() - 1));
            connection.rollback();

            // What was read before the snapshot, and what is read without one, opens as ever.
            Connection committed = connect();
            committed.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            committed.setAutoCommit(false);
            assertThat(rows(committed, together)).containsExactly("1,harmless");
            committed.close();
            connection.setAutoCommit(true);
            assertThat(rows(connection, together)).containsExactly("1,harmless");
            assertThat(rows(connection, MEMBER)).containsExactly("1,5");
            connection.setAutoCommit(false);
            assertThat(rows(connection, TASK)).containsExactly("1,harmless");
        }
    }

    /** The rows of the snapshot are earlier ones; none of them is a right to itself, and none is as old as the time says. */
    @ParameterizedTest
    @ValueSource(strings = {"b.id = a.id", "b.id BETWEEN a.id AND a.id"})
    void aRowOfTheSnapshotIsNoRightToItself(String same) throws SQLException {
        on(
                On.MARIADB,
                "CREATE CONTEXT MyUId BIGINT;\nCREATE VIEW known AS SELECT id, owner, status FROM p;\n"
                        + "CREATE VIEW pub AS SELECT a.* FROM p a WHERE a.owner = ?MyUId"
                        + " AND EXISTS (SELECT 1 FROM p b WHERE " + same + " AND b.status = 1);\n",
                new String[] {
                    "CREATE TABLE p (id INT PRIMARY KEY, owner INT NOT NULL, status INT NOT NULL, secret VARCHAR(20))",
                    "INSERT INTO p VALUES (3, 2, 1, 'SECRET')"
                });
        request(1);
        Connection connection = connect();
        connection.setAutoCommit(false);
        assertThat(rows(connection, "SELECT id FROM p WHERE id = 3")).containsExactly("3");
        elsewhere("UPDATE p SET owner = 1, status = 0");
        for (String row : List.of("b.id = 3", "b.id = a.id")) {
            assertRefused(
                    connection,
                    "SELECT a.id, a.secret FROM p a WHERE a.id = 3 AND a.owner = 1"
                            + " AND EXISTS (SELECT 1 FROM p b WHERE " + row + " AND b.status = 1) FOR UPDATE");
        }
        connection.rollback();
    }

    @Test
    void whatTheTimeSaysIsNotSaidOfTheSnapshotBesideWhatIsLocked() throws SQLException {
        on(On.MARIADB, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW tasks AS SELECT tk.* FROM tk JOIN mem ON mem.c = tk.c
                  WHERE mem.u = ?MyUId AND mem.since < UTC_TIMESTAMP();
                CREATE VIEW mm AS SELECT * FROM mem WHERE u = ?MyUId;
                """, new String[] {
            "CREATE TABLE mem (u INT NOT NULL, c INT NOT NULL, since DATETIME NOT NULL, PRIMARY KEY (u, c))",
            "CREATE TABLE tk (id INT PRIMARY KEY, c INT NOT NULL, secret VARCHAR(20) NOT NULL)",
            "INSERT INTO mem VALUES (1, 5, '2030-01-01')",
            "INSERT INTO tk VALUES (1, 5, 'SECRET')"
        });
        request(1);
        Connection connection = connect();
        connection.setAutoCommit(false);
        assertThat(rows(connection, "SELECT * FROM mem WHERE u = 1")).hasSize(1);
        elsewhere("DELETE FROM mem");
        assertRefused(
                connection,
                "SELECT tk.id, tk.secret FROM tk WHERE tk.c = 5 AND EXISTS (SELECT 1 FROM mem WHERE mem.u = 1"
                        + " AND mem.c = 5 AND mem.since < UTC_TIMESTAMP()) FOR UPDATE");
        connection.rollback();
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void norDoesOneThatAnotherConnectionHasRead(On where) throws SQLException {
        for (int isolation : isolations(where)) {
            if (where == On.MARIADB && isolation == Connection.TRANSACTION_SERIALIZABLE) {
                continue; // Reads what is there now, and nobody can change it.
            }
            tasks(where);
            Connection other = connect();
            Connection connection = connect();
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(isolation);
            assertThat(rows(connection, "SELECT id FROM tasks ORDER BY id")).containsExactly("1", "2");
            becomesMember();
            assertThat(rows(other, MEMBER)).containsExactly("1,5");
            assertRefused(connection, TASK);
            connection.commit();
            assertThat(rows(connection, TASK)).isEmpty();
        }
    }

    /** H2 takes the state of each table when it is first read. */
    @Test
    void norDoesOneOfAnotherTableOnH2() throws SQLException {
        tasks(On.H2);
        Connection connection = connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        assertThat(rows(connection, "SELECT id FROM tasks ORDER BY id")).containsExactly("1", "2");
        becomesMember();
        assertThat(rows(connection, MEMBER)).containsExactly("1,5");
        assertRefused(connection, TASK);
    }

    @Test
    void noForeignKeyIsBelievedBetweenTablesOfTwoStatesOnH2() throws SQLException {
        keyed(On.H2);
        Connection connection = connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        assertThat(rows(connection, "SELECT id FROM posts ORDER BY id")).containsExactly("10", "20", "30");
        elsewhere("UPDATE posts SET author = 1 WHERE id = 20", "DELETE FROM users WHERE id = 2");
        assertRefused(connection, AUTHORS);
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        assertThat(rows(connection, AUTHORS)).containsExactly("10", "20", "30");
    }

    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"MARIADB", "H2"})
    void nothingIsBelievedBetweenRowsThatAreNotCommitted(On where) throws SQLException {
        Connection connection = keyed(where);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        assertRefused(connection, AUTHORS);
        connection.setAutoCommit(false);
        assertRefused(connection, AUTHORS);
        assertThat(rows(connection, "SELECT id, v FROM t WHERE id = 1")).containsExactly("1,1");
        connection.commit();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        assertThat(rows(connection, AUTHORS)).containsExactly("10", "20", "30");
    }

    // --- what applications do ----------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(On.class)
    void anOrdinaryTransactionGoesOn(On where) throws SQLException {
        for (int isolation : new int[] {
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE
        }) {
            keyed(where);
            Connection connection = connect();
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(isolation);
            assertThat(rows(connection, "SELECT * FROM o WHERE id = 1 AND owner = 1"))
                    .containsExactly("1,1,mine");
            if (where != On.H2 || isolation != Connection.TRANSACTION_REPEATABLE_READ) {
                assertThat(rows(connection, "SELECT * FROM o WHERE id = 1")).containsExactly("1,1,mine");
                assertThat(rows(connection, "SELECT id, txt FROM l WHERE o = 1"))
                        .containsExactly("1,mine");
                run(connection, "UPDATE o SET txt = 'new' WHERE id = 1");
                assertThat(rows(connection, "SELECT * FROM o WHERE id = 1")).containsExactly("1,1,new");
                assertThat(rows(connection, "SELECT id, txt FROM l WHERE o = 1"))
                        .containsExactly("1,mine");
                assertThat(rows(connection, AUTHORS)).containsExactly("10", "20", "30");
            }
            run(connection, "UPDATE o SET txt = 'newer' WHERE id = 1 AND owner = 1");
            assertThat(rows(connection, "SELECT * FROM o WHERE id = 1 AND owner = 1"))
                    .containsExactly("1,1,newer");
            assertThat(rows(connection, "SELECT * FROM o WHERE id = 1 AND owner = 1 FOR UPDATE"))
                    .containsExactly("1,1,newer");
            run(connection, "INSERT INTO o VALUES (3, 1, 'mine')", "INSERT INTO l VALUES (3, 3, 'mine')");
            assertThat(rows(connection, "SELECT * FROM o WHERE owner = 1 ORDER BY id"))
                    .containsExactly("1,1,newer", "3,1,mine");
            connection.commit();
            assertThat(rows(connection, "SELECT * FROM o WHERE owner = 1 ORDER BY id"))
                    .containsExactly("1,1,newer", "3,1,mine");
            connection.commit();
        }
    }

    /** Without a read before it, MariaDB has no snapshot yet when it locks or writes. */
    @Test
    void whatIsLockedFirstOpensWhatIsReadThen() throws SQLException {
        Connection connection = keyed(On.MARIADB);
        connection.setAutoCommit(false);
        assertThat(rows(connection, "SELECT id, owner FROM o WHERE id = 1 AND owner = 1 FOR UPDATE"))
                .containsExactly("1,1");
        assertThat(rows(connection, "SELECT id, txt FROM l WHERE o = 1")).containsExactly("1,mine");
        connection.commit();
        run(connection, "INSERT INTO o VALUES (3, 1, 'mine')");
        assertThat(rows(connection, "SELECT id, owner FROM o WHERE id = 3 AND owner = 1"))
                .containsExactly("3,1");
        assertThat(rows(connection, "SELECT * FROM o WHERE id = 3")).containsExactly("3,1,mine");
        assertThat(rows(connection, "SELECT id, txt FROM l WHERE o = 3")).isEmpty();
    }
}
