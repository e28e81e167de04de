package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Parameters;
import java.io.InputStream;
import java.io.Reader;
import java.net.URL;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.Ref;
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

    /** Sends a parameter and notes it; null is SQL's null. */
    abstract void bind(int index, @Nullable Object value, Act<S> real) throws SQLException;

    @Override
    public void setAsciiStream(int index, InputStream value, int length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setAsciiStream(index, value, length));
    }

    @Override
    public void setAsciiStream(int index, InputStream value, long length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setAsciiStream(index, value, length));
    }

    @Override
    public void setAsciiStream(int index, InputStream value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setAsciiStream(index, value));
    }

    @Override
    public void setBinaryStream(int index, InputStream value, int length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setBinaryStream(index, value, length));
    }

    @Override
    public void setBinaryStream(int index, InputStream value, long length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setBinaryStream(index, value, length));
    }

    @Override
    public void setBinaryStream(int index, InputStream value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setBinaryStream(index, value));
    }

    @Override
    public void setBlob(int index, InputStream value, long length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setBlob(index, value, length));
    }

    @Override
    public void setBlob(int index, InputStream value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setBlob(index, value));
    }

    @Override
    public void setBlob(int index, Blob value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setBlob(index, value));
    }

    @Override
    public void setBoolean(int index, boolean value) throws SQLException {
        bind(index, value, real -> real.setBoolean(index, value));
    }

    @Override
    public void setByte(int index, byte value) throws SQLException {
        bind(index, value, real -> real.setByte(index, value));
    }

    @Override
    public void setCharacterStream(int index, Reader value, int length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setCharacterStream(index, value, length));
    }

    @Override
    public void setCharacterStream(int index, Reader value, long length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setCharacterStream(index, value, length));
    }

    @Override
    public void setCharacterStream(int index, Reader value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setCharacterStream(index, value));
    }

    @Override
    public void setClob(int index, Reader value, long length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setClob(index, value, length));
    }

    @Override
    public void setClob(int index, Reader value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setClob(index, value));
    }

    @Override
    public void setClob(int index, Clob value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setClob(index, value));
    }

    @Override
    public void setDouble(int index, double value) throws SQLException {
        bind(index, value, real -> real.setDouble(index, value));
    }

    @Override
    public void setFloat(int index, float value) throws SQLException {
        bind(index, value, real -> real.setFloat(index, value));
    }

    @Override
    public void setInt(int index, int value) throws SQLException {
        bind(index, value, real -> real.setInt(index, value));
    }

    @Override
    public void setLong(int index, long value) throws SQLException {
        bind(index, value, real -> real.setLong(index, value));
    }

    @Override
    public void setNCharacterStream(int index, Reader value, long length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setNCharacterStream(index, value, length));
    }

    @Override
    public void setNCharacterStream(int index, Reader value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setNCharacterStream(index, value));
    }

    @Override
    public void setNClob(int index, Reader value, long length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setNClob(index, value, length));
    }

    @Override
    public void setNClob(int index, Reader value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setNClob(index, value));
    }

    @Override
    public void setNClob(int index, NClob value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setNClob(index, value));
    }

    @Override
    public void setNString(int index, String value) throws SQLException {
        bind(index, value, real -> real.setNString(index, value));
    }

    @Override
    public void setNull(int index, int type, String typeName) throws SQLException {
        bind(index, null, real -> real.setNull(index, type, typeName));
    }

    @Override
    public void setNull(int index, int type) throws SQLException {
        bind(index, null, real -> real.setNull(index, type));
    }

    @Override
    public void setRef(int index, Ref value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setRef(index, value));
    }

    @Override
    public void setRowId(int index, RowId value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setRowId(index, value));
    }

    @Override
    public void setSQLXML(int index, SQLXML value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setSQLXML(index, value));
    }

    @Override
    public void setShort(int index, short value) throws SQLException {
        bind(index, value, real -> real.setShort(index, value));
    }

    @Override
    public void setString(int index, String value) throws SQLException {
        bind(index, value, real -> real.setString(index, value));
    }

    @Override
    public void setURL(int index, URL value) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setURL(index, value));
    }

    @Override
    public void setUnicodeStream(int index, InputStream value, int length) throws SQLException {
        bind(index, Parameters.UNKNOWN, real -> real.setUnicodeStream(index, value, length));
    }
}
