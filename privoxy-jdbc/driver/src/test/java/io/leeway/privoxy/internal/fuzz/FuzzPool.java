package io.leeway.privoxy.internal.fuzz;

import io.leeway.privoxy.PrivoxyXADataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.PooledConnection;
import org.jspecify.annotations.Nullable;

/** A pool of one physical connection. Of the handle before, which has ended, a statement is kept, to be tried again. */
final class FuzzPool implements AutoCloseable {

    private final FuzzWorld world;
    private @Nullable PooledConnection physical;
    private @Nullable Connection handle;
    private @Nullable Connection old;
    private @Nullable Statement oldStatement;

    FuzzPool(FuzzWorld world) {
        this.world = world;
    }

    /** A new handle; the one before ends by it. */
    Connection handle() throws SQLException {
        PooledConnection pooled = physical;
        if (pooled == null) {
            PrivoxyXADataSource source = world.source();
            pooled = source.getPooledConnection();
            physical = pooled;
        }
        handle = pooled.getConnection();
        return handle;
    }

    /** The handle comes back: it is closed, left for the next one to end, or the physical connection ends. */
    Connection giveBack(int choice) throws SQLException {
        Connection ended = handle;
        if (ended != null && !ended.isClosed()) {
            old = ended;
            oldStatement = ended.createStatement();
            if (choice % 3 == 0) {
                ended.close();
            } else if (choice % 3 == 1) {
                close();
            }
        }
        return handle();
    }

    /** Whether a handle that has ended still runs a text. */
    boolean runsAtOldHandle(String sql) throws SQLException {
        return old != null && (answers(old::createStatement, sql) || answers(() -> oldStatement, sql));
    }

    private static boolean answers(Source source, String sql) {
        try {
            Statement statement = source.statement();
            if (statement != null) {
                statement.execute(sql);
                return true;
            }
        } catch (SQLException ended) {
            // As it has to be.
        }
        return false;
    }

    @Override
    public void close() throws SQLException {
        PooledConnection pooled = physical;
        physical = null;
        handle = null;
        if (pooled != null) {
            pooled.close();
        }
    }

    /** Where a statement comes from. */
    @FunctionalInterface
    private interface Source {
        @Nullable
        Statement statement() throws SQLException;
    }
}
