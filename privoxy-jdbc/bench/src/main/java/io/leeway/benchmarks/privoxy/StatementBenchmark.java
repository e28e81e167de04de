package io.leeway.benchmarks.privoxy;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.FixtureLoader;
import io.leeway.testkit.fixtures.Fixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Statements over the calendar in H2's memory, raw and wrapped: without a network and a server's work, so that what the
 * driver adds is most of the difference. With {@code -prof gc} also what it allocates.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // Set by open.
public class StatementBenchmark {

    private static final String BY_KEY = "SELECT * FROM users WHERE id = ?";
    private static final String EVERYBODY = "SELECT id, name, is_admin FROM users";
    private static final String FOREIGN = "SELECT title FROM events WHERE id = ?";
    private static final long USER = 2;

    private Connection raw;
    private Connection wrapped;
    private Path policy;

    /** Loads the calendar. */
    @Setup(Level.Trial)
    public void open() throws SQLException, IOException {
        String url = "h2:mem:statements" + System.nanoTime();
        raw = DriverManager.getConnection("jdbc:" + url);
        FixtureInstance calendar = Fixtures.CALENDAR.instance(1, 1, 997);
        FixtureLoader.load(raw, calendar);
        policy = Files.writeString(Files.createTempFile("policy", ".sql"), Fixtures.CALENDAR.policy());
        wrapped = DriverManager.getConnection("jdbc:privoxy:" + url + ";privoxyPolicy=" + policy);
    }

    /** Closes everything. */
    @TearDown(Level.Trial)
    public void close() throws SQLException, IOException {
        wrapped.close();
        raw.close();
        Files.delete(policy);
    }

    /** A row by its key. */
    @Benchmark
    public long rawByKey() throws SQLException {
        return read(raw, BY_KEY, USER);
    }

    /** The same, checked: a request of its own, the decision from a template, the row recorded. */
    @Benchmark
    public long wrappedByKey() throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", USER))) {
            return read(wrapped, BY_KEY, USER);
        }
    }

    /** A thousand rows. */
    @Benchmark
    public long rawThousandRows() throws SQLException {
        return read(raw, EVERYBODY, null);
    }

    /** The same, checked and recorded. */
    @Benchmark
    public long wrappedThousandRows() throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", USER))) {
            return read(wrapped, EVERYBODY, null);
        }
    }

    /** A statement that is refused, with its explanation. */
    @Benchmark
    public SQLException wrappedRefusal() {
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", USER))) {
            read(wrapped, FOREIGN, 7L);
            throw new IllegalStateException("the statement was not refused");
        } catch (SQLException refusal) {
            return refusal;
        }
    }

    private static long read(Connection connection, String sql, @Nullable Long key) throws SQLException {
        long read = 0;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            if (key != null) {
                statement.setLong(1, key);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    read += rows.getLong(1);
                }
            }
        }
        return read;
    }
}
