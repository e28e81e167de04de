package io.leeway.it.privoxy;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/** A database of its own on a real server, and the way to it through the checking driver. */
final class CheckedDatabase implements AutoCloseable {

    private final TestDatabase database;
    private final Path policy;

    private CheckedDatabase(TestDatabase database, Path policy) {
        this.database = database;
        this.policy = policy;
    }

    /** A fresh database behind a policy. */
    static CheckedDatabase on(DatabaseServer server, String name, String policy) throws IOException {
        Path file = Files.createTempFile("policy-" + name, ".sql");
        return new CheckedDatabase(server.freshDatabase(name), Files.writeString(file, policy));
    }

    /** The database, without the check. */
    TestDatabase plain() {
        return database;
    }

    /** The URL with the prefix and the policy. */
    String url() {
        String url = database.jdbcUrl().replaceFirst("^jdbc:", "jdbc:privoxy:");
        return url + (url.contains("?") ? "&" : "?") + "privoxyPolicy=" + policy;
    }

    /** User, password and options: key, value, key, value. */
    Properties properties(String... options) {
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        // No test waits for a lock for ever.
        if (database.jdbcUrl().startsWith("jdbc:postgresql:")) {
            properties.setProperty("options", "-c lock_timeout=20s");
        } else {
            properties.setProperty("sessionVariables", "innodb_lock_wait_timeout=20,lock_wait_timeout=20");
        }
        for (int i = 0; i < options.length; i += 2) {
            properties.setProperty(options[i], options[i + 1]);
        }
        return properties;
    }

    /** A checked connection. */
    Connection connect(String... options) throws SQLException {
        return DriverManager.getConnection(url(), properties(options));
    }

    /** A checked connection over a driver that writes down what is executed. */
    Connection connectWatched() throws SQLException {
        return connect("privoxyDelegateDriver", SpyDriver.class.getName());
    }

    /** What watched connections executed; a live list. */
    List<String> sent() {
        return SpyDriver.sentTo(database.jdbcUrl());
    }

    /** A value that a plain connection reads. */
    String read(String sql) throws SQLException {
        try (Connection connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }

    @Override
    public void close() throws Exception {
        database.close();
        Files.deleteIfExists(policy);
    }
}
