package io.leeway.privoxy.internal.driver;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;

/** An XA connection whose handles are checked. */
final class CheckedXAConnection extends CheckedPooledConnection<XAConnection> implements XAConnection {

    CheckedXAConnection(XAConnection delegate, CheckedSource source, String user) {
        super(delegate, source, user);
    }

    /*
     * A branch may be worked on through several handles, connections and threads. A write through any of them is taken
     * back with the branch, so what is read by whoever was not the first is in doubt from the beginning.
     */
    private boolean inBranch;
    private boolean usedInBranch;

    @Override
    public XAResource getXAResource() throws SQLException {
        return new CheckedXAResource(delegate.getXAResource(), this);
    }

    @Override
    public synchronized Connection getConnection() throws SQLException {
        Connection handle = super.getConnection();
        if (inBranch) {
            take(usedInBranch);
        }
        usedInBranch = true;
        return handle;
    }

    /** Work on a branch begins. */
    synchronized void enter(boolean isNew) {
        inBranch = true;
        usedInBranch = !isNew || handle() != null;
        take(!isNew);
    }

    /** Work on a branch has ended: from here on anybody may take it back. */
    synchronized void leaveBranch() {
        inBranch = false;
        CheckedConnection handle = handle();
        if (handle != null) {
            handle.session().transaction().rolledBack();
            handle.session().transactionEnded();
        }
    }

    /** The handle works on the branch. */
    private void take(boolean isWrittenByOthers) {
        CheckedConnection handle = handle();
        if (handle != null) {
            TransactionTrace transaction = handle.session().transaction();
            transaction.begunAsBranch();
            if (isWrittenByOthers) {
                transaction.writtenByOthers();
            }
        }
    }
}
