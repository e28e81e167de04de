package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.sql.Dialect;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the usual drivers know of the server's session without asking it: whether a transaction is open, as each answer
 * says, and which physical connection it is. Other drivers are not asked; then both are unknown. Not thread-safe.
 *
 * <p>The server's own word is worth more than what methods and texts let one conclude: a commit may be answered with a
 * rollback, a text may hold a COMMIT that nobody saw ({@code StateCasesIT}). It comes with each answer, so it costs no
 * round trip ({@code RoundTripsIT}).
 */
final class ServerSession {

    /** No number: the physical connection is not known. */
    static final long UNKNOWN_ID = -1;

    private static final String POSTGRES = "org.postgresql.core.BaseConnection";
    private static final String MARIADB = "org.mariadb.jdbc.Connection";
    private static final int IN_TRANSACTION = 1;
    private static final Object[] NOTHING = {};

    /** Whether a transaction is open. */
    enum State {
        IDLE,
        OPEN,
        FAILED,
        UNKNOWN
    }

    private final Connection raw;
    private final @Nullable Object real;
    private final @Nullable Method state;
    private final @Nullable Method status;
    private final @Nullable Method id;
    /**
     * The constant that the driver answered last, and what it means.
     *
     * <p>Asked with each statement; turning a constant's name into ours each time would cost more than the check.
     */
    private @Nullable Object answered;

    private State meant = State.UNKNOWN;

    private ServerSession(
            Connection raw,
            @Nullable Object real,
            @Nullable Method state,
            @Nullable Method status,
            @Nullable Method id) {
        this.raw = raw;
        this.real = real;
        this.state = state;
        this.status = status;
        this.id = id;
    }

    static ServerSession of(Connection raw, Dialect dialect) {
        try {
            if (dialect == Dialect.POSTGRESQL) {
                return of(raw, POSTGRES, "getTransactionState", "", "getBackendPID");
            }
            if (dialect == Dialect.MARIADB) {
                return of(raw, MARIADB, "getContext", "getServerStatus", "getThreadId");
            }
            // By reflection, as drivers are not on this module's class path and their internals change.
        } catch (ReflectiveOperationException | SQLException | LinkageError otherDriver) {
            // Then it cannot be asked.
            return new ServerSession(raw, null, null, null, null);
        }
        return new ServerSession(raw, null, null, null, null);
    }

    /**
     * Whether a transaction is open on a connection, if its driver is one that tells.
     *
     * <p>For handles of pooled connections, of which it is not known yet what database is behind them.
     */
    static boolean isOpen(Connection raw) {
        for (Dialect dialect : List.of(Dialect.POSTGRESQL, Dialect.MARIADB)) {
            State state = of(raw, dialect).state();
            if (state == State.OPEN || state == State.FAILED) {
                return true;
            }
        }
        return false;
    }

    private static ServerSession of(Connection raw, String name, String state, String status, String id)
            throws ReflectiveOperationException, SQLException {
        Class<?> type = Class.forName(name, false, raw.getMetaData().getClass().getClassLoader());
        if (!raw.isWrapperFor(type)) {
            return new ServerSession(raw, null, null, null, null);
        }
        Method stateMethod = type.getMethod(state);
        Method statusMethod =
                status.isEmpty() ? null : stateMethod.getReturnType().getMethod(status);
        return new ServerSession(raw, raw.unwrap(type), stateMethod, statusMethod, type.getMethod(id));
    }

    /** The driver's own object for the physical connection; null if it is not one of the usual drivers. */
    @Nullable
    Object physical() {
        return real;
    }

    /** As the last answer of the server said. */
    @SuppressWarnings("ReferenceEquality") // The driver's constants.
    State state() {
        Method asked = state;
        if (asked == null) {
            return State.UNKNOWN;
        }
        try {
            Object answer = asked.invoke(real, NOTHING);
            Method detail = status;
            if (detail != null) {
                // MariaDB's status flags, of which the lowest says "in a transaction".
                return ((Number) detail.invoke(answer, NOTHING)).intValue() % 2 == IN_TRANSACTION
                        ? State.OPEN
                        : State.IDLE;
            }
            if (answer != answered) {
                meant = State.valueOf(String.valueOf(answer));
                answered = answer;
            }
            return meant;
            // Unknown has a price, texts count then; a wrong answer would have a worse one.
        } catch (ReflectiveOperationException | RuntimeException notAnswered) {
            return State.UNKNOWN;
        }
    }

    /**
     * Number of the physical connection, or {@link #UNKNOWN_ID}.
     *
     * <p>A driver that goes over to another server gets another number ({@code ConnectionCasesIT}).
     */
    long id() {
        Method asked = id;
        try {
            return asked == null ? UNKNOWN_ID : ((Number) asked.invoke(real, NOTHING)).longValue();
        } catch (ReflectiveOperationException | RuntimeException notAnswered) {
            return UNKNOWN_ID;
        }
    }

    /** Whether the next statement would begin a transaction that outlives it. */
    boolean isUnbegun() throws SQLException {
        return state() == State.IDLE && !raw.getAutoCommit();
    }
}
