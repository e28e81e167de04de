package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** A database with a table for each type, {@code (id, c, secret)}, and one to join with, {@code (d)}. */
final class TypeTables implements AutoCloseable {

    private final TestDatabase database;
    private final Connection plain;
    private final Path directory;
    private final Map<ColumnType, String> names = new LinkedHashMap<>();
    private final Map<String, List<String>> scripts = new LinkedHashMap<>();
    private int policies;

    TypeTables(Dialect dialect, DatabaseServer server, Path directory) throws SQLException {
        this.directory = directory;
        this.database =
                server.freshDatabase("types").execute(ColumnType.before(dialect).toArray(String[]::new));
        this.plain = database.connect();
        for (ColumnType type : ColumnType.all(dialect)) {
            String name = "t" + names.size();
            names.put(type, name);
            scripts.put(name, new ArrayList<>());
            run(
                    name,
                    "CREATE TABLE " + name + " (id INT PRIMARY KEY, c " + type.declaration()
                            + ", secret VARCHAR(20) NOT NULL)");
            for (int i = 0; i < type.rows().size(); i++) {
                run(
                        name,
                        "INSERT INTO " + name + " VALUES (" + (i + 1) + ", "
                                + type.rows().get(i) + ", 'S')");
            }
            run(name, "INSERT INTO " + name + " VALUES (99, NULL, 'S')");
            run(name, "CREATE TABLE s" + name + " (d " + type.declaration() + ")");
        }
        database.execute("CREATE TABLE one (z INT PRIMARY KEY)", "INSERT INTO one VALUES (1)");
    }

    private void run(String table, String sql) throws SQLException {
        try (Statement statement = plain.createStatement()) {
            statement.execute(sql);
            scripts.get(table).add(sql);
        } catch (SQLException e) {
            // A value that this type does not have, as a fraction of a second.
            if (!sql.startsWith("INSERT")) {
                throw e;
            }
        }
    }

    List<ColumnType> types() {
        return List.copyOf(names.keySet());
    }

    String table(ColumnType type) {
        return names.get(type);
    }

    /** How the table was made. */
    String script(String table) {
        return String.join(";\n", scripts.get(table)) + ";\n";
    }

    /** Puts these into the table to join with. */
    void fill(String other, List<String> literals) throws SQLException {
        try (Statement statement = plain.createStatement()) {
            statement.execute("DELETE FROM " + other);
            for (String literal : literals) {
                statement.execute("INSERT INTO " + other + " VALUES (" + literal + ")");
            }
        }
    }

    /** Through a policy of these views. */
    Connection connect(String policy) throws SQLException {
        Path file = directory.resolve("types" + policies++ + ".sql");
        try {
            Files.writeString(file, policy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        properties.setProperty("privoxyPolicy", file.toString());
        return DriverManager.getConnection(
                "jdbc:privoxy:" + database.jdbcUrl().substring("jdbc:".length()), properties);
    }

    /** Numbers of the rows past the policy. */
    Set<Integer> ids(String sql) throws SQLException {
        return ids(plain, sql, List.of());
    }

    static Set<Integer> ids(Connection connection, String sql, List<Bound> values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                values.get(i).bind(statement, i + 1);
            }
            try (ResultSet rows = statement.executeQuery()) {
                Set<Integer> ids = new TreeSet<>();
                while (rows.next()) {
                    ids.add(rows.getInt(1));
                }
                return ids;
            }
        }
    }

    @Override
    public void close() throws SQLException {
        plain.close();
        database.close();
    }
}
