package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The transaction that a session's connection is in, with what was read and written in it, and questions of the
 * driver's own that leave it as it is. Not thread-safe.
 */
final class SessionTransaction {

    private final Connection raw;
    private final Dialect dialect;
    private final ServerSession server;
    private final TransactionTrace trace = new TransactionTrace();

    SessionTransaction(Connection raw, Dialect dialect, ServerSession server) {
        this.raw = raw;
        this.dialect = dialect;
        this.server = server;
    }

    TransactionTrace trace() {
        return trace;
    }

    boolean isWithin() throws SQLException {
        return trace.begunOtherwise() || !raw.getAutoCommit();
    }

    /**
     * Whether the transaction in progress can only be rolled back, whatever is called.
     *
     * <p>On PostgreSQL a commit after an error is answered with a rollback, and says so only here.
     */
    boolean hasFailed() {
        return server.state() == ServerSession.State.FAILED;
    }

    /**
     * Reads for the driver itself. That must not begin a transaction that the application has not begun: on PostgreSQL
     * it could then no longer choose the isolation level, and would hold the snapshot of an earlier moment. On MariaDB
     * and H2 reading the catalogue begins nothing that can be noticed.
     */
    <T> T read(Read<T> read) throws SQLException {
        boolean isUnbegun = dialect == Dialect.POSTGRESQL && !trace.isBranch() && server.isUnbegun();
        try {
            return read.now();
        } finally {
            // Only what this has begun is taken back, so an application's own transaction is never ended by a look
            // at the catalogue. A branch cannot be rolled back on its connection at all.
            if (isUnbegun && !server.isUnbegun()) {
                raw.rollback();
            }
        }
    }

    /** Something to read. */
    @FunctionalInterface
    interface Read<T> {
        T now() throws SQLException;
    }
}
