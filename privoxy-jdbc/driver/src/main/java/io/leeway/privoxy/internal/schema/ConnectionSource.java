package io.leeway.privoxy.internal.schema;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Lends connections to the real database for reading its catalogue.
 *
 * <p>Lent and not kept: the schema is shared by all connections of a process, and each reads it with its own.
 */
@FunctionalInterface
public interface ConnectionSource {

    /** Runs some work on a connection that is not closed by it. */
    <T> T with(Work<T> work) throws SQLException;

    /**
     * Whether the connection reads the catalogue as it was when its transaction began: then what it finds may be out of
     * date, and is kept for nobody.
     *
     * <p>In REPEATABLE READ PostgreSQL's catalogue is of the snapshot, too. What such a transaction finds is right for
     * itself and out of date for all others ({@code SchemaMomentsIT}).
     */
    default boolean readsThePast() {
        return false;
    }

    /** Always the same connection. */
    static ConnectionSource of(Connection connection) {
        return new ConnectionSource() {
            @Override
            public <T> T with(Work<T> work) throws SQLException {
                return work.on(connection);
            }
        };
    }

    /** What is done with a connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}
