package io.leeway.privoxy.internal.driver;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What is told about the real database, through the checked connection. Statistics are not told.
 *
 * <p>Names, types and keys are public, as the catalogue is to queries; numbers of rows are not.
 */
final class CheckedDatabaseMetaData extends ForwardingDatabaseMetaData {

    private static final String REAL_PREFIX = "jdbc:";

    private final CheckedConnection connection;

    CheckedDatabaseMetaData(CheckedConnection connection, DatabaseMetaData delegate) {
        super(delegate);
        this.connection = connection;
    }

    @Override
    public @Nullable Connection getConnection() throws SQLException {
        return delegate.getConnection() == null ? null : connection;
    }

    /** The URL under this driver's prefix: whoever opens it again must not get around the check. */
    @Override
    public @Nullable String getURL() throws SQLException {
        String real = delegate.getURL();
        boolean isUrl = real != null && real.startsWith(REAL_PREFIX);
        return isUrl ? ConnectionUrl.PREFIX + real.substring(REAL_PREFIX.length()) : real;
    }

    /** Cardinality and pages are given as 0: they would tell how many rows a table has. */
    @Override
    public ResultSet getIndexInfo(String catalog, String schema, String table, boolean unique, boolean approximate)
            throws SQLException {
        return wrap(IndexStatistics.hide(delegate.getIndexInfo(catalog, schema, table, unique, approximate)));
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return Unwrapping.unwrap(connection.session().target(), this, delegate, type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return Unwrapping.isWrapperFor(connection.session().target(), this, delegate, type);
    }

    @Override
    ResultSet wrap(ResultSet result) {
        return new CheckedResultSet(connection, null, result, null, null);
    }
}
