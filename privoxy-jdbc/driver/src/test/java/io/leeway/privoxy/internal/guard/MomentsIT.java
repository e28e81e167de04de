package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a request reads one after the other is of one moment after the other. A row that was open at one of them stays
 * open; what was open at none does not come to be so by putting what was read then beside what was read later, or beside
 * what is there now.
 */
class MomentsIT extends Cases {

    /** A value of before meets a condition of now in one row. */
    @ParameterizedTest
    @EnumSource(On.class)
    void aValueOfBeforeIsNotWhatAConditionComparesWithNow(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT * FROM t WHERE owner = ?MyUId;
                CREATE VIEW caps AS SELECT id, cap FROM t;
                CREATE VIEW others AS SELECT id, owner FROM t WHERE cap = 77;
                CREATE VIEW low AS SELECT * FROM s WHERE lvl < 5;
                CREATE VIEW limits AS SELECT id, cap FROM s;
                CREATE VIEW more AS SELECT id, lvl FROM s WHERE cap = 77;
                """,
                "CREATE TABLE t (id INT PRIMARY KEY, owner INT NOT NULL, cap INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "CREATE TABLE s (id INT PRIMARY KEY, lvl INT NOT NULL, cap INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO t VALUES (1, 1, 1, 'mine'), (2, 2, 1, 'SECRET2')",
                "INSERT INTO s VALUES (2, 9, 3, 'SECRETs2')");
        assertThat(rows(connection, "SELECT id, cap FROM t WHERE id = 2")).containsExactly("2,1");
        assertThat(rows(connection, "SELECT id, cap FROM s WHERE id = 2")).containsExactly("2,3");
        elsewhere("UPDATE t SET cap = 2 WHERE id = 2");
        elsewhere("UPDATE s SET cap = 20 WHERE id = 2");
        assertRefused(connection, "SELECT id, secret FROM t WHERE id = 2 AND owner = cap");
        assertRefused(connection, "SELECT id, secret FROM t WHERE id = 2");
        assertRefused(connection, "UPDATE t SET secret = 'gone' WHERE id = 2 AND owner = cap");
        assertRefused(connection, "SELECT id, secret FROM s WHERE id = 2 AND lvl <= cap");
        // What was read is read again.
        assertThat(rows(connection, "SELECT id, cap FROM t WHERE id = 2")).containsExactly("2,2");
    }

    private Connection published(On where) throws SQLException {
        return start(
                where,
                """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW pub AS SELECT * FROM p WHERE owner = ?MyUId AND status = 'pub';
                CREATE VIEW known AS SELECT id, owner, status FROM p;
                """,
                "CREATE TABLE p (id INT PRIMARY KEY, owner INT NOT NULL, status VARCHAR(8) NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO p VALUES (1, 1, 'pub', 'mine'), (2, 1, 'priv', 'SECRETp2'), (3, 2, 'pub', 'SECRETp3')");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void columnsOfOneRowThatWereReadOneAfterTheOtherDoNotOpenItTogether(On where) throws SQLException {
        Connection connection = published(where);
        assertThat(rows(connection, "SELECT id, owner FROM p WHERE id = 2")).containsExactly("2,1");
        elsewhere("UPDATE p SET owner = 2, status = 'pub' WHERE id = 2");
        assertThat(rows(connection, "SELECT id, status FROM p WHERE id = 2")).containsExactly("2,pub");
        assertRefused(connection, "SELECT id, secret FROM p WHERE id = 2");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void whatWasReadAndAConditionOfNowDoNotOpenARowTogether(On where) throws SQLException {
        Connection connection = published(where);
        assertThat(rows(connection, "SELECT id, status FROM p WHERE id = 3")).containsExactly("3,pub");
        elsewhere("UPDATE p SET owner = 1, status = 'priv' WHERE id = 3");
        assertRefused(connection, "SELECT id, secret FROM p WHERE id = 3 AND owner = 1");
        // All of it is of now.
        assertThat(rows(connection, "SELECT id, secret FROM p WHERE owner = 1 AND status = 'pub'"))
                .containsExactly("1,mine");
    }

    private Connection pairs(On where) throws SQLException {
        return start(
                where,
                """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW members AS SELECT * FROM m;
                CREATE VIEW ids AS SELECT id FROM x;
                CREATE VIEW pairs AS SELECT m.id AS m, x.id AS x FROM m JOIN x ON x.owner = m.uid;
                CREATE VIEW mine AS SELECT * FROM x WHERE owner = ?MyUId;
                """,
                "CREATE TABLE m (id INT PRIMARY KEY, uid INT NOT NULL)",
                "CREATE TABLE x (id INT PRIMARY KEY, owner INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO m VALUES (7, 1)",
                "INSERT INTO x VALUES (1, 1, 'mine'), (2, 2, 'SECRETx2')");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void rowsThatWereReadOneAfterTheOtherDoNotSayOfEachOtherWhatTheyAre(On where) throws SQLException {
        Connection connection = pairs(where);
        assertThat(rows(connection, "SELECT id, uid FROM m WHERE id = 7")).containsExactly("7,1");
        elsewhere("UPDATE m SET uid = 2 WHERE id = 7");
        assertThat(rows(connection, "SELECT m.id, x.id FROM m JOIN x ON x.owner = m.uid WHERE m.id = 7"))
                .containsExactly("7,2");
        assertRefused(connection, "SELECT id, secret FROM x WHERE id = 2");
        assertRefused(connection, "UPDATE x SET secret = 'gone' WHERE id = 2 AND secret = 'SECRETx2'");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void aRightAndWhatItNeedsAreOfOneMoment(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW tasks AS SELECT tk.* FROM tk JOIN mem ON mem.c = tk.c
                  WHERE mem.u = ?MyUId AND mem.role = tk.need;
                CREATE VIEW roles AS SELECT * FROM mem WHERE u = ?MyUId;
                CREATE VIEW needs AS SELECT id, c, need FROM tk;
                """,
                "CREATE TABLE mem (u INT NOT NULL, c INT NOT NULL, role INT NOT NULL, PRIMARY KEY (u, c))",
                "CREATE TABLE tk (id INT PRIMARY KEY, c INT NOT NULL, need INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO mem VALUES (1, 5, 1)",
                "INSERT INTO tk VALUES (1, 5, 2, 'SECRETtk1'), (2, 5, 1, 'mine')");
        assertThat(rows(connection, "SELECT u, c, role FROM mem WHERE u = 1 AND c = 5"))
                .containsExactly("1,5,1");
        // A right of a moment before opens what it opens.
        assertThat(rows(connection, "SELECT id, secret FROM tk WHERE c = 5 AND need = 1"))
                .containsExactly("2,mine");
        assertThat(rows(connection, "SELECT id, c, need FROM tk WHERE id = 1")).containsExactly("1,5,2");
        elsewhere("UPDATE tk SET need = 3 WHERE id = 1");
        elsewhere("UPDATE mem SET role = 2 WHERE u = 1 AND c = 5");
        assertThat(rows(connection, "SELECT u, c, role FROM mem WHERE u = 1 AND c = 5"))
                .containsExactly("1,5,2");
        assertRefused(connection, "SELECT id, secret FROM tk WHERE id = 1");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void thatAConditionHeldDoesNotSayHowFarItHoldsNow(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW high AS SELECT id FROM w WHERE lvl > 5;
                CREATE VIEW mine AS SELECT id FROM v WHERE owner = ?MyUId;
                """,
                "CREATE TABLE w (id INT PRIMARY KEY, lvl INT NOT NULL)",
                "CREATE TABLE v (id INT PRIMARY KEY, owner INT NOT NULL)",
                "INSERT INTO w VALUES (1, 9), (2, 8), (3, 1)",
                "INSERT INTO v VALUES (1, 1), (2, 1), (3, 2)");
        assertThat(rows(connection, "SELECT id FROM w WHERE lvl > 5 ORDER BY id"))
                .containsExactly("1", "2");
        assertThat(rows(connection, "SELECT id FROM v WHERE owner = 1 ORDER BY id"))
                .containsExactly("1", "2");
        elsewhere("UPDATE w SET lvl = 3 WHERE id = 2");
        elsewhere("UPDATE v SET owner = 7 WHERE id = 2");
        assertRefused(connection, "SELECT id FROM w WHERE id = 2 AND lvl > 2");
        assertRefused(connection, "SELECT id FROM w WHERE id = 2 AND lvl > 3");
        assertRefused(connection, "SELECT id FROM v WHERE id = 2 AND owner < 8");
        assertRefused(connection, "SELECT id, owner FROM v WHERE id = 2");
        // The row itself was shown, and is again.
        assertThat(rows(connection, "SELECT id FROM w WHERE id = 2")).containsExactly("2");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void aNameAndAReferenceAreGivenToOtherRows(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT * FROM n WHERE owner = ?MyUId;
                CREATE VIEW names AS SELECT email FROM n;
                CREATE VIEW locks AS SELECT * FROM lck WHERE owner = ?MyUId;
                CREATE VIEW lockers AS SELECT id, pid FROM lck;
                """,
                "CREATE TABLE n (email VARCHAR(20) NOT NULL UNIQUE, owner INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "CREATE TABLE persons (id INT PRIMARY KEY)",
                "CREATE TABLE lck (id INT PRIMARY KEY, pid INT NOT NULL UNIQUE, owner INT NOT NULL, secret VARCHAR(20) NOT NULL, FOREIGN KEY (pid) REFERENCES persons (id))",
                "INSERT INTO persons VALUES (1), (2), (3)",
                "INSERT INTO n VALUES ('a', 1, 'mine'), ('x', 2, 'SECRETn')",
                "INSERT INTO lck VALUES (1, 1, 1, 'mine'), (2, 2, 2, 'SECRETl2')");
        assertThat(rows(connection, "SELECT email, owner FROM n WHERE owner = 1"))
                .containsExactly("a,1");
        assertThat(rows(connection, "SELECT pid, owner FROM lck WHERE owner = 1"))
                .containsExactly("1,1");
        elsewhere("UPDATE n SET email = 'b' WHERE owner = 1");
        elsewhere("UPDATE n SET email = 'a' WHERE owner = 2");
        elsewhere("UPDATE lck SET pid = 3 WHERE id = 1");
        elsewhere("UPDATE lck SET pid = 1 WHERE id = 2");
        assertRefused(connection, "SELECT owner, secret FROM n WHERE email = 'a'");
        assertRefused(connection, "SELECT id, owner, secret FROM lck WHERE pid = 1");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void whatAnAssertionSaysIsOfOneMoment(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT * FROM den WHERE uid = ?MyUId;
                CREATE VIEW ids AS SELECT id, m_id FROM den;
                CREATE VIEW members AS SELECT * FROM m;
                CREATE ASSERTION dd AS SELECT d.id FROM den d JOIN m ON d.m_id = m.id WHERE d.uid <> m.uid IS EMPTY;
                """,
                "CREATE TABLE m (id INT PRIMARY KEY, uid INT NOT NULL)",
                "CREATE TABLE den (id INT PRIMARY KEY, m_id INT NOT NULL, uid INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO m VALUES (7, 1), (8, 2)",
                "INSERT INTO den VALUES (1, 8, 2, 'SECRET1')");
        assertThat(rows(connection, "SELECT id, uid FROM m WHERE id = 7")).containsExactly("7,1");
        elsewhere("UPDATE m SET uid = 2 WHERE id = 7");
        elsewhere("INSERT INTO den VALUES (3, 7, 2, 'SECRET3')");
        assertRefused(connection, "SELECT id, secret FROM den WHERE m_id = 7");
        assertRefused(connection, "SELECT id, secret FROM den WHERE id = 3 AND m_id = 7");
        assertRefused(connection, "UPDATE den SET secret = 'gone' WHERE m_id = 7 AND secret = 'SECRET3'");
    }

    private Connection start(On where, String policy, String... statements) throws SQLException {
        on(where, policy, statements);
        request(1);
        return connect();
    }
}
