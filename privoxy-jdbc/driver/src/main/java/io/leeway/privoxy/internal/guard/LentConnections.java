package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.schema.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalogue over the connection that asked, so that tables made in its own transaction are seen: for the time
 * of a call the calling thread lends it.
 */
final class LentConnections implements ConnectionSource {

    @SuppressWarnings("ThreadLocalUsage") // One for each guard, and guards are few and stay.
    private final ThreadLocal<@Nullable Connection> lent = new ThreadLocal<>();

    /** Lends until the result is closed. */
    Loan lend(Connection connection) {
        Connection before = lent.get();
        lent.set(connection);
        return () -> {
            if (before == null) {
                lent.remove();
            } else {
                lent.set(before);
            }
        };
    }

    @Override
    public <T> T with(Work<T> work) throws SQLException {
        Connection connection = lent.get();
        if (connection == null) {
            throw new SQLException("no connection to read the schema with");
        }
        return work.on(connection);
    }

    /** Ends the lending. */
    interface Loan extends AutoCloseable {
        @Override
        void close();
    }
}
