package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.sql.Dialect;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What the driver itself reads on the application's connection, such as a table's columns, must not begin a transaction
 * that the application has not begun: on PostgreSQL it could then no longer choose the isolation level, and would hold
 * the snapshot of an earlier moment. The real driver knows whether a transaction is open; another driver than the usual
 * one is not asked. On MariaDB and H2 reading the catalogue begins nothing that can be noticed.
 */
final class OwnReads {

    /** PostgreSQL's state of a transaction in which a statement has failed. */
    static final String IN_FAILED_TRANSACTION = "25P02";

    private static final String BASE_CONNECTION = "org.postgresql.core.BaseConnection";

    private final Connection raw;
    private final @Nullable Object real;
    private final @Nullable Method state;

    private OwnReads(Connection raw, @Nullable Object real, @Nullable Method state) {
        this.raw = raw;
        this.real = real;
        this.state = state;
    }

    static OwnReads on(Connection raw, Dialect dialect) {
        if (dialect == Dialect.POSTGRESQL) {
            try {
                Class<?> type = Class.forName(
                        BASE_CONNECTION, false, raw.getMetaData().getClass().getClassLoader());
                if (raw.isWrapperFor(type)) {
                    return new OwnReads(raw, raw.unwrap(type), type.getMethod("getTransactionState"));
                }
            } catch (ReflectiveOperationException | SQLException otherDriver) {
                // Then it cannot be asked.
                return new OwnReads(raw, null, null);
            }
        }
        return new OwnReads(raw, null, null);
    }

    /** Reads, and ends the transaction that the reading has begun. */
    <T> T run(Read<T> read) throws SQLException {
        if (!isUnbegun()) {
            return read.now();
        }
        try {
            return read.now();
        } finally {
            if (!isUnbegun()) {
                raw.rollback();
            }
        }
    }

    /** Whether the next statement would begin a transaction. */
    private boolean isUnbegun() throws SQLException {
        if (state == null || raw.getAutoCommit()) {
            return false;
        }
        try {
            return "IDLE".equals(String.valueOf(state.invoke(real)));
        } catch (ReflectiveOperationException notAnswered) {
            return false;
        }
    }

    /** Something to read. */
    @FunctionalInterface
    interface Read<T> {
        T now() throws SQLException;
    }
}
