package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What rows that were read give a right to, beside rows of now. Each case was a way to what was open at no moment, or to the
 * question whether a hidden row is there.
 */
class RightsOfMomentsIT extends Cases {

    private static final String CONTEXT = "CREATE CONTEXT MyUId BIGINT;\n";

    private Connection start(On where, String policy, String... tables) throws SQLException {
        on(where, CONTEXT + policy, tables);
        request(1);
        return connect();
    }

    // --- what ties rows of two moments -------------------------------------------------------------------------------

    /** A role that I have, and one that a task needs: by a key of one of them, of neither, of both to different tables. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "H2|u, c|, FOREIGN KEY (role) REFERENCES roles (id)|",
                "POSTGRESQL|u, c|, FOREIGN KEY (role) REFERENCES roles (id)|",
                "MARIADB|u, c|, FOREIGN KEY (role) REFERENCES roles (id)|",
                "H2|u, c, role||",
                "H2|u, c||",
                "H2|u, c|, FOREIGN KEY (role) REFERENCES roles (id)|, FOREIGN KEY (need) REFERENCES needs (id)"
            })
    void onlyAReferenceTiesThem(On where, String key, String ofRole, String ofNeed) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW tasks AS SELECT tk.* FROM tk JOIN nd ON nd.task = tk.id JOIN mem ON mem.c = tk.c
                  WHERE mem.u = ?MyUId AND mem.role = nd.need;
                CREATE VIEW roles_of_mine AS SELECT * FROM mem WHERE u = ?MyUId;
                CREATE VIEW needed AS SELECT * FROM nd;
                """,
                "CREATE TABLE roles (id INT PRIMARY KEY)",
                "CREATE TABLE needs (id INT PRIMARY KEY)",
                "INSERT INTO roles VALUES (1), (2), (3)",
                "INSERT INTO needs VALUES (1), (2), (3)",
                "CREATE TABLE mem (u INT NOT NULL, c INT NOT NULL, role INT NOT NULL, PRIMARY KEY (" + key + ")"
                        + (ofRole == null ? "" : ofRole) + ")",
                "CREATE TABLE nd (task INT PRIMARY KEY, need INT NOT NULL" + (ofNeed == null ? "" : ofNeed) + ")",
                "CREATE TABLE tk (id INT PRIMARY KEY, c INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO mem VALUES (1, 5, 1)",
                "INSERT INTO nd VALUES (1, 2)",
                "INSERT INTO tk VALUES (1, 5, 'SECRET')");
        assertThat(rows(connection, "SELECT * FROM nd WHERE task = 1")).containsExactly("1,2");
        elsewhere("UPDATE nd SET need = 3 WHERE task = 1", "UPDATE mem SET role = 2 WHERE u = 1");
        assertThat(rows(connection, "SELECT * FROM mem WHERE u = 1")).containsExactly("1,5,2");
        assertRefused(connection, "SELECT id, secret FROM tk WHERE id = 1 AND c = 5");
        assertRefusedWrite(connection, "UPDATE tk SET c = 5 WHERE id = 1 AND c = 5 AND secret = 'SECRET'");
        assertRefusedWrite(connection, "DELETE FROM tk WHERE id = 1 AND c = 5 AND secret = 'SECRET'");
        // All of now.
        elsewhere("UPDATE nd SET need = 2 WHERE task = 1");
        assertThat(rows(
                        connection,
                        "SELECT tk.id FROM tk JOIN nd ON nd.task = tk.id JOIN mem ON mem.c = tk.c"
                                + " WHERE mem.u = 1 AND mem.role = nd.need"))
                .containsExactly("1");
    }

    @Test
    void aPartOfAReferenceIsNone() throws SQLException {
        Connection connection = start(
                On.H2,
                """
                CREATE VIEW docs AS SELECT d.* FROM d JOIN i ON i.doc = d.id JOIN m ON m.course = i.course
                  WHERE m.u = ?MyUId;
                CREATE VIEW mm AS SELECT * FROM m WHERE u = ?MyUId;
                CREATE VIEW ii AS SELECT * FROM i;
                """,
                "CREATE TABLE courses (tenant INT NOT NULL, id INT NOT NULL, PRIMARY KEY (tenant, id))",
                "CREATE TABLE m (u INT NOT NULL PRIMARY KEY, tenant INT NOT NULL, course INT NOT NULL,"
                        + " FOREIGN KEY (tenant, course) REFERENCES courses (tenant, id))",
                "CREATE TABLE i (doc INT NOT NULL PRIMARY KEY, tenant INT NOT NULL, course INT NOT NULL,"
                        + " FOREIGN KEY (tenant, course) REFERENCES courses (tenant, id))",
                "CREATE TABLE d (id INT PRIMARY KEY, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO courses VALUES (1, 5), (1, 6), (2, 5), (2, 6), (1, 7)",
                "INSERT INTO m VALUES (1, 1, 5)",
                "INSERT INTO i VALUES (1, 1, 6)",
                "INSERT INTO d VALUES (1, 'SECRET')");
        assertThat(rows(connection, "SELECT * FROM i WHERE doc = 1")).containsExactly("1,1,6");
        elsewhere("UPDATE i SET course = 7", "UPDATE m SET tenant = 2, course = 6");
        assertThat(rows(connection, "SELECT * FROM m WHERE u = 1")).containsExactly("1,2,6");
        assertRefused(connection, "SELECT id, secret FROM d WHERE id = 1");
    }

    /** What is equal to a row of now, or above and below it, is tied by that; also where it is named twice. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mem.role = tk.x AND nd.need = tk.x",
                "mem.role >= tk.x AND nd.need <= tk.x",
                "mem.role = tk.x AND EXISTS (SELECT 1 FROM tk t2 WHERE t2.id = tk.id AND t2.x = nd.need)"
            })
    void aRowOfNowTiesThemToo(String condition) throws SQLException {
        Connection connection = start(
                On.H2,
                "CREATE VIEW tasks AS SELECT tk.* FROM tk JOIN nd ON nd.task = tk.id JOIN mem ON mem.c = tk.c"
                        + " WHERE mem.u = ?MyUId AND " + condition + ";\n"
                        + "CREATE VIEW roles_of_mine AS SELECT * FROM mem WHERE u = ?MyUId;\n"
                        + "CREATE VIEW needed AS SELECT * FROM nd;\n",
                "CREATE TABLE mem (u INT NOT NULL, c INT NOT NULL, role INT NOT NULL, PRIMARY KEY (u, c))",
                "CREATE TABLE nd (task INT PRIMARY KEY, need INT NOT NULL)",
                "CREATE TABLE tk (id INT PRIMARY KEY, c INT NOT NULL, x INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO mem VALUES (1, 5, 1)",
                "INSERT INTO nd VALUES (1, 2)",
                "INSERT INTO tk VALUES (1, 5, 2, 'SECRET')");
        assertThat(rows(connection, "SELECT * FROM nd WHERE task = 1")).containsExactly("1,2");
        elsewhere("UPDATE nd SET need = 9 WHERE task = 1", "UPDATE mem SET role = 2 WHERE u = 1");
        assertThat(rows(connection, "SELECT * FROM mem WHERE u = 1")).containsExactly("1,5,2");
        assertRefused(connection, "SELECT id, secret FROM tk WHERE id = 1 AND c = 5 AND x = 2");
    }

    /** My role, and what that role may: the one names the other by its primary key. */
    @ParameterizedTest
    @EnumSource(On.class)
    void aReferenceTiesThem(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW tasks AS SELECT tk.* FROM tk JOIN mem ON mem.c = tk.c JOIN roles ON roles.id = mem.role
                  WHERE mem.u = ?MyUId AND roles.allows = 1;
                CREATE VIEW roles_of_mine AS SELECT * FROM mem WHERE u = ?MyUId;
                CREATE VIEW all_roles AS SELECT * FROM roles;
                """,
                "CREATE TABLE roles (id INT PRIMARY KEY, allows INT NOT NULL)",
                "INSERT INTO roles VALUES (1, 1)",
                "CREATE TABLE mem (u INT NOT NULL, c INT NOT NULL, role INT NOT NULL, PRIMARY KEY (u, c))",
                "CREATE TABLE tk (id INT PRIMARY KEY, c INT NOT NULL, txt VARCHAR(20) NOT NULL)",
                "INSERT INTO mem VALUES (1, 5, 1)",
                "INSERT INTO tk VALUES (1, 5, 'shown')");
        assertThat(rows(connection, "SELECT * FROM mem WHERE u = 1")).containsExactly("1,5,1");
        assertThat(rows(connection, "SELECT * FROM roles WHERE id = 1")).containsExactly("1,1");
        assertThat(rows(connection, "SELECT id, txt FROM tk WHERE c = 5")).containsExactly("1,shown");
    }

    // --- one row at two moments --------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "H2|EXISTS (SELECT 1 FROM p b WHERE b.id = a.id AND b.status = 'pub')",
                "POSTGRESQL|EXISTS (SELECT 1 FROM p b WHERE b.id = a.id AND b.status = 'pub')",
                "MARIADB|a.id IN (SELECT b.id FROM p b WHERE b.status = 'pub')"
            })
    void aRowIsNoRightToItself(On where, String isPublic) throws SQLException {
        Connection connection = start(
                where,
                "CREATE VIEW pub AS SELECT a.* FROM p a WHERE a.owner = ?MyUId AND " + isPublic + ";\n"
                        + "CREATE VIEW known AS SELECT id, owner, status FROM p;\n",
                "CREATE TABLE p (id INT PRIMARY KEY, owner INT NOT NULL, status VARCHAR(8) NOT NULL,"
                        + " secret VARCHAR(20) NOT NULL)",
                "INSERT INTO p VALUES (1, 1, 'pub', 'mine'), (3, 2, 'pub', 'SECRET')");
        assertThat(rows(connection, "SELECT id, status FROM p WHERE id = 3")).containsExactly("3,pub");
        elsewhere("UPDATE p SET owner = 1, status = 'priv' WHERE id = 3");
        assertRefused(connection, "SELECT id, secret FROM p WHERE id = 3 AND owner = 1");
        assertRefusedWrite(connection, "UPDATE p SET owner = 1 WHERE id = 3 AND owner = 1 AND secret = 'SECRET'");
        assertThat(rows(connection, "SELECT id, secret FROM p WHERE owner = 1 AND status = 'pub'"))
                .containsExactly("1,mine");
    }

    /** By a name that is unique at each moment, and of which the tenant is given to both. */
    @Test
    void norByAnotherKey() throws SQLException {
        Connection connection = start(
                On.H2,
                """
                CREATE VIEW pub AS SELECT a.* FROM n a WHERE a.owner = ?MyUId AND a.tenant = 7
                  AND EXISTS (SELECT 1 FROM n b WHERE b.name = a.name AND b.tenant = 7 AND b.status = 'pub');
                CREATE VIEW known AS SELECT id, tenant, name, owner, status FROM n;
                """,
                "CREATE TABLE n (id INT PRIMARY KEY, tenant INT NOT NULL, name VARCHAR(8) NOT NULL, owner INT NOT NULL,"
                        + " status VARCHAR(8) NOT NULL, secret VARCHAR(20) NOT NULL, UNIQUE (tenant, name))",
                "INSERT INTO n VALUES (3, 7, 'x', 2, 'pub', 'SECRET')");
        assertThat(rows(connection, "SELECT name, tenant, status FROM n WHERE id = 3"))
                .containsExactly("x,7,pub");
        elsewhere("UPDATE n SET owner = 1, status = 'priv' WHERE id = 3");
        assertRefused(connection, "SELECT id, secret FROM n WHERE name = 'x' AND tenant = 7 AND owner = 1");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void twoMomentsOfOneRowAreNoTwoRights(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW notes AS SELECT s.* FROM s
                  WHERE EXISTS (SELECT 1 FROM p a WHERE a.id = s.pid AND a.owner = ?MyUId)
                  AND EXISTS (SELECT 1 FROM p b WHERE b.id = s.pid AND b.status = 'pub');
                CREATE VIEW known AS SELECT id, owner, status FROM p;
                """,
                "CREATE TABLE p (id INT PRIMARY KEY, owner INT NOT NULL, status VARCHAR(8) NOT NULL)",
                "CREATE TABLE s (id INT PRIMARY KEY, pid INT NOT NULL, secret VARCHAR(20) NOT NULL,"
                        + " FOREIGN KEY (pid) REFERENCES p (id))",
                "INSERT INTO p VALUES (2, 1, 'priv')",
                "INSERT INTO s VALUES (20, 2, 'SECRET')");
        assertThat(rows(connection, "SELECT id, owner FROM p WHERE id = 2")).containsExactly("2,1");
        elsewhere("UPDATE p SET owner = 2, status = 'pub' WHERE id = 2");
        assertRefused(
                connection, "SELECT s.id, s.secret FROM s JOIN p ON p.id = s.pid WHERE s.pid = 2 AND p.status = 'pub'");
        assertThat(rows(connection, "SELECT id, status FROM p WHERE id = 2")).containsExactly("2,pub");
        assertRefused(connection, "SELECT id, secret FROM s WHERE pid = 2");
    }

    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"H2", "POSTGRESQL"})
    void aUniqueNameIsNoPrimaryKeyWhateverItTakesNullFor(On where) throws SQLException {
        Connection connection = start(
                where,
                "CREATE VIEW mine AS SELECT * FROM n WHERE owner = ?MyUId;\nCREATE VIEW names AS SELECT email FROM n;\n",
                "CREATE TABLE n (email VARCHAR(20) NOT NULL, owner INT NOT NULL, secret VARCHAR(20) NOT NULL,"
                        + " CONSTRAINT uq UNIQUE NULLS NOT DISTINCT (email))",
                "INSERT INTO n VALUES ('a', 1, 'mine'), ('x', 2, 'SECRET')");
        assertThat(rows(connection, "SELECT email, owner FROM n WHERE owner = 1"))
                .containsExactly("a,1");
        elsewhere("UPDATE n SET email = 'b' WHERE owner = 1", "UPDATE n SET email = 'a' WHERE owner = 2");
        assertRefused(connection, "SELECT owner, secret FROM n WHERE email = 'a'");
    }

    /** However the view is written: by a row that it names twice, under a collation, by an order in both directions. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "H2|INT|b.id BETWEEN a.id AND a.id",
                "MARIADB|VARCHAR(20)|b.id = a.id",
                "MARIADB|CHAR(36)|b.id = a.id",
                "POSTGRESQL|CHAR(4)|b.id = a.id",
                "H2|VARCHAR_IGNORECASE(20)|b.id = a.id",
                "H2|INT|b.id IN (SELECT l.id FROM p l WHERE l.id = a.id)",
                "POSTGRESQL|INT|b.id - a.id = 0",
                "MARIADB|INT|b.id + 0 = a.id",
                "H2|INT|b.id >= a.id AND b.id < a.id + 1"
            })
    void aRowIsNoRightToItselfHoweverItIsSaid(On where, String type, String same) throws SQLException {
        Connection connection = start(
                where,
                "CREATE VIEW pub AS SELECT a.* FROM p a WHERE a.owner = ?MyUId AND EXISTS (SELECT 1 FROM p b WHERE "
                        + same
                        + " AND b.status = 1);\n"
                        + "CREATE VIEW known AS SELECT id, owner, status FROM p;\n",
                "CREATE TABLE p (id " + type + " PRIMARY KEY, owner INT NOT NULL, status INT NOT NULL,"
                        + " secret VARCHAR(20) NOT NULL)",
                "INSERT INTO p VALUES ('3', 2, 1, 'SECRET')");
        assertThat(rows(connection, "SELECT status FROM p WHERE id = " + key(type)))
                .containsExactly("1");
        elsewhere("UPDATE p SET owner = 1, status = 0");
        assertRefused(connection, "SELECT secret FROM p WHERE owner = 1 AND id = " + key(type));
        if (type.equals("INT")) {
            for (String said : List.of("id - id = 0", "3 - id = 0", "id + 0 = id", "3 + 0 = id", "id < id + 1")) {
                assertRefused(connection, "SELECT secret FROM p WHERE owner = 1 AND " + said);
                assertRefused(connection, "SELECT secret FROM p WHERE owner = 1 AND id = 3 AND " + said);
            }
        }
        assertRefusedWrite(
                connection, "UPDATE p SET owner = 1 WHERE secret = 'SECRET' AND owner = 1 AND id = " + key(type));
    }

    private static String key(String type) {
        return type.equals("INT") ? "3" : "'3'";
    }

    /** By a row of now that is named twice, or by what an assertion says of it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s.id IN (SELECT s2.id FROM s s2 JOIN p b ON b.id = s2.pid WHERE b.status = 1)|",
                "EXISTS (SELECT 1 FROM p b WHERE b.id = s.qid AND b.status = 1)"
                        + "|CREATE ASSERTION one AS SELECT id FROM s WHERE pid <> qid IS EMPTY;"
            })
    void twoMomentsOfOneRowAreNoTwoRightsByWayOfAnother(String isPublic, String assertion) throws SQLException {
        Connection connection = start(
                On.H2,
                "CREATE VIEW notes AS SELECT s.* FROM s JOIN p a ON a.id = s.pid WHERE a.owner = ?MyUId AND " + isPublic
                        + ";\nCREATE VIEW known AS SELECT id, owner, status FROM p;\n"
                        + (assertion == null ? "" : assertion),
                "CREATE TABLE p (id INT PRIMARY KEY, owner INT NOT NULL, status INT NOT NULL)",
                "CREATE TABLE s (id INT PRIMARY KEY, pid INT NOT NULL, qid INT NOT NULL, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO p VALUES (2, 1, 0)",
                "INSERT INTO s VALUES (20, 2, 2, 'SECRET')");
        assertThat(rows(connection, "SELECT id, owner FROM p WHERE id = 2")).containsExactly("2,1");
        elsewhere("UPDATE p SET owner = 2, status = 1");
        assertThat(rows(connection, "SELECT id, status FROM p WHERE id = 2")).containsExactly("2,1");
        assertRefused(connection, "SELECT id, secret FROM s WHERE pid = 2");
        assertRefused(connection, "SELECT s.secret FROM s JOIN p ON p.id = s.pid WHERE s.pid = 2 AND p.status = 1");
    }

    /** A name that another row may have been given is no reference that two have in common. */
    @ParameterizedTest
    @EnumSource(On.class)
    void aReferenceToANameTiesNothing(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW docs AS SELECT d.* FROM d JOIN i ON i.doc = d.id JOIN m ON m.code = i.code
                  WHERE m.u = ?MyUId;
                CREATE VIEW mm AS SELECT * FROM m WHERE u = ?MyUId;
                CREATE VIEW ii AS SELECT * FROM i;
                """,
                "CREATE TABLE co (id INT PRIMARY KEY, code INT NOT NULL UNIQUE)",
                "CREATE TABLE m (u INT PRIMARY KEY, code INT NOT NULL, FOREIGN KEY (code) REFERENCES co (code))",
                "CREATE TABLE i (doc INT PRIMARY KEY, code INT NOT NULL, FOREIGN KEY (code) REFERENCES co (code))",
                "CREATE TABLE d (id INT PRIMARY KEY, secret VARCHAR(20) NOT NULL)",
                "INSERT INTO co VALUES (1, 100), (2, 200)",
                "INSERT INTO m VALUES (1, 100)",
                "INSERT INTO i VALUES (9, 200)",
                "INSERT INTO d VALUES (9, 'SECRET')");
        assertThat(rows(connection, "SELECT * FROM m WHERE u = 1")).containsExactly("1,100");
        elsewhere(
                "DELETE FROM m",
                "DELETE FROM i",
                "UPDATE co SET code = 300 WHERE id = 1",
                "UPDATE co SET code = 100 WHERE id = 2",
                "INSERT INTO i VALUES (9, 100)");
        assertThat(rows(connection, "SELECT * FROM i WHERE doc = 9")).containsExactly("9,100");
        assertRefused(connection, "SELECT id, secret FROM d WHERE id = 9");
    }

    /** The usual page, with keys that the database compares by a collation. */
    @ParameterizedTest
    @CsvSource({"MARIADB, CHAR(36)", "MARIADB, VARCHAR(36)", "H2, CHAR(36)", "POSTGRESQL, UUID", "H2, INT"})
    void referencesOfAnyTypeTie(On where, String type) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW mm AS SELECT * FROM mem WHERE u = ?MyUId;
                CREATE VIEW tasks AS SELECT t.* FROM tasks t JOIN mem m ON m.course = t.course WHERE m.u = ?MyUId;
                CREATE VIEW comments AS SELECT c.* FROM comments c JOIN tasks t ON t.id = c.task
                  JOIN mem m ON m.course = t.course WHERE m.u = ?MyUId;
                """,
                "CREATE TABLE courses (id " + type + " PRIMARY KEY)",
                "CREATE TABLE mem (u INT NOT NULL, course " + type + " NOT NULL, PRIMARY KEY (u, course),"
                        + " FOREIGN KEY (course) REFERENCES courses (id))",
                "CREATE TABLE tasks (id " + type + " PRIMARY KEY, course " + type
                        + " NOT NULL, FOREIGN KEY (course) REFERENCES courses (id))",
                "CREATE TABLE comments (id INT PRIMARY KEY, task " + type
                        + " NOT NULL, txt VARCHAR(9) NOT NULL, FOREIGN KEY (task) REFERENCES tasks (id))",
                "INSERT INTO courses VALUES (" + id(type, 5) + ")",
                "INSERT INTO mem VALUES (1, " + id(type, 5) + ")",
                "INSERT INTO tasks VALUES (" + id(type, 7) + ", " + id(type, 5) + ")",
                "INSERT INTO comments VALUES (1, " + id(type, 7) + ", 'shown')");
        assertThat(rows(connection, "SELECT * FROM mem WHERE u = 1")).hasSize(1);
        assertThat(rows(connection, "SELECT * FROM tasks WHERE course = " + id(type, 5)))
                .hasSize(1);
        assertThat(rows(connection, "SELECT txt FROM comments WHERE task = " + id(type, 7)))
                .containsExactly("shown");
    }

    private static String id(String type, int number) {
        return type.equals("INT") ? "" + number : "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1" + number + "'";
    }

    // --- what is shown of it -----------------------------------------------------------------------------------------

    /** Nor is it by standing in the statement's own list: that it is 5 was shown, and no column. */
    @ParameterizedTest
    @EnumSource(On.class)
    void aColumnThatNoViewShowsIsNotShownByTheStatement(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW five AS SELECT id FROM docs WHERE owner = 5;
                CREATE VIEW mine AS SELECT * FROM docs WHERE owner = ?MyUId;
                """,
                "CREATE TABLE docs (id INT PRIMARY KEY, owner INT NOT NULL)",
                "INSERT INTO docs VALUES (1, 5)");
        assertThat(rows(connection, "SELECT id, owner FROM docs WHERE owner = 5"))
                .containsExactly("1,5");
        elsewhere("UPDATE docs SET owner = 4242");
        assertRefused(connection, "SELECT id, owner FROM docs WHERE id = 1");
        assertRefused(connection, "SELECT id FROM docs WHERE id = 1 AND owner > 4000");
        assertThat(rows(connection, "SELECT id FROM docs WHERE id = 1")).containsExactly("1");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void aColumnThatWasOnlyComparedIsNotShown(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW own AS SELECT id, owner FROM docs WHERE owner = approver;
                CREATE VIEW members AS SELECT * FROM m;
                CREATE VIEW pairs AS SELECT m.id AS m, x.id AS x FROM m JOIN x ON x.owner = m.uid;
                """,
                "CREATE TABLE docs (id INT PRIMARY KEY, owner INT NOT NULL, approver INT NOT NULL)",
                "CREATE TABLE m (id INT PRIMARY KEY, uid INT NOT NULL)",
                "CREATE TABLE x (id INT PRIMARY KEY, owner INT NOT NULL)",
                "INSERT INTO docs VALUES (1, 4, 4)",
                "INSERT INTO m VALUES (7, 1)",
                "INSERT INTO x VALUES (2, 1)");
        assertThat(rows(connection, "SELECT id, owner FROM docs WHERE owner = approver"))
                .containsExactly("1,4");
        assertThat(rows(connection, "SELECT m.id, m.uid, x.id FROM m JOIN x ON x.owner = m.uid WHERE m.id = 7"))
                .containsExactly("7,1,2");
        elsewhere("UPDATE docs SET approver = 4242, owner = 9 WHERE id = 1", "UPDATE x SET owner = 4242 WHERE id = 2");
        assertRefused(connection, "SELECT id, approver FROM docs WHERE id = 1");
        assertRefused(connection, "SELECT id FROM docs WHERE id = 1 AND approver > 4000");
        assertRefused(connection, "SELECT id, owner FROM x WHERE id = 2");
        assertRefused(connection, "SELECT id FROM x WHERE id = 2 AND owner > 4000");
        assertThat(rows(connection, "SELECT id, owner FROM docs WHERE id = 1")).containsExactly("1,9");
    }

    /** Of the view only columns of a row of before are shown: it is no right to ask about hidden rows of now. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatShowsNothingOfNowOpensNothing(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW ee AS SELECT * FROM e;
                CREATE VIEW v AS SELECT e.id, e.thr FROM e JOIN h ON h.owner = e.id AND h.amount > e.thr;
                """,
                "CREATE TABLE e (id INT PRIMARY KEY, thr INT NOT NULL)",
                "CREATE TABLE h (owner INT PRIMARY KEY, amount INT NOT NULL)",
                "INSERT INTO e VALUES (1, 100)");
        assertThat(rows(connection, "SELECT id, thr FROM e WHERE id = 1")).containsExactly("1,100");
        elsewhere("UPDATE e SET thr = 500", "INSERT INTO h VALUES (1, 300)");
        assertRefused(connection, "SELECT owner FROM h WHERE owner = 1 AND amount > 100");
        assertRefused(connection, "SELECT EXISTS (SELECT 1 FROM h WHERE owner = 1 AND amount > 100)");
    }

    /** The view shows the row of before in any case; so it does not tell whether there is another that looks like it. */
    @ParameterizedTest
    @EnumSource(On.class)
    void aRowOfNowThatLooksLikeTheRightIsNotTold(On where) throws SQLException {
        Connection connection = start(
                where,
                """
                CREATE VIEW mine AS SELECT * FROM t WHERE owner = ?MyUId;
                CREATE VIEW kinds AS SELECT b.grp, b.kind FROM t a JOIN t b ON a.grp = b.grp WHERE a.owner = ?MyUId;
                CREATE VIEW fellows AS SELECT b.id, b.grp FROM t a JOIN t b ON a.grp = b.grp WHERE a.owner = ?MyUId;
                """,
                "CREATE TABLE t (id INT PRIMARY KEY, owner INT NOT NULL, grp INT NOT NULL, kind VARCHAR(5) NOT NULL)",
                "INSERT INTO t VALUES (1, 1, 5, 'k'), (2, 2, 5, 'k')");
        assertThat(rows(connection, "SELECT id, owner, grp, kind FROM t WHERE owner = 1"))
                .containsExactly("1,1,5,k");
        elsewhere("UPDATE t SET grp = 9 WHERE id = 1");
        assertRefused(connection, "SELECT DISTINCT grp, kind FROM t WHERE grp = 5");
        assertRefused(connection, "SELECT EXISTS (SELECT 1 FROM t WHERE grp = 5 AND kind = 'k')");
        // Who else is in the group of which I was when I looked.
        assertThat(rows(connection, "SELECT id FROM t WHERE grp = 5")).containsExactly("2");
    }
}
