package io.leeway.privoxy.internal.driver;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import javax.sql.StatementEvent;
import javax.sql.StatementEventListener;
import org.jspecify.annotations.Nullable;

/**
 * A pooled connection whose handles are checked; each handle is a session of its own, so its request ends when the
 * handle is closed. Listeners hear of this pooled connection and never of the real one.
 *
 * @param <P> the real pooled connection's interface
 */
class CheckedPooledConnection<P extends PooledConnection> implements PooledConnection {

    final P delegate;
    private final CheckedSource source;
    private final ChosenIsolation isolation;
    private final boolean isNew;
    private final Map<ConnectionEventListener, ConnectionEventListener> listeners = new ConcurrentHashMap<>();
    private final Map<StatementEventListener, StatementEventListener> statementListeners = new ConcurrentHashMap<>();
    private @Nullable CheckedConnection handle;

    CheckedPooledConnection(P delegate, CheckedSource source, boolean isNew) {
        this.delegate = delegate;
        this.source = source;
        this.isNew = isNew;
        this.isolation = isNew ? ChosenIsolation.none() : ChosenIsolation.unknown();
    }

    @Override
    public synchronized Connection getConnection() throws SQLException {
        // Drivers close the handle of before when they give out another; its request must end with it.
        leave();
        Connection real = delegate.getConnection();
        // Before anything is asked of it. A transaction that the handle before has left open has written what nobody
        // here knows.
        boolean isOpen = ServerSession.isOpen(real);
        var beginning = new Beginning(isolation, isNew, true, isInBranch(), isOpen);
        CheckedConnection checked = source.checkHandle(real, beginning);
        if (!statementListeners.isEmpty()) {
            checked.rememberStatements();
        }
        handle = checked;
        return checked;
    }

    @Override
    public synchronized void close() throws SQLException {
        leave();
        delegate.close();
    }

    @Override
    public void addConnectionEventListener(ConnectionEventListener listener) {
        delegate.addConnectionEventListener(listeners.computeIfAbsent(listener, Relay::new));
    }

    @Override
    public void removeConnectionEventListener(ConnectionEventListener listener) {
        ConnectionEventListener relay = listeners.remove(listener);
        if (relay != null) {
            delegate.removeConnectionEventListener(relay);
        }
    }

    @Override
    public void addStatementEventListener(StatementEventListener listener) {
        delegate.addStatementEventListener(statementListeners.computeIfAbsent(listener, StatementRelay::new));
    }

    @Override
    public void removeStatementEventListener(StatementEventListener listener) {
        StatementEventListener relay = statementListeners.remove(listener);
        if (relay != null) {
            delegate.removeStatementEventListener(relay);
        }
    }

    /** Whether a branch of a distributed transaction is worked on. */
    boolean isInBranch() {
        return false;
    }

    /** The handle that is out, if any. */
    final synchronized @Nullable CheckedConnection handle() {
        return handle;
    }

    /**
     * A new handle or the end: the request of the one before is over.
     *
     * <p>Also where the application has not closed its handle: the next one must not meet its facts.
     */
    private void leave() {
        if (handle != null) {
            handle.session().close();
            handle = null;
        }
    }

    /** The checked statement over a real one, as far as it is known. */
    private @Nullable PreparedStatement checked(PreparedStatement real) {
        CheckedConnection current = handle();
        return current == null ? null : current.statementOver(real);
    }

    /** Pools compare the source of an event with what they got, which is this object. */
    private final class Relay implements ConnectionEventListener {

        private final ConnectionEventListener listener;

        Relay(ConnectionEventListener listener) {
            this.listener = listener;
        }

        @Override
        public void connectionClosed(ConnectionEvent event) {
            listener.connectionClosed(new ConnectionEvent(CheckedPooledConnection.this, event.getSQLException()));
        }

        @Override
        public void connectionErrorOccurred(ConnectionEvent event) {
            listener.connectionErrorOccurred(
                    new ConnectionEvent(CheckedPooledConnection.this, event.getSQLException()));
        }
    }

    /** The real statement would be a way around the check. */
    private final class StatementRelay implements StatementEventListener {

        private final StatementEventListener listener;

        StatementRelay(StatementEventListener listener) {
            this.listener = listener;
        }

        @Override
        public void statementClosed(StatementEvent event) {
            PreparedStatement checked = checked(event.getStatement());
            if (checked != null) {
                listener.statementClosed(new StatementEvent(CheckedPooledConnection.this, checked));
            }
        }

        @Override
        public void statementErrorOccurred(StatementEvent event) {
            PreparedStatement checked = checked(event.getStatement());
            if (checked != null) {
                listener.statementErrorOccurred(
                        new StatementEvent(CheckedPooledConnection.this, checked, event.getSQLException()));
            }
        }
    }
}
