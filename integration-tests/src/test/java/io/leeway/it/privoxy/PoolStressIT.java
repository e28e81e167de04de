package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Many users' requests at once over few connections: none profits from what another has read or who another is. */
class PoolStressIT {

    private static final int USERS = 8;
    private static final int THREADS = 12;
    private static final int REQUESTS = 60;
    private static final int CONNECTIONS = 3;

    private static final String POLICY = """
            CREATE CONTEXT MyUId BIGINT;
            CREATE VIEW my_events AS
              SELECT e.*, a.* FROM events e JOIN attendances a ON e.id = a.event_id WHERE a.user_id = ?MyUId;
            """;

    private final AtomicInteger allowed = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    @Test
    void noRequestSeesAnothersTraceOrRows() throws Exception {
        try (CheckedDatabase database = CheckedDatabase.on(Servers.POSTGRESQL.server(), "stress", POLICY)) {
            database.plain()
                    .execute(
                            "CREATE TABLE events (id BIGINT PRIMARY KEY, title TEXT NOT NULL)",
                            "CREATE TABLE attendances (user_id BIGINT, event_id BIGINT REFERENCES events (id),"
                                    + " PRIMARY KEY (user_id, event_id))",
                            "INSERT INTO events SELECT i, 'of user ' || i FROM generate_series(1, " + USERS + ") i",
                            "INSERT INTO attendances SELECT i, i FROM generate_series(1, " + USERS + ") i");
            try (HikariDataSource pool = pool(database)) {
                runAll(pool);
            }
        }

        // Each request asks twice for what it may know and twice for what it may not.
        assertThat(allowed).hasValue(THREADS * REQUESTS * 2);
        assertThat(refused).hasValue(THREADS * REQUESTS * 2);
    }

    private void runAll(DataSource pool) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            var start = new CountDownLatch(1);
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                done.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < REQUESTS; i++) {
                        request(pool, 1 + (first + i) % USERS, i % 2 == 0);
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> one : done) {
                one.get(3, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private void request(DataSource pool, long user, boolean sameConnection) throws SQLException {
        long other = 1 + user % USERS;
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", user))) {
            assertThat(request.isOpen()).isTrue();
            if (sameConnection) {
                try (Connection connection = pool.getConnection()) {
                    page(connection, user, other);
                }
            } else {
                try (Connection first = pool.getConnection()) {
                    refuse(first, user);
                    attend(first, user);
                }
                try (Connection second = pool.getConnection()) {
                    event(second, user);
                    refuse(second, other);
                }
            }
        }
    }

    private void page(Connection connection, long user, long other) throws SQLException {
        refuse(connection, user);
        attend(connection, user);
        event(connection, user);
        refuse(connection, other);
    }

    private void attend(Connection connection, long user) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT event_id FROM attendances WHERE user_id = ? AND event_id = ?")) {
            statement.setLong(1, user);
            statement.setLong(2, user);
            assertThat(only(statement)).isEqualTo(Long.toString(user));
            allowed.incrementAndGet();
        }
    }

    private void event(Connection connection, long user) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT title FROM events WHERE id = ?")) {
            statement.setLong(1, user);
            assertThat(only(statement)).isEqualTo("of user " + user);
            allowed.incrementAndGet();
        }
    }

    /** An event of which nothing was read: neither somebody else's, nor one's own before the attendance is known. */
    private void refuse(Connection connection, long event) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT title FROM events WHERE id = ?")) {
            statement.setLong(1, event);
            throw new AssertionError("event " + event + " was shown: " + only(statement));
        } catch (PolicyViolationException expected) {
            refused.incrementAndGet();
        }
    }

    private static String only(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
            String value = rows.getString(1);
            assertThat(rows.next()).isFalse();
            return value;
        }
    }

    private static HikariDataSource pool(CheckedDatabase database) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.plain().user());
        config.setPassword(database.plain().password());
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(TimeUnit.MINUTES.toMillis(2));
        return new HikariDataSource(config);
    }
}
