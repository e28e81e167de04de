package io.leeway.privoxy.internal.driver;

import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;

/** An XA connection whose handles are checked. */
final class CheckedXAConnection extends CheckedPooledConnection<XAConnection> implements XAConnection {

    CheckedXAConnection(XAConnection delegate, CheckedSource source, String user) {
        super(delegate, source, user);
    }

    @Override
    public XAResource getXAResource() throws SQLException {
        return new CheckedXAResource(delegate.getXAResource(), this);
    }
}
