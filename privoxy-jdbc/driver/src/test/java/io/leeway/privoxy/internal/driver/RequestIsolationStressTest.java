package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.Guard;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Ruling;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.testkit.Seeds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Many users, few pooled connections, all ways to say who asks: each row that a user reads has the user's number, so a row
 * with another number in a request's trace is one that came from somebody else's request.
 */
class RequestIsolationStressTest {

    private static final int USERS = 8;
    private static final int REQUESTS = 60;

    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();

    @Test
    void noRequestSeesAnothersTrace() throws Exception {
        try (CheckedH2 database = new CheckedH2()) {
            database.run("CREATE TABLE notes (owner BIGINT, id BIGINT)");
            for (int user = 0; user < USERS; user++) {
                database.run("INSERT INTO notes SELECT " + user + ", x FROM SYSTEM_RANGE(1, 5)");
            }
            var connections = new Connections(new Targets((config, metadata, dialect) -> new Watching(database.guard)));
            var pool = new ArrayBlockingQueue<Connection>(3);
            for (int i = 0; i < 3; i++) {
                pool.add(connections.open(database.url(), new Properties()));
            }

            run(pool);

            assertThat(leaks).isEmpty();
            assertThat(database.guard.checked).hasSizeGreaterThan(USERS * REQUESTS);
            for (Connection connection : pool) {
                connection.close();
            }
        }
    }

    private void run(ArrayBlockingQueue<Connection> pool) throws Exception {
        long seed = Seeds.seed("request isolation");
        var executor = Executors.newFixedThreadPool(USERS);
        List<Future<?>> users = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            long number = user;
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed + user);
            users.add(executor.submit(() -> {
                for (int i = 0; i < REQUESTS; i++) {
                    request(pool, number, random);
                }
                return null;
            }));
        }
        for (Future<?> each : users) {
            each.get();
        }
        executor.shutdown();
    }

    private static void request(ArrayBlockingQueue<Connection> pool, long user, RandomGenerator random)
            throws Exception {
        switch (random.nextInt(4)) {
            case 0 -> {
                try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", user))) {
                    assertThat(request.isOpen()).isTrue();
                    work(pool, connection -> {}, user, random);
                    work(pool, connection -> {}, user, random);
                }
            }
            case 1 -> work(pool, c -> c.setClientInfo("privoxy.MyUId", Long.toString(user)), user, random);
            case 2 -> work(pool, c -> execute(c, "SET privoxy.MyUId = " + user), user, random);
            default -> {
                PrivoxyRequest request = Privoxy.open(Map.of("MyUId", user));
                var helper = new Thread(request.wrap(() -> quietly(pool, user, random)));
                helper.start();
                helper.join();
                request.close();
            }
        }
    }

    private static void quietly(ArrayBlockingQueue<Connection> pool, long user, RandomGenerator random) {
        try {
            work(pool, connection -> {}, user, random);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    /** What a pool does: the connection goes back with the end of the request. */
    private static void work(ArrayBlockingQueue<Connection> pool, Setup setup, long user, RandomGenerator random)
            throws Exception {
        Connection connection = pool.take();
        try {
            connection.beginRequest();
            setup.on(connection);
            for (int i = random.nextInt(3); i >= 0; i--) {
                read(connection, user, random.nextBoolean());
            }
            if (random.nextInt(5) == 0) {
                execute(connection, "UPDATE notes SET id = id WHERE owner = " + user);
            }
        } finally {
            if (random.nextBoolean()) {
                connection.endRequest();
            }
            pool.put(connection);
        }
    }

    private static void read(Connection connection, long user, boolean toTheEnd) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT owner FROM notes WHERE owner = ?")) {
            query.setLong(1, user);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next() && toTheEnd) {
                    rows.getLong(1);
                }
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Looks at the trace that each decision would see. */
    private void look(Request request) {
        Value user = request.context().get("MyUId");
        if (user == null) {
            leaks.add("a statement without a user");
            return;
        }
        for (TraceEntry entry : request.trace().entries()) {
            for (int row = 0; row < entry.rows(); row++) {
                if (!String.valueOf(entry.cell(row, 0)).equals(user.raw().toString())) {
                    leaks.add("user " + user + " sees " + entry.cell(row, 0));
                }
            }
        }
    }

    @FunctionalInterface
    private interface Setup {
        void on(Connection connection) throws SQLException;
    }

    private final class Watching implements Guard {

        private final FakeGuard guard;

        Watching(FakeGuard guard) {
            this.guard = guard;
        }

        @Override
        public GuardedStatement prepare(String sql, SessionState session, Connection connection) throws SQLException {
            GuardedStatement statement = guard.prepare(sql, session, connection);
            return new Watched(statement);
        }
    }

    private final class Watched implements GuardedStatement {

        private final GuardedStatement statement;

        Watched(GuardedStatement statement) {
            this.statement = statement;
        }

        @Override
        public StatementPlan.Kind kind() {
            return statement.kind();
        }

        @Override
        public @Nullable ContextCommand contextCommand() {
            return statement.contextCommand();
        }

        @Override
        public boolean changesSession() {
            return false;
        }

        @Override
        public Ruling check(Request request, Parameters parameters) {
            look(request);
            return statement.check(request, parameters);
        }
    }
}
