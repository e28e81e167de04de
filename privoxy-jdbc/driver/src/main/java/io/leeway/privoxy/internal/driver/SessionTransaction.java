package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The transaction that a session's connection is in, with what was read and written in it, and questions of the
 * driver's own that leave it as it is. Not thread-safe.
 */
final class SessionTransaction {

    private final Connection raw;
    private final Dialect dialect;
    private final ServerSession server;
    private final TransactionTrace trace;

    SessionTransaction(Connection raw, Dialect dialect, ServerSession server, ChosenIsolation chosen) {
        this.trace = new TransactionTrace(chosen);
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

    /** Whether the database says that a transaction is open. */
    boolean isOpen() {
        ServerSession.State state = server.state();
        return state == ServerSession.State.OPEN || state == ServerSession.State.FAILED;
    }

    /**
     * Uses up a level that may wait for the next transaction, where nothing is open that could be lost.
     *
     * <p>MariaDB does not say what waits, and a {@code ROLLBACK} of nothing ends it ({@code EarlierHandlesIT}). In a branch it
     * may not be sent; there what was chosen is what is known of the handles before.
     */
    void settle(Beginning beginning, boolean isOpen) throws SQLException {
        ChosenIsolation chosen = trace.chosen();
        if (dialect != Dialect.MARIADB) {
            // The level is the session's (H2), or that of the transaction that is open and is read with it.
            chosen.usedUp();
            return;
        }
        boolean isPooled = beginning.isNew() && !beginning.isHandle() && DriverOptions.pools(raw);
        // What is open has the level with which it began, whatever the handles before were told since.
        if (isPooled || isOpen && !beginning.isInBranch()) {
            chosen.chosen(Isolation.UNKNOWN);
        }
        boolean isIdle = !isOpen
                && !beginning.isInBranch()
                && (server.state() == ServerSession.State.IDLE || !beginning.isHandle());
        if (!chosen.isNone() && isIdle && rollsBackNothing()) {
            chosen.usedUp();
        }
    }

    /** The driver has gone over to another physical connection, on which something may wait since it was there before. */
    void connectionChanged() {
        if (dialect == Dialect.MARIADB) {
            trace.chosen().chosen(Isolation.UNKNOWN);
            if (server.state() == ServerSession.State.IDLE && !trace.isBranch() && rollsBackNothing()) {
                trace.chosen().usedUp();
            }
        }
    }

    /** As a text: what the driver takes for unnecessary it does not send. */
    private boolean rollsBackNothing() {
        try (Statement statement = raw.createStatement()) {
            statement.execute("ROLLBACK");
            return true;
        } catch (SQLException refused) {
            // In a branch of which nobody here knows; then what waits is not known either.
            return false;
        }
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
