package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.schema.LiveSchemas;
import io.leeway.privoxy.internal.schema.SchemaChange;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * Distributed transactions. Any resource of the same database may take a branch back once the work on it has ended here,
 * so what was read after a branch's first write is forgotten when the work ends.
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
        connection.enter(xid, flags == TMNOFLAGS);
        delegate.start(xid, flags);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        try {
            delegate.end(xid, flags);
        } finally {
            connection.leaveBranch();
        }
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        int vote = delegate.prepare(xid);
        connection.branchEnded();
        return vote;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        LiveSchemas schemas = LiveSchemas.shared();
        SchemaChange change = schemas.mayBeLeftOpen() ? schemas.beginChange(connection.sessionId()) : null;
        boolean answered = false;
        try {
            delegate.commit(xid, onePhase);
            answered = true;
        } catch (XAException error) {
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
