package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.PrivoxyDataSource;
import io.leeway.privoxy.PrivoxyXADataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mariadb.jdbc.MariaDbPoolDataSource;

/** What an earlier handle of a physical connection has left on it, of which the server says nothing. */
class EarlierHandlesIT extends Cases {

    private static final String UNCOMMITTED = "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED";
    private static final String MEMBERSHIP = "SELECT user_id, event_id FROM members WHERE user_id = 1 AND event_id = ";
    private static final String EVENT = "SELECT title FROM events WHERE id = ";

    private XAConnection xa;
    private Connection handle;
    private Xid branch;

    /**
     * Steps of the application.
     *
     * <p>{@code again} is another handle of the same connection, {@code uncommitted} and {@code committed} are levels that
     * are chosen by method, {@code start} and {@code end} those of a branch; whatever else is SQL.
     */
    private void go(String steps) throws Exception {
        for (String step : steps.split("; ")) {
            switch (step) {
                case "again" -> {
                    handle.close();
                    handle = xa.getConnection();
                }
                case "uncommitted" -> handle.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
                case "committed" -> handle.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                case "off" -> handle.setAutoCommit(false);
                case "on" -> handle.setAutoCommit(true);
                case "start" -> {
                    branch = StateCasesIT.branch();
                    xa.getXAResource().start(branch, XAResource.TMNOFLAGS);
                }
                case "end" -> endBranch();
                default -> run(handle, step);
            }
        }
    }

    private void endBranch() throws Exception {
        if (branch != null) {
            xa.getXAResource().end(branch, XAResource.TMSUCCESS);
            xa.getXAResource().rollback(branch);
            branch = null;
        }
    }

    private void begin() throws Exception {
        var source = new PrivoxyXADataSource();
        source.setUrl(database.url());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setPrivoxyPolicy(database.policyFile().toString());
        xa = source.getXAConnection();
        AutoCloseable closing = xa::close;
        opened(closing);
        handle = xa.getConnection();
    }

    private PrivoxyDataSource wrapped(MariaDbPoolDataSource pool) throws SQLException {
        return PrivoxyDataSource.wrap(
                pool, Map.of("privoxyPolicy", database.policyFile().toString()));
    }

    /** What is not committed is no fact, wherever it is read. */
    private void assertReadsNothingUncommitted(Connection connection) throws SQLException {
        try (Connection other = database.plain()) {
            other.setAutoCommit(false);
            run(other, "INSERT INTO members VALUES (1, 8, 'guest')");
            rows(connection, MEMBERSHIP + 8);
            other.rollback();
        }
        assertRefused(connection, EVENT + 8);
        assertRefused(connect(), EVENT + 8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                UNCOMMITTED + "; again",
                UNCOMMITTED + "; again; off",
                UNCOMMITTED + "; again; start",
                "off; " + UNCOMMITTED + "; again",
                UNCOMMITTED + "; start; again",
                UNCOMMITTED + "; start; SELECT id FROM notes; again",
                UNCOMMITTED + "; start; SELECT id FROM notes; end; again; start",
                "off; uncommitted; SELECT id FROM notes; committed; again",
                "off; uncommitted; SELECT id FROM notes; committed; again; off",
                "off; uncommitted; SELECT id FROM notes; committed; on; again",
                "off; uncommitted; SELECT id FROM notes; committed; on; again; off",
                "uncommitted; start; SELECT id FROM notes; committed; again",
                "uncommitted; start; SELECT id FROM notes; committed; end; again",
                "uncommitted; start; SELECT id FROM notes; again; committed",
                "uncommitted; start; again; committed",
                "uncommitted; BEGIN; SELECT id FROM notes; again; committed",
                "uncommitted; BEGIN; again; committed",
                "uncommitted; BEGIN; committed; again",
                "uncommitted; BEGIN; committed; again; off"
            })
    void aLevelThatWaitsForTheNextTransactionIsNotReadByAnotherHandle(String steps) throws Exception {
        on(On.MARIADB);
        begin();
        request(1);
        go(steps);
        assertReadsNothingUncommitted(handle);
        endBranch();
    }

