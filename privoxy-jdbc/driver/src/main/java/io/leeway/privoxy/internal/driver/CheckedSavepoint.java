package io.leeway.privoxy.internal.driver;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A savepoint under a name of ours, the application sees its own. Drivers put the name into SQL, some of them as it is,
 * and databases let a name mean the savepoint that was set with it last: the driver's own for one without a name, too.
 * So no two of ours are called alike, whatever connection, transaction or handle they are of.
 */
final class CheckedSavepoint implements Savepoint {

    private static final String PREFIX = "privoxy_savepoint_";
    /**
     * One row of numbers for the whole process: a name that was used again would mean another savepoint to the database
     * ({@code NinthAttackStateIT}).
     */
    private static final AtomicLong LAST = new AtomicLong();

    private static final String STATE = "3B001";

    private final Connection connection;
    private final Savepoint real;
    private final long number;
    private final @Nullable String name;

    private CheckedSavepoint(Connection connection, Savepoint real, long number, @Nullable String name) {
        this.connection = connection;
        this.real = real;
        this.number = number;
        this.name = name;
    }

    /**
     * Sets a savepoint.
     *
     * @param name for the application; null if it gives none
     * @param setting the driver's
     */
    static CheckedSavepoint set(Connection connection, @Nullable String name, Call<String, Savepoint> setting)
            throws SQLException {
        long number = LAST.incrementAndGet();
        return new CheckedSavepoint(connection, setting.on(PREFIX + number), number, name);
    }

    /**
     * The savepoint, which has to be one of the connection: what others say of theirs would get into the driver's SQL.
     */
    @SuppressWarnings("ReferenceEquality") // A handle is itself only.
    static CheckedSavepoint of(Connection connection, @Nullable Savepoint savepoint) throws SQLException {
        // A stranger's object could say another name each time it is asked.
        if (savepoint instanceof CheckedSavepoint own && own.connection == connection) {
            return own;
        }
        throw new SQLException("The savepoint is none of this connection.", STATE);
    }

    /** The driver's savepoint. */
    Savepoint real() {
        return real;
    }

    @Override
    public int getSavepointId() throws SQLException {
        if (name != null) {
            throw new SQLException("The savepoint has a name and no number.", STATE);
        }
        return (int) number;
    }

    @Override
    public String getSavepointName() throws SQLException {
        if (name == null) {
            throw new SQLException("The savepoint has a number and no name.", STATE);
        }
        return name;
    }
}
