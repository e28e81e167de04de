package io.leeway.privoxy.internal.driver;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.UUID;

/** An H2 database behind a fake guard. */
final class CheckedH2 implements AutoCloseable {

    final FakeGuard guard = new FakeGuard();
    final Connections connections = new Connections(new Targets(guard));
    final String name = "driver-" + UUID.randomUUID();
    private final Connection keeper;

    CheckedH2() throws SQLException {
        keeper = DriverManager.getConnection(realUrl());
        run("CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR(50), born DATE, photo BLOB)");
        run(
                "INSERT INTO people VALUES (1, 'Ada', DATE '1815-12-10', NULL), (2, NULL, NULL, NULL), (3, 'Cy', NULL, NULL)");
        run("CREATE TABLE posts (id BIGINT PRIMARY KEY, author BIGINT, text VARCHAR(200))");
        run("INSERT INTO posts VALUES (10, 1, 'one'), (11, 1, 'two'), (12, 2, 'three')");
    }

    String realUrl() {
        return "jdbc:h2:mem:" + name;
    }

    String url() {
        return url("");
    }

    /** With more options, each behind a semicolon. */
    String url(String options) {
        return "jdbc:privoxy:h2:mem:" + name + ";privoxyPolicy=policy.sql" + options;
    }

    Connection connect() throws SQLException {
        return connect("");
    }

    Connection connect(String options) throws SQLException {
        return connections.open(url(options), new Properties());
    }

    Connection plain() throws SQLException {
        return DriverManager.getConnection(realUrl());
    }

    void run(String sql) throws SQLException {
        try (var statement = keeper.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        keeper.close();
    }
}
