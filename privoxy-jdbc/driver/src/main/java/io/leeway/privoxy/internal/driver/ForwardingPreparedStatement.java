package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Parameters;
import java.io.InputStream;
import java.io.Reader;
import java.net.URL;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import org.jspecify.annotations.Nullable;

/**
 * Passes parameters to the real statement and notes them for the check. Execution, and parameters that can be changed after they were given, have no default here.
 */
@SuppressWarnings("deprecation")
abstract class ForwardingPreparedStatement<S extends PreparedStatement> extends CheckedStatement<S>
        implements PreparedStatement {

    ForwardingPreparedStatement(CheckedConnection connection, S delegate) {
        super(connection, delegate);
    }

    /** A parameter was given; null is SQL's null. */
    abstract void bind(int index, @Nullable Object value);

    @Override
    public @Nullable ResultSetMetaData getMetaData() throws SQLException {
        return delegate.getMetaData();
    }

    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        return delegate.getParameterMetaData();
    }

    @Override
    public void setAsciiStream(int index, InputStream value, int length) throws SQLException {
        delegate.setAsciiStream(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setAsciiStream(int index, InputStream value, long length) throws SQLException {
        delegate.setAsciiStream(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setAsciiStream(int index, InputStream value) throws SQLException {
        delegate.setAsciiStream(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setBinaryStream(int index, InputStream value, int length) throws SQLException {
        delegate.setBinaryStream(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setBinaryStream(int index, InputStream value, long length) throws SQLException {
        delegate.setBinaryStream(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setBinaryStream(int index, InputStream value) throws SQLException {
        delegate.setBinaryStream(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setBlob(int index, InputStream value, long length) throws SQLException {
        delegate.setBlob(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setBlob(int index, InputStream value) throws SQLException {
        delegate.setBlob(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setBlob(int index, Blob value) throws SQLException {
        delegate.setBlob(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setBoolean(int index, boolean value) throws SQLException {
        delegate.setBoolean(index, value);
        bind(index, value);
    }

    @Override
    public void setByte(int index, byte value) throws SQLException {
        delegate.setByte(index, value);
        bind(index, value);
    }

    @Override
    public void setCharacterStream(int index, Reader value, int length) throws SQLException {
        delegate.setCharacterStream(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setCharacterStream(int index, Reader value, long length) throws SQLException {
        delegate.setCharacterStream(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setCharacterStream(int index, Reader value) throws SQLException {
        delegate.setCharacterStream(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setClob(int index, Reader value, long length) throws SQLException {
        delegate.setClob(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setClob(int index, Reader value) throws SQLException {
        delegate.setClob(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setClob(int index, Clob value) throws SQLException {
        delegate.setClob(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setDouble(int index, double value) throws SQLException {
        delegate.setDouble(index, value);
        bind(index, value);
    }

    @Override
    public void setFloat(int index, float value) throws SQLException {
        delegate.setFloat(index, value);
        bind(index, value);
    }

    @Override
    public void setInt(int index, int value) throws SQLException {
        delegate.setInt(index, value);
        bind(index, value);
    }

    @Override
    public void setLong(int index, long value) throws SQLException {
        delegate.setLong(index, value);
        bind(index, value);
    }

    @Override
    public void setNCharacterStream(int index, Reader value, long length) throws SQLException {
        delegate.setNCharacterStream(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setNCharacterStream(int index, Reader value) throws SQLException {
        delegate.setNCharacterStream(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setNClob(int index, Reader value, long length) throws SQLException {
        delegate.setNClob(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setNClob(int index, Reader value) throws SQLException {
        delegate.setNClob(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setNClob(int index, NClob value) throws SQLException {
        delegate.setNClob(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setNString(int index, String value) throws SQLException {
        delegate.setNString(index, value);
        bind(index, value);
    }

    @Override
    public void setNull(int index, int type, String typeName) throws SQLException {
        delegate.setNull(index, type, typeName);
        bind(index, null);
    }

    @Override
    public void setNull(int index, int type) throws SQLException {
        delegate.setNull(index, type);
        bind(index, null);
    }

    @Override
    public void setRef(int index, Ref value) throws SQLException {
        delegate.setRef(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setRowId(int index, RowId value) throws SQLException {
        delegate.setRowId(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setSQLXML(int index, SQLXML value) throws SQLException {
        delegate.setSQLXML(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setShort(int index, short value) throws SQLException {
        delegate.setShort(index, value);
        bind(index, value);
    }

    @Override
    public void setString(int index, String value) throws SQLException {
        delegate.setString(index, value);
        bind(index, value);
    }

    @Override
    public void setURL(int index, URL value) throws SQLException {
        delegate.setURL(index, value);
        bind(index, Parameters.UNKNOWN);
    }

    @Override
    public void setUnicodeStream(int index, InputStream value, int length) throws SQLException {
        delegate.setUnicodeStream(index, value, length);
        bind(index, Parameters.UNKNOWN);
    }
}
