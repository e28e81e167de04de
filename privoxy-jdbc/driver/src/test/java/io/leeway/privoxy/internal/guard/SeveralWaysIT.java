package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One database by several addresses, accounts or policies: what a request has written over one is written over all. The ninth
 * attacker's R11.
 */
class SeveralWaysIT extends Cases {

    private static final String SHOWN = """
        CREATE CONTEXT MyUId BIGINT;
        CREATE VIEW m AS SELECT * FROM members WHERE u = ?MyUId;
        CREATE VIEW t AS SELECT t.* FROM tasks t JOIN members m ON m.c = t.c WHERE m.u = ?MyUId;
        CREATE VIEW n AS SELECT id FROM notes;
        """;
    private static final String[] TABLES = {
        "CREATE TABLE members (u BIGINT, c BIGINT, PRIMARY KEY (u, c))",
        "CREATE TABLE tasks (id BIGINT PRIMARY KEY, c BIGINT NOT NULL, txt VARCHAR(20))",
        "CREATE TABLE notes (id BIGINT PRIMARY KEY)",
        "INSERT INTO tasks VALUES (1, 5, 'SECRET')",
        "INSERT INTO members VALUES (1, 5)"
    };
    private static final String MEMBER = "SELECT u, c FROM members WHERE u = 1 AND c = 5";
    private static final String TASK = "SELECT id, txt FROM tasks WHERE c = 5";
    private static final String LEAVE = "DELETE FROM members WHERE u = 1 AND c = 5";

    private static int accounts;

    /** Opens further connections, each over a way of its own. */
    private final List<Way> ways = new ArrayList<>();

    @FunctionalInterface
    private interface Way {
        Connection open() throws SQLException;
    }

    private void ways(On where) throws SQLException {
        on(where, SHOWN, TABLES);
        if (where == On.H2) {
            overTcp();
        } else {
            ways.add(this::connect);
            ways.add(account(where));
            ways.add(account(where));
        }
        request(1);
    }

    private void overTcp() throws SQLException {
        String memory = database.url().split(";", 2)[0].replace("jdbc:privoxy:h2:", "");
        Server server = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon").start();
        opened(server::stop);
        ways.add(this::connect);
        for (String address : List.of("tcp://localhost:", "tcp://127.0.0.1:")) {
            ways.add(() -> byUrl("jdbc:privoxy:h2:" + address + server.getPort() + "/" + memory, null));
        }
    }

    private Way account(On where) throws SQLException {
        String name = "way" + System.nanoTime() + accounts++;
        if (where == On.POSTGRESQL) {
            elsewhere("CREATE ROLE " + name + " LOGIN SUPERUSER PASSWORD 'secret'");
            opened(() -> dropped("DROP ROLE " + name));
        } else {
            elsewhere("CREATE USER " + name + "@'%' IDENTIFIED BY 'secret'", "GRANT ALL ON *.* TO " + name + "@'%'");
            opened(() -> dropped("DROP USER " + name + "@'%'"));
        }
        return () -> byUrl(database.url(), name);
    }

    private void dropped(String sql) throws SQLException {
        database.execute(sql);
    }

    private Connection byUrl(String url, String account) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", account == null ? database.user() : account);
        properties.setProperty("password", account == null ? database.password() : "secret");
        properties.setProperty("privoxyPolicy", database.policyFile().toString());
        return opened(DriverManager.getConnection(url, properties));
    }

    private Connection way(int which) throws SQLException {
        return ways.get(which).open();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsDeletedOverOneWayIsBelievedOverNone(On where) throws SQLException {
        ways(where);
        List<Connection> all = List.of(way(0), way(1), way(2));
        for (Connection each : all) {
            assertThat(rows(each, MEMBER)).hasSize(1);
        }
        run(all.get(0), LEAVE);
        for (Connection each : all) {
            assertRefused(each, TASK);
        }
    }

    @ParameterizedTest
    @EnumSource
    void norWhatWasReadBeforeTheDeletionIsCommitted(On where) throws SQLException {
        ways(where);
        Connection first = way(0);
        Connection second = way(1);
        rows(second, "SELECT id FROM notes");
        first.setAutoCommit(false);
        run(first, LEAVE);
        // As it was, over a way that is known and over one that is used for the first time.
        Connection third = way(2);
        assertThat(rows(second, MEMBER)).hasSize(1);
        assertThat(rows(third, MEMBER)).hasSize(1);
        first.commit();
        assertRefused(second, TASK);
        assertRefused(third, TASK);
    }

    @ParameterizedTest
    @EnumSource
    void norAfterACommitByText(On where) throws SQLException {
        ways(where);
        Connection first = way(1);
        Connection second = way(0);
        first.setAutoCommit(false);
        run(first, LEAVE);
        assertThat(rows(second, MEMBER)).hasSize(1);
        run(first, "COMMIT");
        assertRefused(second, TASK);
    }

    @ParameterizedTest
    @EnumSource
    void norWhatIsTruncated(On where) throws SQLException {
        ways(where);
        Connection first = way(0);
        Connection second = way(1);
        assertThat(rows(second, MEMBER)).hasSize(1);
        run(first, "TRUNCATE TABLE members");
        assertRefused(second, TASK);
    }

    /** Nothing is forgotten of other tables, nor of other databases of the server. */
    @ParameterizedTest
    @EnumSource
    void theRestIsBelievedAsBefore(On where) throws SQLException {
        ways(where);
        Connection first = way(0);
        Connection second = way(1);
        assertThat(rows(second, MEMBER)).hasSize(1);
        run(first, "INSERT INTO notes VALUES (1)", "DELETE FROM notes WHERE id = 1");
        assertThat(rows(second, TASK)).containsExactly("1,SECRET");
        try (CheckedDatabase other = new CheckedDatabase(where.server(), directory, SHOWN, TABLES);
                Connection elsewhere = other.connect()) {
            assertThat(rows(elsewhere, MEMBER)).hasSize(1);
            run(elsewhere, LEAVE);
            assertThat(rows(second, TASK)).containsExactly("1,SECRET");
        }
    }

    @Test
    void twoPoliciesAreTwoWays() throws Exception {
        on(On.POSTGRESQL, SHOWN, TABLES);
        var other = directory.resolve("other.sql");
        Files.writeString(other, SHOWN + "CREATE VIEW more AS SELECT id FROM notes WHERE id = 1;\n");
        Connection first = connect();
        Connection second = connect("privoxyPolicy", other.toString());
        request(1);
        assertThat(rows(second, MEMBER)).hasSize(1);
        run(first, LEAVE);
        assertRefused(second, TASK);
    }
}
