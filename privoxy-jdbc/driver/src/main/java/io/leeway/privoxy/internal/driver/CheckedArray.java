package io.leeway.privoxy.internal.driver;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An array whose result sets lead back to the checked connection: some drivers' lead to the real statement. */
final class CheckedArray implements Array {

    private final CheckedConnection connection;
    final Array delegate;

    /** What it was made of, if the application made it. */
    private final @Nullable Object made;

    CheckedArray(CheckedConnection connection, Array delegate, Object @Nullable [] made) {
        this.connection = connection;
        this.delegate = delegate;
        this.made = made;
    }

    /** What the guard may believe of its elements. */
    Object elements() throws SQLException {
        // What the application gave is known better than what the driver makes of it.
        Object content = made == null ? delegate.getArray() : made;
        return ParameterValues.elements(
                content,
                delegate.getBaseTypeName(),
                connection.session().target().dialect());
    }

    static @Nullable Array of(CheckedConnection connection, @Nullable Array array) {
        return array == null || array instanceof CheckedArray ? array : new CheckedArray(connection, array, null);
    }

    /** The real array behind a wrapper, or the same object. */
    static @Nullable Object real(@Nullable Object value) {
        return value instanceof CheckedArray array ? array.delegate : value;
    }

    @Override
    public String getBaseTypeName() throws SQLException {
        return delegate.getBaseTypeName();
    }

    @Override
    public int getBaseType() throws SQLException {
        return delegate.getBaseType();
    }

    @Override
    public Object getArray() throws SQLException {
        return delegate.getArray();
    }

    @Override
    public Object getArray(Map<String, Class<?>> map) throws SQLException {
        return delegate.getArray(map);
    }

    @Override
    public Object getArray(long index, int count) throws SQLException {
        return delegate.getArray(index, count);
    }

    @Override
    public Object getArray(long index, int count, Map<String, Class<?>> map) throws SQLException {
        return delegate.getArray(index, count, map);
    }

    @Override
    public ResultSet getResultSet() throws SQLException {
        return wrap(delegate.getResultSet());
    }

    @Override
    public ResultSet getResultSet(Map<String, Class<?>> map) throws SQLException {
        return wrap(delegate.getResultSet(map));
    }

    @Override
    public ResultSet getResultSet(long index, int count) throws SQLException {
        return wrap(delegate.getResultSet(index, count));
    }

    @Override
    public ResultSet getResultSet(long index, int count, Map<String, Class<?>> map) throws SQLException {
        return wrap(delegate.getResultSet(index, count, map));
    }

    @Override
    public void free() throws SQLException {
        delegate.free();
    }

    @Override
    public String toString() {
        return delegate.toString();
    }

    private ResultSet wrap(ResultSet result) {
        return new CheckedResultSet(connection, null, result, null, null);
    }
}
