package io.leeway.privoxy.internal.fuzz;

import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Ends what waits for ever. On H2 whoever wants a row that an open transaction has changed, which has gone back to a
 * savepoint (or had a statement fail) before, neither gets it nor is told so after the lock timeout: H2 takes the other one
 * for ended, asks again at once, and goes on so until it has really ended. As here one thread holds all connections, that
 * is never. After a while all sessions but the one past the policy are ended by H2; the steps that have lost theirs
 * fail, and later ones open new ones. The other databases keep their limits themselves.
 */
final class FuzzAlarm implements AutoCloseable {

    private static final int SECONDS = 20;

    private final FuzzWorld world;
    private final int spared;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "fuzz-alarm");
        thread.setDaemon(true);
        return thread;
    });

    private @Nullable ScheduledFuture<?> running;
    private final AtomicInteger rung = new AtomicInteger();

    FuzzAlarm(FuzzWorld world, Connection plain) throws SQLException {
        this.world = world;
        this.spared = world.dialect == Dialect.H2 ? session(plain) : 0;
    }

    private static int session(Connection plain) throws SQLException {
        try (Statement statement = plain.createStatement();
                ResultSet row = statement.executeQuery("SELECT SESSION_ID()")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** From now on something has to end. */
    void set() {
        if (world.dialect == Dialect.H2) {
            running = clock.scheduleWithFixedDelay(this::ring, SECONDS, SECONDS, TimeUnit.SECONDS);
        }
    }

    /** It has ended. */
    void off() {
        if (running != null) {
            running.cancel(false);
            running = null;
        }
    }

    /** How often something had to be ended. */
    int rung() {
        return rung.get();
    }

    private void ring() {
        rung.incrementAndGet();
        try (Connection own = world.plain();
                Statement statement = own.createStatement()) {
            statement.execute(
                    "SELECT ABORT_SESSION(SESSION_ID) FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID NOT IN ("
                            + spared + ", SESSION_ID())");
        } catch (SQLException again) {
            // It rings again.
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
