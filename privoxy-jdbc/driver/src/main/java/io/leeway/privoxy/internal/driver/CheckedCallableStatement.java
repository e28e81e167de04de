package io.leeway.privoxy.internal.driver;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.SQLException;
import java.sql.SQLType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call whose output parameters lead nowhere but to values.
 *
 * <p>What a procedure reads no guard has seen; calls pass only where the configuration allows the function, and what
 * comes out may be values and nothing else.
 */
final class CheckedCallableStatement extends ForwardingCallableStatement {

    CheckedCallableStatement(CheckedConnection connection, CallableStatement delegate, PreparedText text) {
        super(connection, delegate, text);
    }

    @Override
    public @Nullable Array getArray(int index) throws SQLException {
        return CheckedArray.of(connection(), delegate.getArray(index));
    }

    @Override
    public @Nullable Array getArray(String name) throws SQLException {
        return CheckedArray.of(connection(), delegate.getArray(name));
    }

    @Override
    public @Nullable Blob getBlob(int index) throws SQLException {
        LargeObjects.checkType(session().target(), Blob.class);
        return delegate.getBlob(index);
    }

    @Override
    public @Nullable Blob getBlob(String name) throws SQLException {
        LargeObjects.checkType(session().target(), Blob.class);
        return delegate.getBlob(name);
    }

    @Override
    public @Nullable Clob getClob(int index) throws SQLException {
        LargeObjects.checkType(session().target(), Clob.class);
        return delegate.getClob(index);
    }

    @Override
    public @Nullable Clob getClob(String name) throws SQLException {
        LargeObjects.checkType(session().target(), Clob.class);
        return delegate.getClob(name);
    }

    @Override
    public @Nullable Object getObject(int index) throws SQLException {
        return CellValues.leadingBack(connection(), delegate.getObject(index));
    }

    @Override
    public @Nullable Object getObject(String name) throws SQLException {
        return CellValues.leadingBack(connection(), delegate.getObject(name));
    }

    @Override
    public @Nullable Object getObject(int index, Map<String, Class<?>> map) throws SQLException {
        return CellValues.leadingBack(connection(), delegate.getObject(index, map));
    }

    @Override
    public @Nullable Object getObject(String name, Map<String, Class<?>> map) throws SQLException {
        return CellValues.leadingBack(connection(), delegate.getObject(name, map));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T getObject(int index, Class<T> type) throws SQLException {
        LargeObjects.checkType(session().target(), type);
        return (T) CellValues.leadingBack(connection(), delegate.getObject(index, type));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T getObject(String name, Class<T> type) throws SQLException {
        LargeObjects.checkType(session().target(), type);
        return (T) CellValues.leadingBack(connection(), delegate.getObject(name, type));
    }

    @Override
    public void setObject(String name, @Nullable Object value) throws SQLException {
        bindByName(real -> real.setObject(name, CheckedArray.real(value)));
    }

    @Override
    public void setObject(String name, @Nullable Object value, int type) throws SQLException {
        bindByName(real -> real.setObject(name, CheckedArray.real(value), type));
    }

    @Override
    public void setObject(String name, @Nullable Object value, int type, int scale) throws SQLException {
        bindByName(real -> real.setObject(name, CheckedArray.real(value), type, scale));
    }

    @Override
    public void setObject(String name, @Nullable Object value, SQLType type) throws SQLException {
        bindByName(real -> real.setObject(name, CheckedArray.real(value), type));
    }

    @Override
    public void setObject(String name, @Nullable Object value, SQLType type, int scale) throws SQLException {
        bindByName(real -> real.setObject(name, CheckedArray.real(value), type, scale));
    }
}