    /** What the level of the branch is, the next one does not inherit. */
    @ParameterizedTest
    @ValueSource(
            strings = {"start", "again; start", "again", "again; off", UNCOMMITTED + "; again; SELECT id FROM notes"})
    void whatIsReadThroughTheNextHandleIsAFactAllTheSame(String steps) throws Exception {
        on(On.MARIADB);
        begin();
        request(1);
        go(steps);
        assertThat(rows(handle, MEMBERSHIP + 7)).containsExactly("1,7");
        assertThat(rows(handle, EVENT + 7)).containsExactly("seven");
        endBranch();
    }

    @ParameterizedTest
    @ValueSource(strings = {UNCOMMITTED, "BEGIN"})
    void aLevelThatWaitsIsNotReadBehindAPool(String text) throws Exception {
        on(On.MARIADB);
        String url = database.url().replace("jdbc:privoxy:", "jdbc:");
        String more = (url.contains("?") ? "&" : "?") + "maxPoolSize=1&minPoolSize=1&user=" + database.user()
                + "&password=" + database.password();
        try (var pool = new MariaDbPoolDataSource(url + more)) {
            PrivoxyDataSource checked = wrapped(pool);
            try (Connection first = checked.getConnection()) {
                run(first, text);
            }
            request(1);
            try (Connection next = checked.getConnection()) {
                assertReadsNothingUncommitted(next);
                assertThat(rows(next, MEMBERSHIP + 7)).containsExactly("1,7");
                assertThat(rows(next, EVENT + 7)).containsExactly("seven");
            }
        }
    }

    /** The driver's own pool, behind a URL. */
    @Test
    void aLevelThatWaitsIsNotReadBehindThePoolOfADriver() throws Exception {
        on(On.MARIADB);
        String[] pooled = {"pool", "true", "maxPoolSize", "1", "minPoolSize", "1"};
        try (Connection first = database.connect(pooled)) {
            run(first, UNCOMMITTED);
        }
        request(1);
        try (Connection next = database.connect(pooled)) {
            assertReadsNothingUncommitted(next);
        }
    }

    // --- PostgreSQL

    /** What the handle before has set for the transaction ends with it. */
    @Test
    void whatHoldsForATransactionIsReadAgainBehindIt() throws Exception {
        keyed(
                On.POSTGRESQL,
                "CREATE VIEW tt AS SELECT id, v FROM t;",
                "CREATE TABLE t (id INT PRIMARY KEY, v INT, secret INT NOT NULL)",
                "INSERT INTO t VALUES (1, 1, 5), (2, 2, 5), (3, 3, 5)");
        begin();
        request(1);
        go("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT id FROM z; start");
        go("SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SELECT id FROM z; again; SELECT id FROM z; end");
        go("off; SELECT id FROM z; UPDATE t SET v = 4 WHERE id = 3");
        assertRefused(handle, ChosenIsolationIT.ITSELF);
        handle.rollback();
    }

    /** Settings of the application's own stay with the connection. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOwnSettingStaysForTheNextHandle(boolean sameConnection) throws Exception {
        on(On.POSTGRESQL, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW own AS SELECT * FROM vm WHERE u = ?MyUId;
                CREATE VIEW open AS SELECT vtk.* FROM vtk JOIN vm ON vm.c = vtk.c WHERE vm.u = ?MyUId;
                """, new String[] {
            "CREATE TABLE groups (tenant VARCHAR(5), u INT, c INT, PRIMARY KEY (tenant, u, c))",
            "CREATE TABLE tasks (tenant VARCHAR(5), id INT PRIMARY KEY, c INT NOT NULL, txt VARCHAR(20))",
            "CREATE VIEW vm AS SELECT u, c FROM groups WHERE tenant = current_setting('app.tenant', true)",
            "CREATE VIEW vtk AS SELECT id, c, txt FROM tasks WHERE tenant = current_setting('app.tenant', true)",
            "INSERT INTO groups VALUES ('a', 1, 5)",
            "INSERT INTO tasks VALUES ('a', 1, 5, 'mine'), ('b', 2, 5, 'SECRET')"
        });
        begin();
        request(1);
        go("SET app.tenant = 'a'; again");
        assertThat(rows(handle, "SELECT u, c FROM vm WHERE u = 1 AND c = 5")).containsExactly("1,5");
        if (!sameConnection) {
            begin();
        }
        go("SET app.tenant = 'b'; again");
        assertRefused(handle, "SELECT DISTINCT id, c, txt FROM vtk WHERE c = 5");
    }
}
