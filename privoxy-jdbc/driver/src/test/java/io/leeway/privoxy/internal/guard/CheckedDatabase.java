package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** A database of its own with a policy in front, through the real driver; for tests of the whole. */
final class CheckedDatabase implements AutoCloseable {

    private final TestDatabase database;
    private final Path policy;

    CheckedDatabase(DatabaseServer server, Path directory, String policy, String... statements) throws SQLException {
        this.database = server.freshDatabase("checked").execute(statements);
        this.policy = directory.resolve("policy.sql");
        policy(policy);
    }

    /** Writes the policy file anew. */
    void policy(String text) {
        try {
            Files.writeString(policy, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path policyFile() {
        return policy;
    }

    /** A checked connection; options are key, value, key, value. */
    Connection connect(String... options) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", policy.toString());
        for (int i = 0; i < options.length; i += 2) {
            properties.setProperty(options[i], options[i + 1]);
        }
        return DriverManager.getConnection(
                "jdbc:privoxy:" + database.jdbcUrl().substring("jdbc:".length()), properties);
    }

    /** A connection past the policy. */
    Connection plain() throws SQLException {
        return database.connect();
    }

    void execute(String... statements) throws SQLException {
        database.execute(statements);
    }

    /** All rows of a query, each as its cells' texts with commas between. */
    static List<String> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                List<String> cells = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    cells.add(String.valueOf(result.getObject(i)));
                }
                rows.add(String.join(",", cells));
            }
            return rows;
        }
    }

    static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
