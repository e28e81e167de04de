package io.leeway.eppi.internal.provider;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.node.EppiOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The provider's own database, through JDBC. Only reads. */
final class Database implements AutoCloseable {

    /**
     * Records of a person.
     *
     * @param columns names
     * @param rows values as text
     */
    record Records(List<String> columns, List<List<String>> rows) {

        private Records and(Records more) {
            var all = new ArrayList<>(rows);
            all.addAll(more.rows);
            return new Records(more.columns, all);
        }
    }

    private static final Logger LOG = System.getLogger(Database.class.getName());

    /** So many connections at once: more searches wait. */
    private static final int AT_ONCE = 16;

    private static final long IDLE_SECONDS = 30;

    private final String url;
    private final String user;
    private final String password;
    private final String members;
    private final String records;
    private final Duration timeout;
    private final byte[] networkKey;
    private final Duration limit;
    private final int mostRows;
    private final ThreadPoolExecutor threads;

    Database(Settings settings, byte[] networkKey) {
        url = settings.required(EppiOptions.DATABASE_URL);
        user = settings.get(EppiOptions.DATABASE_USER);
        password = settings.get(EppiOptions.DATABASE_PASSWORD);
        members = settings.required(EppiOptions.DATABASE_MEMBERS);
        records = settings.required(EppiOptions.DATABASE_RECORDS);
        timeout = settings.get(EppiOptions.DATABASE_TIMEOUT);
        // What the driver needs to connect, and to end a query that takes too long.
        limit = timeout.plus(timeout.dividedBy(3)).plusSeconds(1);
        mostRows = settings.get(EppiOptions.ROWS);
        this.networkKey = networkKey;
        threads = new ThreadPoolExecutor(
                AT_ONCE, AT_ONCE, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Database::daemon);
        threads.allowCoreThreadTimeOut(true);
    }

    /** Everybody with records: pseudonym, and the identity in all spellings that it has here. */
    Map<Token, List<String>> members() {
        return limited(holder -> {
            try (Connection connection = connect(holder);
                    PreparedStatement statement = connection.prepareStatement(members)) {
                statement.setQueryTimeout(seconds());
                Map<Token, List<String>> found = new HashMap<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        String identity = rows.getString(1);
                        if (identity != null && !Token.normalized(identity).isEmpty()) {
                            found.merge(Token.of(identity, networkKey), List.of(identity), Database::joined);
                        }
                    }
                }
                return found;
            }
        });
    }

    private static List<String> joined(List<String> before, List<String> more) {
        return Stream.concat(before.stream(), more.stream()).distinct().toList();
    }

    /** The records of a person under all spellings that the identity has here. */
    Records records(List<String> spellings) {
        return limited(holder -> {
            try (Connection connection = connect(holder);
                    PreparedStatement statement = connection.prepareStatement(records)) {
                statement.setQueryTimeout(seconds());
                var all = new Records(List.of(), new ArrayList<>());
                for (String identity : spellings) {
                    int left = mostRows - all.rows.size();
                    if (left > 0) {
                        statement.setMaxRows(left);
                        statement.setString(1, identity);
                        try (ResultSet rows = statement.executeQuery()) {
                            all = all.and(read(rows));
                        }
                    }
                }
                return all;
            }
        });
    }

    private int seconds() {
        return Math.toIntExact(Math.max(1, timeout.toSeconds()));
    }

    /** What is done with the database; it leaves its connection where it can be ended from outside. */
    private interface Work<T> {
        T with(AtomicReference<@Nullable Connection> holder) throws SQLException;
    }

    /**
     * Does it with a limit of its own: a database whose machine is gone, or that is stopped, answers neither the query nor
     * the driver's request to end it.
     */
    private <T> T limited(Work<T> work) {
        var holder = new AtomicReference<@Nullable Connection>();
        try {
            Future<T> doing = threads.submit(() -> work.with(holder));
            return await(doing, holder);
        } catch (RejectedExecutionException e) {
            throw EppiException.of(Code.ABORTED, "the node ends", e);
        }
    }

    private <T> T await(Future<T> doing, AtomicReference<@Nullable Connection> holder) {
        try {
            return doing.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // Not interrupted: that would close the files of a database that runs within this process.
            doing.cancel(false);
            abort(holder.get());
            throw EppiException.of(Code.DATABASE, "the database did not answer in time", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException refused
                    ? failed(refused)
                    : EppiException.of(Code.INTERNAL, "reading the database failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    private static void abort(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.abort(task -> daemon(task).start());
            } catch (SQLException e) {
                LOG.log(Level.DEBUG, "a connection to the database cannot be ended", e);
            }
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "eppi-database");
        thread.setDaemon(true);
        return thread;
    }

    private static Records read(ResultSet rows) throws SQLException {
        ResultSetMetaData meta = rows.getMetaData();
        var columns = new ArrayList<String>();
        for (int c = 1; c <= meta.getColumnCount(); c++) {
            columns.add(meta.getColumnLabel(c));
        }
        var all = new ArrayList<List<String>>();
        while (rows.next()) {
            var row = new ArrayList<String>();
            for (int c = 1; c <= columns.size(); c++) {
                String value = rows.getString(c);
                row.add(value == null ? "" : value);
            }
            all.add(row);
        }
        return new Records(columns, all);
    }

    private Connection connect(AtomicReference<@Nullable Connection> holder) throws SQLException {
        Connection connection = DriverManager.getConnection(url, user, password);
        holder.set(connection);
        connection.setReadOnly(true);
        return connection;
    }

    /** The driver's words may have data in them, so they stay in the cause. */
    private static EppiException failed(SQLException e) {
        return EppiException.of(Code.DATABASE, "the database refused (SQL state " + e.getSQLState() + ")", e);
    }

    /** What runs comes to its end. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
