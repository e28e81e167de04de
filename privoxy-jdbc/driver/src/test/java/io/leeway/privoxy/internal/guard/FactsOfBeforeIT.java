package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What was read opens the row that was read. It does not say which other rows a statement means that reads that row
 * again, as somebody may have changed it.
 */
class FactsOfBeforeIT extends Cases {

    private static final String MEMBER = "SELECT id, uid, grp FROM m WHERE id = 7";

    private Connection members(On where) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT * FROM t WHERE owner = ?MyUId;
                CREATE VIEW mm AS SELECT * FROM m;
                CREATE VIEW ofgroup AS SELECT t.* FROM t JOIN m ON m.grp = t.owner WHERE m.uid = ?MyUId;
                CREATE VIEW names AS SELECT id, email, cap FROM t;
                """, new String[] {
            "CREATE TABLE m (id INT PRIMARY KEY, uid INT NOT NULL, grp INT NOT NULL)",
            "CREATE TABLE t (id INT PRIMARY KEY, email VARCHAR(20) NOT NULL UNIQUE, owner INT NOT NULL,"
                    + " cap INT NOT NULL, secret VARCHAR(20) NOT NULL)",
            "INSERT INTO m VALUES (7, 1, 1), (8, 2, 2)",
            "INSERT INTO t VALUES (1, 'a', 1, 1, 'mine'), (2, 'x', 2, 1, 'SECRET2'), (3, 'z', 2, 1, 'SECRET3')"
        });
        request(1);
        return connect();
    }

    private static final List<String> OF_THE_MEMBER = List.of(
            "SELECT t.id, t.secret FROM t JOIN m ON m.uid = t.owner WHERE m.id = 7 ORDER BY t.id",
            "SELECT t.id, t.secret FROM m JOIN t ON t.owner = m.grp WHERE m.id = 7 ORDER BY t.id",
            "SELECT id, secret FROM t WHERE owner = (SELECT uid FROM m WHERE id = 7) ORDER BY id",
            "SELECT id, secret FROM t WHERE owner IN (SELECT uid FROM m WHERE id IN (7)) ORDER BY id",
            "SELECT id, secret FROM t WHERE EXISTS (SELECT 1 FROM m WHERE m.id = 7 AND m.uid = t.owner) ORDER BY id",
            "WITH q AS (SELECT uid FROM m WHERE id = 7) SELECT t.id, t.secret FROM t JOIN q ON q.uid = t.owner"
                    + " ORDER BY t.id",
            "SELECT m.id, t.secret FROM m LEFT JOIN t ON t.owner = m.uid WHERE m.id = 7 ORDER BY m.id, t.id",
            "SELECT COUNT(*) FROM t JOIN m ON m.uid = t.owner WHERE m.id = 7",
            "SELECT t.id, t.secret FROM t JOIN m ON m.uid = t.owner AND m.uid < t.owner + 1 WHERE m.id = 7"
                    + " ORDER BY t.id",
            "SELECT t.id, t.secret FROM t JOIN m ON m.uid <= t.owner AND m.uid >= t.owner WHERE m.id = 7"
                    + " ORDER BY t.id");

    @ParameterizedTest
    @EnumSource(On.class)
    void whatWasReadDoesNotSayWhichOtherRowsAreMeant(On where) throws SQLException {
        Connection connection = members(where);
        assertThat(rows(connection, MEMBER)).containsExactly("7,1,1");
        elsewhere("UPDATE m SET uid = 2, grp = 2 WHERE id = 7");
        for (String sql : OF_THE_MEMBER) {
            assertRefused(connection, sql);
        }
        for (String sql : List.of(
                "UPDATE t SET secret = 'gone' WHERE owner = (SELECT uid FROM m WHERE id = 7)",
                "DELETE FROM t WHERE owner IN (SELECT uid FROM m WHERE id = 7) AND secret = 'guess'")) {
            assertRefusedWrite(connection, sql);
        }
        // The row itself is what it is now.
        assertThat(rows(connection, MEMBER)).containsExactly("7,2,2");
    }

    /** Nor with a template, which somebody else's request has made. */
    @ParameterizedTest
    @EnumSource(On.class)
    void norAfterOthersHaveAskedTheSame(On where) throws SQLException {
        Connection connection = members(where);
        assertThat(rows(connection, MEMBER)).containsExactly("7,1,1");
        for (String sql : OF_THE_MEMBER) {
            try {
                rows(connection, sql);
            } catch (SQLException refused) {
                // Then nothing is learnt of it.
            }
        }
        request(1);
        assertThat(rows(connection, MEMBER)).containsExactly("7,1,1");
        elsewhere("UPDATE m SET uid = 2, grp = 2 WHERE id = 7");
        for (String sql : OF_THE_MEMBER) {
            assertRefused(connection, sql);
        }
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void aKeyThatAnotherRowHasTakenOpensItNot(On where) throws SQLException {
        Connection connection = members(where);
        assertThat(rows(connection, "SELECT id, email FROM t WHERE owner = 1")).containsExactly("1,a");
        elsewhere("UPDATE t SET email = 'b' WHERE id = 1", "UPDATE t SET email = 'a' WHERE id = 2");
        assertRefused(connection, "SELECT owner, secret FROM t WHERE email = 'a'");
        assertRefusedWrite(connection, "DELETE FROM t WHERE email = 'a' AND secret = 'guess'");
        assertThat(rows(connection, "SELECT id, email FROM t WHERE email = 'a'"))
                .containsExactly("2,a");
    }

    private Connection exempt(On where) throws SQLException {
        on(where, """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW others AS SELECT * FROM t WHERE id <> 2;
            CREATE VIEW names AS SELECT id, email, lvl FROM t;
            CREATE VIEW own AS SELECT * FROM t WHERE id = 2 AND owner = ?MyUId;
            CREATE VIEW zz AS SELECT * FROM z;
            """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, email VARCHAR(20) NOT NULL UNIQUE, owner INT NOT NULL, lvl INT,"
                    + " secret VARCHAR(20) NOT NULL)",
            "INSERT INTO t VALUES (1, 'a', 1, 5, 'mine'), (2, 'x', 2, NULL, 'SECRET2'), (3, 'z', 1, 5, 'mine3')",
            "CREATE TABLE z (id INT PRIMARY KEY)"
        });
        request(1);
        return connect();
    }

    /** A view that shows all rows but one: whether the statement means that one, what was read of it does not say. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatWasReadKeepsNoRowFromBeingMeant(On where) throws SQLException {
        Connection connection = exempt(where);
        assertThat(rows(connection, "SELECT id, email, lvl FROM t WHERE id = 2"))
                .containsExactly("2,x,null");
        elsewhere("UPDATE t SET email = 'y', lvl = 7 WHERE id = 2");
        for (String condition : List.of(
                "email <> 'x'",
                "email > 'x'",
                "email IN ('a', 'y')",
                "lvl IS NOT NULL",
                "lvl > 1",
                "lvl IN (5, 7)",
                "id IN (2, 3) AND email <> 'x'")) {
            assertRefused(connection, "SELECT id, secret FROM t WHERE " + condition);
        }
        assertThat(rows(connection, "SELECT id, secret FROM t WHERE id <> 2 AND email <> 'x' ORDER BY id"))
                .containsExactly("1,mine", "3,mine3");
    }

    /** So much that the rows behind it fill a proof: ten rows of thirteen tables each. */
    private void readMuch(Connection connection) throws SQLException {
        StringBuilder numbers = new StringBuilder("INSERT INTO z VALUES (1)");
        for (int id = 2; id <= 60; id++) {
            numbers.append(", (").append(id).append(')');
        }
        elsewhere(numbers.toString());
        for (int last = 12; last < 54; last++) {
            StringBuilder what = new StringBuilder("SELECT a0.id");
            StringBuilder from = new StringBuilder(" FROM z a0");
            StringBuilder condition = new StringBuilder(" WHERE a0.id <= 10");
            for (int table = 1; table <= 12; table++) {
                what.append(", a").append(table).append(".id");
                from.append(", z a").append(table);
                condition.append(" AND a").append(table).append(".id = ").append(table == 12 ? last : 11);
            }
            assertThat(rows(connection, what + "" + from + condition + " ORDER BY a0.id"))
                    .hasSize(10);
        }
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void whoHasReadMuchIsRefusedToo(On where) throws SQLException {
        Connection connection = exempt(where);
        readMuch(connection);
        assertThat(rows(connection, "SELECT id, email FROM t WHERE id = 2")).containsExactly("2,x");
        elsewhere("UPDATE t SET email = 'y' WHERE id = 2");
        assertRefused(connection, "SELECT id, secret FROM t WHERE id = 2 AND email <> 'x'");
        assertRefused(connection, "SELECT id, email, secret FROM t WHERE id = 2 AND email > 'x'");
        assertRefused(connection, "SELECT id, secret FROM t WHERE email <> 'x'");
    }

    /** What contradicts each other proves nothing, however much was read besides. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatContradictsEachOtherProvesNothingBesideMuch(On where) throws SQLException {
        Connection connection = exempt(where);
        readMuch(connection);
        assertThat(rows(connection, "SELECT id, email FROM t WHERE id = 1")).containsExactly("1,a");
        elsewhere("UPDATE t SET email = 'b' WHERE id = 1");
        assertThat(rows(connection, "SELECT id FROM t WHERE id = 1 AND email <> 'a'"))
                .containsExactly("1");
        assertRefused(connection, "SELECT id, email, owner, secret FROM t");
        assertRefused(connection, "SELECT id, secret FROM t WHERE id = 2");
        assertRefusedWrite(connection, "DELETE FROM t WHERE secret = 'SECRET2'");
    }

    /** Nor does what does so only where a view's condition holds, and where it does not. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatContradictsEachOtherInEachCaseOfAViewProvesNothing(On where) throws SQLException {
        on(where, """
            CREATE VIEW cc AS SELECT * FROM cfg;
            CREATE VIEW flagged AS SELECT * FROM cfg WHERE f;
            CREATE VIEW oo AS SELECT id FROM other;
            """, new String[] {
            "CREATE TABLE cfg (id INT PRIMARY KEY, g INT NOT NULL, f BOOLEAN NOT NULL, e VARCHAR(10) NOT NULL,"
                    + " UNIQUE (g, f))",
            "CREATE TABLE other (id INT PRIMARY KEY, secret VARCHAR(20))",
            "INSERT INTO cfg VALUES (1, 1, FALSE, 'old'), (2, 1, TRUE, 'old')",
            "INSERT INTO other VALUES (1, 'SECRET')"
        });
        request(1);
        Connection connection = connect();
        assertThat(rows(connection, "SELECT id, g, f, e FROM cfg WHERE e = 'old' ORDER BY id"))
                .hasSize(2);
        elsewhere("UPDATE cfg SET e = 'new' WHERE id = 1");
        assertThat(rows(connection, "SELECT e FROM cfg WHERE g = 1 AND e = 'new'"))
                .containsExactly("new");
        assertRefused(connection, "SELECT o.id, o.secret FROM other o WHERE EXISTS (SELECT 1 FROM cfg)");
        assertRefused(connection, "SELECT o.id, o.secret FROM other o, cfg c WHERE c.id = 1");
    }

    /** By a value that is guessed, where what was read does not tell it. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatWasNotReadIsNotFilledInByAGuess(On where) throws SQLException {
        Connection connection = members(where);
        assertThat(rows(connection, "SELECT m.id FROM m JOIN t ON t.id = m.uid WHERE t.owner = 1"))
                .containsExactly("7");
        elsewhere("UPDATE m SET uid = 2 WHERE id = 7");
        assertRefused(connection, "SELECT t.secret FROM m JOIN t ON t.id = m.uid WHERE m.id = 7 AND m.uid = 2");
        assertRefused(connection, "SELECT t.secret FROM m, t WHERE t.id = 2 AND m.id = 7 AND m.uid = 2");
    }

    /** What stays as it was: the row that was read, and what hangs on it by its number. */
    @ParameterizedTest
    @EnumSource(On.class)
    void theRowThatWasReadStaysOpen(On where) throws SQLException {
        Connection connection = members(where);
        assertThat(rows(connection, "SELECT id, email, owner FROM t WHERE owner = 1"))
                .containsExactly("1,a,1");
        assertThat(rows(connection, "SELECT * FROM t WHERE id = 1")).containsExactly("1,a,1,1,mine");
        assertThat(rows(connection, "SELECT secret FROM t WHERE id = 1 AND cap = 1"))
                .containsExactly("mine");
        assertThat(rows(connection, "SELECT t.secret FROM t JOIN m ON m.id = t.id + 6 WHERE t.id = 1"))
                .containsExactly("mine");
    }
}
