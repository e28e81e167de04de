package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyDataSource;
import io.leeway.testkit.db.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One connection, one database: what a connection leads to is what its server says, and another one is noticed. */
class ConnectionCasesIT extends Cases {

    private static final String EVENT = "SELECT title FROM events WHERE id = 8";
    private static final String MEMBERSHIP = "SELECT * FROM members WHERE user_id = 1 AND event_id = 8";

    // --- C1
    // --------------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void aDataSourceThatLeadsToSeveralDatabasesMixesNoFacts(On where) throws SQLException {
        on(where);
        TestDatabase other = opened(where.server().freshDatabase("other")).execute(tables());
        other.execute("INSERT INTO members VALUES (1, 8, 'guest')");
        Deque<Connection> next = new ArrayDeque<>(List.of(other.connect(), database.plain()));
        DataSource checked = PrivoxyDataSource.wrap(
                source(next), Map.of("privoxyPolicy", database.policyFile().toString()));
        request(1);
        Connection elsewhere = opened(checked.getConnection());
        Connection here = opened(checked.getConnection());
        assertThat(rows(elsewhere, MEMBERSHIP)).hasSize(1);
        assertThat(rows(elsewhere, EVENT)).containsExactly("SECRET");

        assertRefused(here, EVENT);
    }

    @Test
    void aDatabaseThatIsNamedByAPropertyIsToldFromOthers() throws SQLException {
        on(On.POSTGRESQL);
        TestDatabase other =
                opened(On.POSTGRESQL.server().freshDatabase("other")).execute(tables());
        other.execute("INSERT INTO members VALUES (1, 8, 'guest')");
        Connection elsewhere = byProperty(other);
        Connection here = byProperty(null);
        request(1);
        assertThat(rows(elsewhere, MEMBERSHIP)).hasSize(1);
        assertThat(rows(elsewhere, EVENT)).containsExactly("SECRET");

        assertRefused(here, EVENT);
    }

    private Connection byProperty(TestDatabase named) throws SQLException {
        String url = named == null
                ? database.url()
                : "jdbc:privoxy:" + named.jdbcUrl().substring("jdbc:".length());
        int slash = url.indexOf('/', url.indexOf("//") + 2);
        int end = url.indexOf('?') < 0 ? url.length() : url.indexOf('?');
        var properties = new Properties();
        properties.setProperty("PGDBNAME", url.substring(slash + 1, end));
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", database.policyFile().toString());
        return opened(DriverManager.getConnection(url.substring(0, slash + 1), properties));
    }

    @Test
    void privateDatabasesInMemoryAreEachTheirOwn() throws SQLException {
        on(On.H2);
        Connection first = inMemory();
        Connection second = inMemory();
        run(first, tables());
        run(second, tables());
        run(first, "INSERT INTO members (user_id, event_id, role) VALUES (1, 8, 'guest')");
        request(1);
        assertThat(rows(first, MEMBERSHIP)).hasSize(1);
        assertThat(rows(first, EVENT)).containsExactly("SECRET");

        assertRefused(second, EVENT);
    }

    private Connection inMemory() throws SQLException {
        var properties = new Properties();
        properties.setProperty("privoxyPolicy", database.policyFile().toString());
        return opened(DriverManager.getConnection("jdbc:privoxy:h2:mem:", properties));
    }

    @Test
    void twoUrlsOfOneDatabaseShareWhatTheRequestKnows() throws SQLException {
        on(On.POSTGRESQL);
        elsewhere("INSERT INTO members VALUES (1, 8, 'guest')");
        Connection first = connect("ApplicationName", "one");
        Connection second = connect("ApplicationName", "two", "loginTimeout", "60");
        request(1);
        rows(first, MEMBERSHIP);
        assertThat(rows(second, EVENT)).containsExactly("SECRET");
        run(second, "DELETE FROM members WHERE user_id = 1 AND event_id = 8");

        assertRefused(first, "SELECT id, title FROM events WHERE id = 8");
    }

    // --- C2
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void goingOverToAReplicaReadsTheSettingsAgain() throws SQLException {
        on(On.MARIADB);
        Connection connection = mariaDb("replication", "");
        request(1);
        connection.setReadOnly(true);
        run(connection, "SET sql_mode = 'ANSI_QUOTES'");
        connection.setReadOnly(false);
        assertThat(rows(connection, "SELECT \"email\" FROM users WHERE id = 1")).containsExactly("email");
        connection.setReadOnly(true);

        assertRefused(connection, "SELECT \"email\" FROM users");
    }

    @Test
    void aLevelThatWaitsOnAReplicaIsNotReadThere() throws SQLException {
        on(On.MARIADB);
        Connection connection = mariaDb("replication", "");
        request(1);
        connection.setReadOnly(true);
        run(connection, "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
        connection.setReadOnly(false);
        run(connection, "BEGIN");
        rows(connection, "SELECT id, name FROM users");
        run(connection, "COMMIT");
        connection.setReadOnly(true);
        try (Connection other = database.plain()) {
            other.setAutoCommit(false);
            run(other, "INSERT INTO members VALUES (1, 8, 'guest')");
            rows(connection, "SELECT * FROM members WHERE user_id = 1 AND event_id = 8");
            other.rollback();
        }

        assertRefused(connection, "SELECT title FROM events WHERE id = 8");
        assertRefused(connect(), "SELECT title FROM events WHERE id = 8");
        rows(connection, "SELECT * FROM members WHERE user_id = 1 AND event_id = 7");
        assertThat(rows(connection, "SELECT title FROM events WHERE id = 7")).containsExactly("seven");
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void aConnectionThatTheDriverHasMadeAnewIsReadAgain(On where) throws SQLException {
        on(where);
        for (String mode : List.of("sequential", "loadbalance")) {
            Connection connection = mariaDb(mode, "&sessionVariables=sql_mode='ANSI_QUOTES'");
            request(1);
            String id = rows(connection, "SELECT CONNECTION_ID()").get(0);
            run(connection, "SET sql_mode = ''");
            assertThat(rows(connection, "SELECT \"email\" FROM users WHERE id = 1"))
                    .containsExactly("email");
            elsewhere("KILL " + id);

            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> assertThat(rows(connection, "SELECT \"email\" FROM users WHERE id = 2"))
                                .as(mode)
                                .doesNotContain("SECRET@x")
                                .isEmpty())
                        .isInstanceOf(SQLException.class);
            }
        }
    }

    private Connection mariaDb(String mode, String more) throws SQLException {
        String url = database.url();
        int slash = url.indexOf('/', url.indexOf("//") + 2);
        String host = url.substring(url.indexOf("//") + 2, slash);
        String path = url.substring(slash);
        String hosts = "jdbc:privoxy:mariadb:" + mode + "://" + host + "," + host + path;
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", database.policyFile().toString());
        return opened(DriverManager.getConnection(
                hosts + (path.contains("?") ? more : more.replaceFirst("&", "?")), properties));
    }

    /** A pool gives out one physical connection again, with what was set on it. */
    @Test
    void anOwnSettingStaysOnAConnectionOfAPool() throws SQLException {
        on(On.POSTGRESQL);
        Connection raw = opened(database.plain());
        DataSource pool = PrivoxyDataSource.wrap(
                source(new ArrayDeque<>(List.of(staying(raw), staying(raw)))),
                Map.of("privoxyPolicy", database.policyFile().toString()));
        request(1);
        try (Connection first = pool.getConnection()) {
            run(first, "SET app.tenant = '1'");
        }
        try (Connection next = pool.getConnection()) {
            rows(next, "SELECT * FROM members WHERE user_id = 1 AND event_id = 7");
            assertThat(rows(next, "SELECT title FROM events WHERE id = 7")).containsExactly("seven");
        }

        assertRefused(connect(), "SELECT title FROM events WHERE id = 7");
    }

    /** One that its user cannot close, as a pool's. */
    private static Connection staying(Connection raw) {
        return (Connection) Proxy.newProxyInstance(
                ConnectionCasesIT.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    try {
                        return method.getName().equals("close") ? null : method.invoke(raw, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    // --- cost
    // ------------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void ordinaryRequestsSendNothingMore(On where) throws SQLException {
        on(where);
        AtomicInteger sent = new AtomicInteger();
        Connection raw = counting(opened(database.plain()), sent);
        DataSource checked = PrivoxyDataSource.wrap(
                source(new ArrayDeque<>(List.of(raw))),
                Map.of("privoxyPolicy", database.policyFile().toString()));
        Connection connection = opened(checked.getConnection());
        work(connection);
        sent.set(0);

        assertThat(work(connection)).isEqualTo(sent.get());
    }

    /** Some transactions as frameworks make them; returns how many statements were run. */
    private static int work(Connection connection) throws SQLException {
        int statements = 0;
        for (int i = 0; i < 3; i++) {
            try (var request = Privoxy.begin(Map.of("MyUId", 1L))) {
                assertThat(request.isOpen()).isTrue();
                connection.setReadOnly(i % 2 == 0);
                connection.setTransactionIsolation(
                        i == 1 ? Connection.TRANSACTION_REPEATABLE_READ : Connection.TRANSACTION_READ_COMMITTED);
                connection.setAutoCommit(false);
                rows(connection, "SELECT * FROM members WHERE user_id = 1");
                rows(connection, "SELECT title FROM events WHERE id = 7");
                connection.setSavepoint();
                connection.commit();
                connection.setReadOnly(false);
                run(connection, "UPDATE notes SET text = 'x' WHERE id = 1");
                rows(connection, "SELECT text FROM notes");
                connection.rollback();
                connection.setAutoCommit(true);
                rows(connection, "SELECT id, name FROM users");
                statements += 5;
            }
        }
        return statements;
    }

    private static Connection counting(Connection raw, AtomicInteger sent) {
        return (Connection) watched(Connection.class, raw, sent);
    }

    private static Object watched(Class<?> type, Object real, AtomicInteger sent) {
        return Proxy.newProxyInstance(
                ConnectionCasesIT.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        if (real instanceof Statement && method.getName().startsWith("execute")) {
                            sent.incrementAndGet();
                        }
                        Object result = method.invoke(real, arguments);
                        return result instanceof Statement ? watched(method.getReturnType(), result, sent) : result;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private static DataSource source(Deque<Connection> next) {
        Object made = Proxy.newProxyInstance(
                ConnectionCasesIT.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> method.getName().equals("getConnection") ? next.remove() : null);
        return (DataSource) made;
    }
}
