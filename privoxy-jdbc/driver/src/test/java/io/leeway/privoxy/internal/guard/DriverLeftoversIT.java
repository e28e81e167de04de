package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyXADataSource;
import io.leeway.privoxy.UnsupportedQueryException;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver keeps of calls that were dropped or refused: nothing of it may run, and nothing of it is shown. */
class DriverLeftoversIT extends Cases {

    private Connection shown(On where) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW tt AS SELECT id, v, owner FROM t;
                CREATE VIEW own AS SELECT * FROM s WHERE owner = ?MyUId;
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, v INT NOT NULL, owner INT NOT NULL)",
            "INSERT INTO t VALUES (1, 1, 1), (2, 2, 2)",
            "CREATE TABLE s (id INT PRIMARY KEY, v INT NOT NULL, owner INT NOT NULL)",
            "INSERT INTO s VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    private static ResultSet onFirst(Connection connection) throws SQLException {
        ResultSet rows = connection
                .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)
                .executeQuery("SELECT id, v, owner FROM t ORDER BY id");
        rows.next();
        return rows;
    }

    private static void assertNotWritten(ResultSet rows) {
        assertThatThrownBy(rows::updateRow).isInstanceOf(UnsupportedQueryException.class);
        assertThatThrownBy(rows::insertRow).isInstanceOf(UnsupportedQueryException.class);
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void valuesThatWereSetAndDroppedAreNotWrittenLater(On where) throws SQLException {
        Connection connection = shown(where);
        try (ResultSet rows = onFirst(connection)) {
            rows.updateInt("v", 77);
            rows.moveToInsertRow();
            rows.moveToCurrentRow();
            assertNotWritten(rows);
        }
        try (ResultSet rows = onFirst(connection)) {
            rows.moveToInsertRow();
            rows.updateInt("owner", 55);
            rows.moveToCurrentRow();
            rows.updateInt("v", 78);
            assertNotWritten(rows);
        }
        try (ResultSet rows = onFirst(connection)) {
            rows.updateInt("owner", 55);
            rows.next();
            rows.updateInt("v", 78);
            assertNotWritten(rows);
        }
        try (ResultSet rows = onFirst(connection)) {
            rows.updateInt("owner", 55);
            rows.absolute(2);
            rows.updateInt("v", 78);
            assertNotWritten(rows);
        }
        try (ResultSet rows = onFirst(connection)) {
            rows.moveToInsertRow();
            rows.updateInt("owner", 55);
            rows.moveToCurrentRow();
            try {
                rows.cancelRowUpdates();
            } catch (SQLException nothingToCancel) {
                // As good.
            }
            rows.updateInt("v", 78);
            assertNotWritten(rows);
        }
        try (ResultSet rows = onFirst(connection)) {
            rows.moveToInsertRow();
            rows.updateInt("id", 2);
            rows.updateInt("v", 9);
            rows.updateInt("owner", 9);
            // There is one of this id.
            assertThatThrownBy(rows::insertRow).isInstanceOf(SQLException.class);
            rows.moveToCurrentRow();
            rows.updateInt("v", 78);
            assertNotWritten(rows);
        }
        assertThat(rows(connection, "SELECT id, v, owner FROM t ORDER BY id")).containsExactly("1,1,1", "2,2,2");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void anUpdateWithoutValuesDoesNothing(On where) throws SQLException {
        Connection connection = shown(where);
        try (ResultSet rows = onFirst(connection)) {
            rows.updateRow();
            rows.updateInt("v", 5);
            rows.updateRow();
            rows.updateInt("v", 6);
            rows.updateRow();
            rows.next();
            rows.updateInt("v", 7);
            rows.updateRow();
        }
        assertThat(rows(connection, "SELECT v FROM t ORDER BY id")).containsExactly("6", "7");
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void whatIsCanceledOnItsRowIsNotWritten(On where) throws SQLException {
        Connection connection = shown(where);
        try (ResultSet rows = onFirst(connection)) {
            rows.updateInt("owner", 55);
            rows.cancelRowUpdates();
            rows.updateInt("v", 78);
            rows.updateRow();
        }
        assertThat(rows(connection, "SELECT id, v, owner FROM t ORDER BY id")).containsExactly("1,78,1", "2,2,2");
    }

    private static String copying(On where) {
        return switch (where) {
            case MARIADB -> "ALTER TABLE s MODIFY v BIGINT NOT NULL";
            case H2 -> "TRUNCATE TABLE s";
            case POSTGRESQL -> "ALTER TABLE s ALTER COLUMN v TYPE BIGINT";
        };
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void theCountOfAChangeOfTheSchemaIsNotShownBehindARefusal(On where) throws SQLException {
        Connection connection = shown(where);
        try (Statement statement = connection.createStatement()) {
            statement.execute(copying(where));
            assertThatThrownBy(() -> statement.execute("SELECT * FROM s WHERE id = 3 OR owner = 2"))
                    .isInstanceOf(PrivoxyException.class);
            assertThat(statement.getUpdateCount()).isLessThan(1);
            assertThat(statement.getLargeUpdateCount()).isLessThan(1);
            statement.addBatch("DELETE FROM s WHERE v IN (SELECT id FROM s)");
            assertThatThrownBy(statement::executeBatch).isInstanceOf(PrivoxyException.class);
            assertThat(statement.getUpdateCount()).isLessThan(1);
            assertThat(statement.getLargeUpdateCount()).isLessThan(1);
        }
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void whatABatchRefusesIsNotInTheDriversBatchEither(On where) throws SQLException {
        Connection connection = shown(where);
        try (Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.addBatch("SET privoxy.MyUId = 1"))
                    .isInstanceOf(UnsupportedQueryException.class);
            statement.addBatch(copying(where));
            try {
                int[] counts = statement.executeBatch();
                assertThat(counts).hasSize(1);
                assertThat(counts[0]).isLessThan(1);
            } catch (BatchUpdateException e) {
                throw new AssertionError("The refused text ran.", e);
            }
        }
    }

    /** Others would see the first while the second waits for a lock: it is told before the second is sent. */
    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"MARIADB", "H2"})
    void changesOfTheSchemaInABatchAreToldOneByOne(On where) throws Exception {
        Connection other = keyed(where);
        Connection locks = database.plain();
        opened(locks);
        locks.setAutoCommit(false);
        CheckedDatabase.rows(locks, "SELECT id FROM z");
        if (where == On.H2) {
            CheckedDatabase.run(locks, "INSERT INTO z VALUES (1)");
        }
        Connection changing = connect();
        try (Statement statement = changing.createStatement()) {
            statement.addBatch("ALTER TABLE posts DROP " + (where == On.H2 ? "CONSTRAINT fk" : "FOREIGN KEY fk"));
            statement.addBatch(where == On.H2 ? "ALTER TABLE z ADD COLUMN n INT" : "ALTER TABLE z FORCE");
            var running = CompletableFuture.supplyAsync(() -> {
                try {
                    return statement.executeBatch();
                } catch (SQLException e) {
                    throw new CompletionException(e);
                }
            });
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                try (Connection plain = database.plain()) {
                    CheckedDatabase.run(plain, "INSERT INTO posts VALUES (99, 99)", "DELETE FROM posts WHERE id = 99");
                    return true;
                } catch (SQLException stillThere) {
                    return false;
                }
            });
            assertAuthorsAreHidden(other);
            locks.rollback();
            if (where == On.MARIADB) {
                assertThat(running.get(1, TimeUnit.MINUTES)).hasSize(2);
            }
        }
    }

    /** The server makes a change before its answer is here: as long as one is under way, each decision looks for itself. */
    @Test
    void whileAChangeIsUnderWayTheSchemaIsLookedAtAnew() throws Exception {
        Connection other = keyed();
        assertThat(rows(other, "SELECT id FROM z")).isEmpty();
        Connection locks = database.plain();
        opened(locks);
        locks.setAutoCommit(false);
        CheckedDatabase.rows(locks, "SELECT id FROM z");
        Connection changing = connect();
        var running = CompletableFuture.runAsync(() -> {
            try {
                run(changing, "ALTER TABLE z ADD COLUMN n INT");
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
        try (Connection plain = database.plain()) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !CheckedDatabase.rows(
                                    plain,
                                    "SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
                                            + " WHERE NOT l.granted AND d.datname = current_database()")
                            .isEmpty());
        }
        elsewhere("ALTER TABLE posts DROP CONSTRAINT fk");
        assertAuthorsAreHidden(other);
        locks.rollback();
        running.get(1, TimeUnit.MINUTES);
    }

    // --- what is open when the work on it ends
    // ------------------------------------------------------------------------------------------------------

    private Connection keyed() throws SQLException {
        return keyed(On.POSTGRESQL);
    }

    private Connection keyed(On where) throws SQLException {
        keyed(where, "");
        Connection connection = connect();
        request(1);
        return connection;
    }

    /** As long as the key is there, each post has its author among the users. */
    private static void assertAuthorsAreHidden(Connection connection) throws SQLException {
        run(connection, "DELETE FROM users WHERE id = 2");
        assertRefused(connection, "SELECT p.id FROM posts p JOIN users u ON u.id = p.author ORDER BY p.id");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChangeOfTheSchemaIsNoticedWhenItsBranchIsCommitted(boolean onePhase) throws Exception {
        Connection other = keyed();
        var source = new PrivoxyXADataSource();
        source.setUrl(database.url());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setPrivoxyPolicy(database.policyFile().toString());
        XAConnection xa = source.getXAConnection();
        try (Connection handle = xa.getConnection()) {
            XAResource resource = xa.getXAResource();
            Xid branch = new Branch();
            resource.start(branch, XAResource.TMNOFLAGS);
            run(handle, "ALTER TABLE posts DROP CONSTRAINT fk");
            resource.end(branch, XAResource.TMSUCCESS);
            if (!onePhase) {
                resource.prepare(branch);
            }
            // The schema is read anew, and the key is still there.
            assertThat(rows(other, "SELECT id FROM z")).isEmpty();
            resource.commit(branch, onePhase);
            assertAuthorsAreHidden(other);
        } finally {
            xa.close();
        }
    }

    @Test
    void aChangeOfTheSchemaIsNoticedWhenItWasPreparedByText() throws Exception {
        Connection other = keyed();
        Connection changing = connect();
        changing.setAutoCommit(false);
        run(changing, "ALTER TABLE posts DROP CONSTRAINT fk", "PREPARE TRANSACTION 'leftovers'");
        assertThat(rows(other, "SELECT id FROM z")).isEmpty();
        run(other, "COMMIT PREPARED 'leftovers'");
        assertAuthorsAreHidden(other);
    }

    private record Branch() implements Xid {

        @Override
        public int getFormatId() {
            return 78;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1, 2, 3};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    @Test
    void aRollbackThatGoesFurtherBackThanItsSavepointForgetsAsMuch() throws Exception {
        on(On.POSTGRESQL, """
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
        connection.setAutoCommit(false);
        int next = connection.setSavepoint().getSavepointId() + 1;
        connection.rollback();
        run(connection, "SAVEPOINT privoxy_savepoint_" + next);
        run(connection, "INSERT INTO members VALUES (1, 5)");
        assertThat(rows(connection, READ)).hasSize(1);
        Savepoint second = connection.setSavepoint();
        assertThat(second.getSavepointId()).isEqualTo(next);
        run(connection, "RELEASE SAVEPOINT privoxy_savepoint_" + next);
        connection.rollback(second);
        connection.commit();
        assertRefused(connection, TASK);
    }

    private static final String READ = "SELECT u, c FROM members WHERE u = 1 AND c = 5";
    private static final String TASK = "SELECT id, txt FROM tasks WHERE c = 5";

    /** A row that was read before the transaction that deletes it was committed, by whatever commits. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatWasReadBeforeACommitIsNotBelievedAfterIt(On where) throws Exception {
        XAConnection xa = pooled(where);
        elsewhere("INSERT INTO members VALUES (1, 5)");
        Connection other = connect();
        Connection writer = connect();
        String begin = where == On.H2 ? "SET AUTOCOMMIT FALSE" : "START TRANSACTION";
        run(writer, begin, "DELETE FROM members WHERE u = 1 AND c = 5");
        if (where == On.POSTGRESQL) {
            run(writer, "PREPARE TRANSACTION 'deleted'");
        }
        assertThat(rows(other, READ)).hasSize(1);
        run(
                where == On.POSTGRESQL ? other : writer,
                switch (where) {
                    case POSTGRESQL -> "COMMIT PREPARED 'deleted'";
                    case MARIADB -> "START TRANSACTION";
                    case H2 -> "SET AUTOCOMMIT TRUE";
                });
        assertRefused(other, TASK);
        run(writer, "ROLLBACK");
        if (where == On.MARIADB) {
            writer.setAutoCommit(true);
        }
        elsewhere("INSERT INTO members VALUES (1, 5)");
        XAResource resource = xa.getXAResource();
        Xid branch = new Branch();
        resource.start(branch, XAResource.TMNOFLAGS);
        run(xa.getConnection(), "DELETE FROM members WHERE u = 1 AND c = 5");
        resource.end(branch, XAResource.TMSUCCESS);
        assertThat(rows(other, READ)).hasSize(1);
        resource.commit(branch, true);
        assertRefused(other, TASK);
    }

    // --- handles of one physical connection
    // ------------------------------------------------------------------------------------------------------

    private static final String MEMBERS_POLICY = """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT u, c FROM members WHERE u = ?MyUId;
                CREATE VIEW t AS SELECT t.* FROM tasks t JOIN members m ON m.c = t.c WHERE m.u = ?MyUId;
                CREATE VIEW x AS SELECT id, c FROM tasks;
                """;

    private XAConnection pooled(On where) throws SQLException {
        on(where, MEMBERS_POLICY, new String[] {
            "CREATE TABLE members (u BIGINT NOT NULL, c BIGINT NOT NULL, PRIMARY KEY (u, c))",
            "CREATE TABLE tasks (id BIGINT PRIMARY KEY, c BIGINT NOT NULL, txt VARCHAR(20))",
            "INSERT INTO tasks VALUES (1, 5, 'SECRET')"
        });
        var source = new PrivoxyXADataSource();
        source.setUrl(database.url());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setPrivoxyPolicy(database.policyFile().toString());
        XAConnection xa = source.getXAConnection();
        opened(xa::close);
        request(1);
        return xa;
    }

    @ParameterizedTest
    @EnumSource(On.class)
    void aHandleThatWasLeftDoesNothing(On where) throws SQLException {
        XAConnection xa = pooled(where);
        Connection first = xa.getConnection();
        Statement statement = first.createStatement();
        PreparedStatement prepared = first.prepareStatement("SELECT id FROM tasks WHERE c = ?");
        Connection second = xa.getConnection();
        assertThat(rows(second, "SELECT id, 'x' FROM tasks")).hasSize(1);
        assertThat(first.isClosed()).isTrue();
        assertThat(second.isClosed()).isFalse();
        assertThatThrownBy(() -> statement.execute("SET sql_mode = 'ANSI_QUOTES'"))
                .isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> first.setAutoCommit(false)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> first.setCatalog("other")).isInstanceOf(SQLException.class);
        assertThatThrownBy(first::createStatement).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> prepared.executeQuery()).isInstanceOf(SQLException.class);
        first.close();
        assertThat(rows(second, "SELECT id, 'x' FROM tasks")).hasSize(1);
        second.close();
        assertThatThrownBy(() -> second.createStatement().execute("SELECT id FROM tasks"))
                .isInstanceOf(SQLException.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"POSTGRESQL", "MARIADB"})
    void whatAnotherHandleLeftOpenIsNotBelievedAfterItsEnd(On where) throws SQLException {
        XAConnection xa = pooled(where);
        Connection first = xa.getConnection();
        run(first, "BEGIN", "INSERT INTO members VALUES (1, 5)");
        first.close();
        Connection second = xa.getConnection();
        rows(second, "SELECT u, c FROM members WHERE u = 1 AND c = 5");
        run(second, "ROLLBACK");
        assertRefused(second, "SELECT id, txt FROM tasks WHERE c = 5");
        if (where == On.MARIADB) {
            second.setAutoCommit(false);
            run(second, "INSERT INTO members VALUES (1, 5)");
            Connection third = xa.getConnection();
            rows(third, "SELECT u, c FROM members WHERE u = 1 AND c = 5");
            third.rollback();
            assertRefused(third, "SELECT id, txt FROM tasks WHERE c = 5");
        }
    }

    @Test
    void typesThatColumnsHaveKeepTheirAttributes() throws SQLException {
        Connection connection = shown(On.POSTGRESQL);
        run(connection, "CREATE TYPE comp AS (a INT, b INT)");
        assertRefusedWrite(connection, "ALTER TYPE comp DROP ATTRIBUTE b");
        assertRefusedWrite(connection, "ALTER TYPE comp ADD ATTRIBUTE c INT");
        assertRefusedWrite(connection, "ALTER TYPE comp ALTER ATTRIBUTE b TYPE TEXT");
        run(connection, "COMMENT ON TYPE comp IS 'as it was'");
    }

    // --- what privoxy asks itself on the application's connection
    // ------------------------------------------------------------------------------------------------------

    @Test
    void noSettingCutsTheCatalogue() throws SQLException {
        on(On.MARIADB, """
                CREATE VIEW shown AS SELECT id, email FROM t;
                CREATE VIEW other AS SELECT id FROM a;
                """, new String[] {
            "CREATE TABLE a (id INT PRIMARY KEY)",
            "CREATE TABLE t (id INT PRIMARY KEY, email VARCHAR(20) NOT NULL, owner INT NOT NULL,"
                    + " secret VARCHAR(20))",
            "INSERT INTO t VALUES (1, 'a', 1, 'mine'), (2, 'b', 2, 'SECRET')"
        });
        for (int limit = 1; limit <= 6; limit++) {
            Connection connection = connect();
            run(
                    connection,
                    "SET sql_select_limit = " + limit,
                    "CREATE TABLE IF NOT EXISTS zz" + limit + " (id INT)",
                    "SELECT id FROM a");
            assertRefused(connection, "SELECT * FROM t ORDER BY id");
            assertRefused(connect(), "SELECT * FROM t ORDER BY id");
        }
    }

    @Test
    void noTemporaryTableSaysWhichDatabaseItIs() throws SQLException {
        Connection connection = shown(On.POSTGRESQL);
        run(connection, "CREATE TEMP TABLE pg_database AS VALUES (1)", "DROP TABLE pg_temp.pg_database");
        XAConnection xa = pooled(On.POSTGRESQL);
        Connection first = xa.getConnection();
        run(first, "CREATE TEMP TABLE pg_database (oid OID, datname NAME)", "INSERT INTO members VALUES (1, 5)");
        first.close();
        // Were the table asked, there would be no identity.
        Connection second = xa.getConnection();
        assertThat(rows(second, READ)).hasSize(1);
        assertThat(rows(connect(), TASK)).containsExactly("1,SECRET");
    }

    @Test
    void noWholeQuotientIsRoundedToFloatingPoint() throws SQLException {
        on(On.POSTGRESQL, """
                CREATE VIEW shown AS SELECT id, v FROM t;
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, v INT NOT NULL, secret INT NOT NULL)",
            "INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)"
        });
        Connection connection = connect();
        request(1);
        for (String rounding : List.of("CEIL", "FLOOR", "CEILING", "ROUND", "TRUNC", "SIGN")) {
            for (String inner : List.of("v / 1", "(v / 2) * 3", "COALESCE(v / 2, 1)", "v / 1 + 1", "v % 7", "v")) {
                assertRefused(connection, "SELECT SUM(" + rounding + "(" + inner + ")) FROM t");
            }
            assertThat(rows(connection, "SELECT SUM(" + rounding + "(v / 2.0)) FROM t"))
                    .hasSize(1);
        }
        assertThat(rows(connection, "SELECT SUM(v / 2), AVG(v / 2) FROM t")).hasSize(1);
    }

    // --- what a driver is told besides the value
    // ------------------------------------------------------------------------------------------------------

    /** To PostgreSQL a null has a type, and the type of one element decides how a list is compared. */
    @Test
    void aNullDoesNotDecideHowItsNeighboursAreCompared() throws Exception {
        on(On.POSTGRESQL, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW mine AS SELECT id, owner, secret FROM t WHERE owner = ?MyUId;
                CREATE VIEW name AS SELECT id, name FROM n WHERE name = 'a';
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, owner BIGINT NOT NULL, secret TEXT)",
            "INSERT INTO t VALUES (1, 9007199254740992, 'mine'), (2, 9007199254740993, 'SECRET')",
            "CREATE TABLE n (id INT PRIMARY KEY, name TEXT NOT NULL)",
            "INSERT INTO n VALUES (1, 'a'), (2, 'a ')"
        });
        Connection connection = connect();
        request(9007199254740992L);
        for (String list : List.of(
                "owner IN (?, ?)",
                "owner = ANY (ARRAY[?, ?])",
                "owner IN (VALUES (?), (?))",
                "owner = ANY (VALUES (?), (?))",
                "NOT IN (?, ?) IS FALSE")) {
            String sql = "SELECT secret FROM t WHERE " + (list.startsWith("NOT") ? "owner " : "") + list;
            for (int type : new int[] {Types.DOUBLE, Types.REAL, Types.FLOAT}) {
                for (boolean first : new boolean[] {true, false}) {
                    assertThat(shownOf(connection, sql, first, real -> real.setNull(first ? 2 : 1, type)))
                            .as(sql)
                            .doesNotContain("SECRET");
                    assertThat(shownOf(connection, sql, first, real -> real.setObject(first ? 2 : 1, null, type)))
                            .as(sql)
                            .doesNotContain("SECRET");
                }
            }
            for (String type : List.of("float4", "float8")) {
                assertThat(shownOf(connection, sql, true, real -> real.setNull(2, Types.OTHER, type)))
                        .as(sql)
                        .doesNotContain("SECRET");
            }
        }
        try (PreparedStatement names = connection.prepareStatement("SELECT id FROM n WHERE name IN (?, ?)")) {
            names.setString(1, "a");
            names.setNull(2, Types.CHAR);
            try (ResultSet rows = names.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.next()).isFalse();
            }
        }
    }

    /** The driver would make SQL of them as they are. */
    @Test
    void namesOfGeneratedKeysAreQuoted() throws SQLException {
        shown(On.POSTGRESQL);
        assertThatThrownBy(() -> connect("quoteReturningIdentifiers", "false"))
                .isInstanceOf(PrivoxyException.class)
                .hasMessageContaining("quoteReturningIdentifiers");
        assertThat(rows(connect("quoteReturningIdentifiers", "true"), "SELECT id FROM t"))
                .hasSize(2);
    }

    /** A domain of its own collation, or a type of fewer letters. */
    @Test
    void aTypeThatOnlyHasANameDecidesNothing() throws Exception {
        on(On.POSTGRESQL, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW pub AS SELECT id, tx, tt, secret FROM t WHERE tx = 'pub';
                CREATE VIEW pub2 AS SELECT id, tx, tt, secret FROM t WHERE tt = 'pub';
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, tx VARCHAR(100) NOT NULL, tt TEXT NOT NULL, secret TEXT)",
            "INSERT INTO t VALUES (1, 'pub', 'pub', 'mine'), (2, 'PUB', 'PUB', 'SECRET'),"
                    + " (3, 'pub ', 'pub ', 'SECRET')"
        });
        elsewhere(
                "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                "CREATE DOMAIN dci AS text COLLATE ci");
        Connection connection = connect();
        request(1);
        for (String column : List.of("tx", "tt")) {
            for (String list : List.of(
                    "IN (?, ?)",
                    "IN (?, 'pub', ?)",
                    "= ANY (ARRAY[?, ?])",
                    "IN (VALUES (?), (?))",
                    "IN (SELECT ? UNION ALL SELECT ?)",
                    "= ANY (VALUES (?), (?))",
                    "IN (?::text, ?)",
                    "IN (?, CAST(? AS varchar))")) {
                String sql = "SELECT secret FROM t WHERE " + column + ' ' + list;
                for (boolean first : new boolean[] {true, false}) {
                    for (Setting setting : List.<Setting>of(
                            real -> real.setNull(first ? 2 : 1, Types.OTHER, "dci"),
                            real -> real.setNull(first ? 2 : 1, Types.OTHER, "name"),
                            real -> real.setNull(first ? 2 : 1, Types.OTHER, "bpchar"),
                            real -> real.setNull(first ? 2 : 1, Types.CHAR),
                            real -> real.setObject(first ? 2 : 1, null, Types.CHAR))) {
                        assertThat(shownOf(connection, sql, setting, real -> real.setString(first ? 1 : 2, "pub")))
                                .as(sql)
                                .doesNotContain("SECRET");
                    }
                }
            }
        }
    }

    @FunctionalInterface
    private interface Setting {
        void on(PreparedStatement real) throws SQLException;
    }

    private static List<String> shownOf(Connection connection, String sql, boolean first, Setting setting)
            throws SQLException {
        return shownOf(connection, sql, setting, real -> real.setLong(first ? 1 : 2, 9007199254740992L));
    }

    private static List<String> shownOf(Connection connection, String sql, Setting one, Setting other)
            throws SQLException {
        List<String> shown = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            one.on(statement);
            other.on(statement);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    shown.add(rows.getString(1));
                }
            }
        } catch (SQLException refused) {
            // As good.
        }
        return shown;
    }
}
