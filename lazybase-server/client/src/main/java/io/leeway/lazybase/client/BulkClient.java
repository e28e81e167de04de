package io.leeway.lazybase.client;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Updates in bulk. What is given between two calls of {@link #commit} becomes visible at once, of all tables, or not at all; when
 * {@code commit} returns, it is durable.
 *
 * <pre>{@code
 * try (BulkClient client = BulkClient.connect("jdbc:postgresql://127.0.0.1:5477/lazybase?user=me")) {
 *     BulkRows tweets = client.put("tweets", "id", "author", "text");
 *     tweets.row(1, 7, "hello");
 *     client.patch("tweets", "id", "text").row(1, "hello!");
 *     client.add("counts", List.of("word"), List.of("n")).row("hello", 1);
 *     client.delete("tweets", "id").row(2);
 *     BulkToken token = client.commit();
 *     BulkClient.atLeast(connection, token); // what that connection reads from here on has the commit
 * }
 * }</pre>
 *
 * <p>Updates travel by COPY, about a megabyte at a time, in the order in which they were given. After an error nothing since the last commit
 * counts, and what was given has to be given again; giving a put twice changes nothing. For one thread.
 *
 * @since 0.1
 */
public final class BulkClient implements AutoCloseable {

    private static final String TOKEN = "lazybase.commit_token";

    private final Connection connection;
    private @Nullable BulkRows filling;

    private BulkClient(Connection connection) {
        this.connection = connection;
    }

    /**
     * Connects.
     *
     * @param url of PostgreSQL's driver, {@code jdbc:postgresql://host:port/lazybase}, with its parameters
     * @throws SQLException if nobody answers, or somebody who is no LazyBase
     */
    public static BulkClient connect(String url) throws SQLException {
        return connect(url, new Properties());
    }

    /** The same with the driver's properties, such as {@code user} and {@code password}. */
    public static BulkClient connect(String url, Properties properties) throws SQLException {
        Connection connection = DriverManager.getConnection(url, properties);
        try {
            // PostgreSQL has no such setting.
            try (Statement statement = connection.createStatement()) {
                statement.execute("SHOW lazybase.freshness");
            }
            connection.setAutoCommit(false);
            return new BulkClient(connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Rows that replace those of the same key. Columns that are not named become NULL; without names all are given, in their order. */
    public BulkRows put(String table, String... columns) {
        return new BulkRows(this, table, List.of(columns), "PUT", List.of());
    }

    /** Rows of which only these columns change; the whole key is among them. A row that is not there comes to be. */
    public BulkRows patch(String table, String... columns) {
        return new BulkRows(this, table, List.of(columns), "PATCH", List.of());
    }

    /** Keys of rows that go; the columns of the key are named. */
    public BulkRows delete(String table, String... key) {
        return new BulkRows(this, table, List.of(key), "DELETE", List.of());
    }

    /** Numbers that are added to what is there; a row gives the key first. */
    public BulkRows add(String table, List<String> key, List<String> added) {
        var columns = new ArrayList<>(key);
        columns.addAll(added);
        return new BulkRows(this, table, columns, "PATCH", added);
    }

    /** Updates of other rows than before: those before are sent first, so that their order stays. */
    void fill(BulkRows rows) throws SQLException {
        BulkRows before = filling;
        if (before != null && before != rows) {
            before.flush();
        }
        filling = rows;
    }

    Connection connection() {
        return connection;
    }

    /**
     * Makes everything since the last commit durable, and visible at once.
     *
     * @return by which it is read: {@link #atLeast}
     * @throws SQLException if it is not; nothing of it counts then, unless the connection was lost, when it is not known
     */
    public BulkToken commit() throws SQLException {
        try {
            BulkRows last = filling;
            if (last != null) {
                last.flush();
            }
            connection.commit();
        } catch (SQLException e) {
            forget(e);
            throw e;
        }
        String token = connection.unwrap(PGConnection.class).getParameterStatus(TOKEN);
        return new BulkToken(token == null ? "0.0" : token);
    }

    private void forget(SQLException failure) {
        try {
            rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** Forgets everything since the last commit. */
    public void rollback() throws SQLException {
        BulkRows last = filling;
        filling = null;
        if (last != null) {
            last.forget();
        }
        connection.rollback();
    }

    /** What a connection reads from here on has this commit and all before, whatever freshness it asks for. */
    public static void atLeast(Connection reader, BulkToken token) throws SQLException {
        try (Statement statement = reader.createStatement()) {
            statement.execute("SET lazybase.at_least = '" + token.text() + "'");
        }
    }

    static String quoted(String name) {
        // A part of a natural key is column.part.
        var parts = new ArrayList<String>();
        Collections.addAll(parts, name.split("\\.", -1));
        parts.replaceAll(part -> '"' + part.replace("\"", "\"\"") + '"');
        return String.join(".", parts);
    }

    /** Ends the connection; what was not committed is forgotten. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
