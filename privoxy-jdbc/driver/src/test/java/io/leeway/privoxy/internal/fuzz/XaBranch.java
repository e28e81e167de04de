package io.leeway.privoxy.internal.fuzz;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/** A connection on which branches of distributed transactions run one after the other. */
final class XaBranch implements AutoCloseable {

    private final XAConnection connection;
    private final XAResource resource;
    private @Nullable Id id;

    XaBranch(FuzzWorld world) throws SQLException {
        connection = world.source().getXAConnection();
        resource = connection.getXAResource();
    }

    Connection start() throws SQLException {
        try {
            Connection handle = connection.getConnection();
            id = new Id(UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
            resource.start(id, XAResource.TMNOFLAGS);
            return handle;
        } catch (XAException refused) {
            throw new SQLException(refused);
        }
    }

    void end() throws SQLException {
        try {
            resource.end(id, XAResource.TMSUCCESS);
        } catch (XAException refused) {
            throw new SQLException(refused);
        }
    }

    void finish(boolean commits) throws SQLException {
        try {
            if (commits) {
                resource.commit(id, true);
            } else {
                resource.rollback(id);
            }
        } catch (XAException refused) {
            throw new SQLException(refused);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** A branch's name. */
    private static final class Id implements Xid {

        private final byte[] global;

        Id(byte[] global) {
            this.global = global.clone();
        }

        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return global.clone();
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }
}
