package io.leeway.autotune.internal.knobs;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/**
 * HikariCP's rules. A lower maximum alone changes nothing, since busy connections go back to the pool; and to evict all
 * at once closes the last one, which ends an in-memory database. So the surplus is taken out one by one.
 */
final class Hikari {

    private static final long PATIENCE_MILLIS = 250;

    private Hikari() {}

    private static int total(Object pool) throws ReflectiveOperationException {
        return Reflect.number(pool, "getTotalConnections");
    }

    /** How many connections there are; what was opened while the pool shrank is surplus too and goes now. */
    static int settled(Object pool) throws ReflectiveOperationException {
        int most = Reflect.number(Reflect.field(pool, "config"), "getMaximumPoolSize");
        evict(pool, Math.min(total(pool) - most, total(pool) - 1));
        return total(pool);
    }

    static void resize(Object pool, int size, int idle) throws ReflectiveOperationException {
        Object config = Reflect.field(pool, "config");
        if (size < Reflect.number(config, "getMaximumPoolSize")) {
            Reflect.call(config, "setMinimumIdle", idle);
            Reflect.call(config, "setMaximumPoolSize", size);
            evict(pool, Math.min(total(pool) - size, total(pool) - 1));
        } else {
            Reflect.call(config, "setMaximumPoolSize", size);
            Reflect.call(config, "setMinimumIdle", idle);
        }
    }

    private static void evict(Object pool, int surplus) throws ReflectiveOperationException {
        List<Connection> taken = new ArrayList<>();
        try {
            for (int i = 0; i < surplus; i++) {
                Object connection = Reflect.call(pool, "getConnection", PATIENCE_MILLIS);
                taken.add((Connection) connection);
                Reflect.call(pool, "evictConnection", connection);
            }
        } finally {
            for (Connection connection : taken) {
                close(connection);
            }
        }
    }

    private static void close(Connection connection) throws ReflectiveOperationException {
        try {
            connection.close();
        } catch (java.sql.SQLException e) {
            throw new ReflectiveOperationException("a surplus connection did not close", e);
        }
    }
}
