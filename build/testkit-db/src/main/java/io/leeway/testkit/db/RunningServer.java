package io.leeway.testkit.db;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that somebody started: what is the same for embedded and for container servers.
 *
 * @param kind what runs
 * @param provider who runs it, for people
 * @param address where
 * @param counter numbers the databases
 * @param stopper stops it
 */
record RunningServer(ServerKind kind, String provider, Address address, AtomicInteger counter, Stopper stopper)
        implements DatabaseServer {

    /**
     * Where a server listens and who may enter.
     *
     * @param urlPrefix the JDBC URL up to the database's name
     * @param urlSuffix what follows the name
     * @param adminDatabase a database that always exists
     */
    record Address(String urlPrefix, String urlSuffix, String adminDatabase, String user, String password) {

        String url(String database) {
            return urlPrefix + database + urlSuffix;
        }

        Connection connectAsAdmin() throws SQLException {
            var properties = new Properties();
            properties.setProperty("user", user);
            properties.setProperty("password", password);
            return DriverManager.getConnection(url(adminDatabase), properties);
        }
    }

    /** Stops a server. */
    @FunctionalInterface
    interface Stopper {
        void stop() throws IOException;
    }

    static RunningServer of(ServerKind kind, String provider, Address address, Stopper stopper) {
        return new RunningServer(kind, provider, address, new AtomicInteger(), stopper);
    }

    @Override
    public String description() {
        try (var connection = address.connectAsAdmin()) {
            return kind.title() + " " + connection.getMetaData().getDatabaseProductVersion() + " (" + provider + ")";
        } catch (SQLException e) {
            throw new IllegalStateException("the " + kind.title() + " test server does not answer", e);
        }
    }

    @Override
    public TestDatabase freshDatabase(String name) {
        String database = DatabaseNames.numbered(name, counter);
        try (var admin = address.connectAsAdmin()) {
            kind.create(admin, database);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create the test database " + database, e);
        }
        return new TestDatabase(
                database, address.url(database), address.user(), address.password(), () -> drop(database));
    }

    private void drop(String database) throws SQLException {
        try (var admin = address.connectAsAdmin()) {
            kind.drop(admin, database);
        }
    }

    void stop() throws IOException {
        stopper.stop();
    }
}
