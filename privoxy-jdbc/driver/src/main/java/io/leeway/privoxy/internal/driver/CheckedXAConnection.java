package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.schema.SessionId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * An XA connection whose handles are checked.
 *
 * <p>Synchronised, as handle, branch and connection may be used by different threads of a transaction manager.
 */
final class CheckedXAConnection extends CheckedPooledConnection<XAConnection> implements XAConnection {

    CheckedXAConnection(XAConnection delegate, CheckedSource source, boolean isNew) {
        super(delegate, source, isNew);
    }

    /*
     * A branch may be worked on through several handles, connections and threads. A write through any of them is taken
     * back with the branch, so what is read by whoever was not the first is in doubt from the beginning.
     */
    private boolean inBranch;
    private boolean usedInBranch;
    /** Whether the connection may still see what was done in a branch on which the work has ended. */
    private boolean detached;

    /** The branches that this connection has worked on and not ended, by {@link XaBranch#key}. */
    private final Map<String, XaBranch> branches = new HashMap<>();

    private XaBranch current = new XaBranch();
    private @Nullable SessionId sessionId;

    @Override
    public XAResource getXAResource() throws SQLException {
        return new CheckedXAResource(delegate.getXAResource(), this);
    }

    @Override
    public synchronized Connection getConnection() throws SQLException {
        Connection handle = super.getConnection();
        CheckedConnection checked = handle();
        sessionId = checked == null ? null : checked.session().states().sessionId();
        // Another handle has been used in the branch before: what it wrote may be taken back with the branch.
        if (inBranch) {
            take(usedInBranch);
        } else if (detached) {
            detach();
        }
        usedInBranch = true;
        return handle;
    }

    /** The server's session, as the last handle knew it; null if there was none. */
    synchronized @Nullable SessionId sessionId() {
        return sessionId;
    }

    @Override
    synchronized boolean isInBranch() {
        return inBranch;
    }

    /** Work on a branch begins. */
    synchronized void enter(Xid xid, boolean isNew) {
        inBranch = true;
        current = branches.computeIfAbsent(XaBranch.key(xid), unused -> new XaBranch());
        detached = false;
        usedInBranch = !isNew || handle() != null;
        // Joined or resumed: others have worked on it.
        take(!isNew);
    }

    /** Work on a branch has ended: from here on anybody may take it back, though it may still be seen. */
    synchronized void leaveBranch() {
        inBranch = false;
        detached = true;
        detach();
        // Also what handles have done that were closed since.
        current.left();
    }

    /** The branch was committed, taken back or prepared: the connection does not see it any more. */
    synchronized void branchEnded() {
        detached = false;
        CheckedConnection handle = handle();
        if (handle != null && !inBranch) {
            // Whether committed or not is not asked: both end what was read in it, and the safe one of the two is
            // taken.
            handle.session().transaction().rolledBack();
            handle.session().transaction().attach();
            handle.session().control().ended();
        }
    }

    /** A branch was committed or taken back, whoever has worked on it. */
    synchronized void ended(Xid xid) {
        XaBranch ended = branches.remove(XaBranch.key(xid));
        if (ended != null) {
            ended.ended();
        }
    }

    private void detach() {
        CheckedConnection handle = handle();
        if (handle != null) {
            handle.session().transaction().detach();
            handle.session().control().ended();
        }
    }

    /** The handle works on the branch. */
    private void take(boolean isWrittenByOthers) {
        CheckedConnection handle = handle();
        if (handle != null) {
            TransactionTrace transaction = handle.session().transaction();
            transaction.begunAsBranch(current);
            if (isWrittenByOthers) {
                transaction.writtenByOthers();
            }
        }
    }
}
