package io.leeway.testkit.db;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * An empty database for one test.
 *
 * @param name the database's name on its server
 * @param jdbcUrl the URL for the database's own driver, without user and password
 * @param user the administrator
 * @param password the administrator's password
 * @param dropper what {@link #close()} does
 */
public record TestDatabase(String name, String jdbcUrl, String user, String password, Dropper dropper)
        implements AutoCloseable {

    /** Drops a database. */
    @FunctionalInterface
    public interface Dropper {
        void drop() throws SQLException;
    }

    /** Opens a connection with the database's own driver. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl, user, password);
    }

    /** A data source over the database's own driver, one physical connection a call. */
    public DataSource dataSource() {
        return new DriverManagerDataSource(jdbcUrl, user, password);
    }

    /** Runs statements one by one, each in its own transaction. */
    public TestDatabase execute(String... statements) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        return this;
    }

    /** Ends the sessions that are still open in the database and drops it. */
    @Override
    public void close() throws SQLException {
        dropper.drop();
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "TestDatabase[" + jdbcUrl + ", user=" + user + "]";
    }
}
