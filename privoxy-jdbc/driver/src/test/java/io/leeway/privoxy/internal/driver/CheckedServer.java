package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** A database on a real server behind a fake guard. */
final class CheckedServer implements AutoCloseable {

    final FakeGuard guard = new FakeGuard();
    final Targets targets = new Targets(guard);
    final TestDatabase database;

    CheckedServer(DatabaseServer server, String... statements) throws SQLException {
        database = server.freshDatabase("driver");
        database.execute(statements);
    }

    /** A checked connection; options are key, value, key, value. */
    Connection connect(String... options) throws SQLException {
        return new Connections(targets).open(url(), properties(options));
    }

    String url() {
        return ConnectionUrl.PREFIX + database.jdbcUrl().substring("jdbc:".length());
    }

    Properties properties(String... options) {
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", "policy.sql");
        for (int i = 0; i < options.length; i += 2) {
            properties.setProperty(options[i], options[i + 1]);
        }
        return properties;
    }

    /** The state in which the last text was read. */
    SessionState state() {
        return guard.sessions.get(guard.sessions.size() - 1);
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
