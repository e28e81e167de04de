package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.schema.LiveSchemas;
import io.leeway.privoxy.internal.schema.SchemaChange;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * Distributed transactions. Any resource of the same database may take a branch back once the work on it has ended
 * here, so what was read after a branch's first write is forgotten when the work ends.
 *
 * <p>Only what traces have to know is added; the protocol between transaction manager and resource is not touched.
 */
final class CheckedXAResource implements XAResource {

    private final XAResource delegate;
    private final CheckedXAConnection connection;

    CheckedXAResource(XAResource delegate, CheckedXAConnection connection) {
        this.delegate = delegate;
        this.connection = connection;
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        // Before the call: what is read from here on may be part of the branch.
        connection.enter(xid, flags == TMNOFLAGS);
        delegate.start(xid, flags);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        try {
            delegate.end(xid, flags);
            // Also after an error, when it is not known on which side the connection is.
        } finally {
            connection.leaveBranch();
        }
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        int vote = delegate.prepare(xid);
        // From here on the branch is nobody's connection's.
        connection.branchEnded();
        return vote;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        LiveSchemas schemas = LiveSchemas.shared();
        // A change of the schema may be in the branch, and the server makes it before its answer is here
        // (DriverLeftoversIT).
        SchemaChange change = schemas.mayBeLeftOpen() ? schemas.beginChange(connection.sessionId()) : null;
        boolean answered = false;
        try {
            delegate.commit(xid, onePhase);
            answered = true;
        } catch (XAException error) {
            // The resource manager is not there, or does not know: then the commit may yet be made.
            answered = error.errorCode != XAException.XAER_RMFAIL && error.errorCode != XAException.XAER_RMERR;
            throw error;
        } finally {
            // From its end on nobody looks by himself.
            schemas.endedElsewhere();
            if (change != null) {
                end(change, answered);
            }
            connection.ended(xid);
        }
        connection.branchEnded();
    }

    private static void end(SchemaChange change, boolean answered) {
        if (answered) {
            change.answered();
        } else {
            change.lost();
        }
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        try {
            delegate.rollback(xid);
        } finally {
            LiveSchemas.shared().endedElsewhere();
            connection.ended(xid);
        }
        connection.branchEnded();
    }

    @Override
    public void forget(Xid xid) throws XAException {
        delegate.forget(xid);
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return delegate.recover(flag);
    }

    /** Compared are the real ones, as a transaction manager may join branches of one resource manager. */
    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return delegate.isSameRM(other instanceof CheckedXAResource checked ? checked.delegate : other);
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return delegate.setTransactionTimeout(seconds);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return delegate.getTransactionTimeout();
    }
}
