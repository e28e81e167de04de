package io.leeway.privoxy.internal.driver;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;

/**
 * Passes named and output parameters to the real statement.
 */
@SuppressWarnings("deprecation")
abstract class ForwardingCallableStatement extends CheckedPreparedStatement<CallableStatement>
        implements CallableStatement {

    ForwardingCallableStatement(CheckedConnection connection, CallableStatement delegate, PreparedText text) {
        super(connection, delegate, text);
    }

    @Override
    public BigDecimal getBigDecimal(String name) throws SQLException {
        return delegate.getBigDecimal(name);
    }

    @Override
    public BigDecimal getBigDecimal(int index, int scale) throws SQLException {
        return delegate.getBigDecimal(index, scale);
    }

    @Override
    public BigDecimal getBigDecimal(int index) throws SQLException {
        return delegate.getBigDecimal(index);
    }

    @Override
    public boolean getBoolean(String name) throws SQLException {
        return delegate.getBoolean(name);
    }

    @Override
    public boolean getBoolean(int index) throws SQLException {
        return delegate.getBoolean(index);
    }

    @Override
    public byte getByte(String name) throws SQLException {
        return delegate.getByte(name);
    }

    @Override
    public byte getByte(int index) throws SQLException {
        return delegate.getByte(index);
    }

    @Override
    public byte[] getBytes(String name) throws SQLException {
        return delegate.getBytes(name);
    }

    @Override
    public byte[] getBytes(int index) throws SQLException {
        return delegate.getBytes(index);
    }

    @Override
    public Reader getCharacterStream(String name) throws SQLException {
        return delegate.getCharacterStream(name);
    }

    @Override
    public Reader getCharacterStream(int index) throws SQLException {
        return delegate.getCharacterStream(index);
    }

    @Override
    public Date getDate(String name, Calendar calendar) throws SQLException {
        return delegate.getDate(name, calendar);
    }

    @Override
    public Date getDate(String name) throws SQLException {
        return delegate.getDate(name);
    }

    @Override
    public Date getDate(int index, Calendar calendar) throws SQLException {
        return delegate.getDate(index, calendar);
    }

    @Override
    public Date getDate(int index) throws SQLException {
        return delegate.getDate(index);
    }

    @Override
    public double getDouble(String name) throws SQLException {
        return delegate.getDouble(name);
    }

    @Override
    public double getDouble(int index) throws SQLException {
        return delegate.getDouble(index);
    }

    @Override
    public float getFloat(String name) throws SQLException {
        return delegate.getFloat(name);
    }

    @Override
    public float getFloat(int index) throws SQLException {
        return delegate.getFloat(index);
    }

    @Override
    public int getInt(String name) throws SQLException {
        return delegate.getInt(name);
    }

    @Override
    public int getInt(int index) throws SQLException {
        return delegate.getInt(index);
    }

    @Override
    public long getLong(String name) throws SQLException {
        return delegate.getLong(name);
    }

    @Override
    public long getLong(int index) throws SQLException {
        return delegate.getLong(index);
    }

    @Override
    public Reader getNCharacterStream(String name) throws SQLException {
        return delegate.getNCharacterStream(name);
    }

    @Override
    public Reader getNCharacterStream(int index) throws SQLException {
        return delegate.getNCharacterStream(index);
    }

    @Override
    public NClob getNClob(String name) throws SQLException {
        return delegate.getNClob(name);
    }

    @Override
    public NClob getNClob(int index) throws SQLException {
        return delegate.getNClob(index);
    }

    @Override
    public String getNString(String name) throws SQLException {
        return delegate.getNString(name);
    }

    @Override
    public String getNString(int index) throws SQLException {
        return delegate.getNString(index);
    }

    @Override
    public Ref getRef(String name) throws SQLException {
        return delegate.getRef(name);
    }

    @Override
    public Ref getRef(int index) throws SQLException {
        return delegate.getRef(index);
    }

    @Override
    public RowId getRowId(String name) throws SQLException {
        return delegate.getRowId(name);
    }

    @Override
    public RowId getRowId(int index) throws SQLException {
        return delegate.getRowId(index);
    }

    @Override
    public SQLXML getSQLXML(String name) throws SQLException {
        return delegate.getSQLXML(name);
    }

    @Override
    public SQLXML getSQLXML(int index) throws SQLException {
        return delegate.getSQLXML(index);
    }

    @Override
    public short getShort(String name) throws SQLException {
        return delegate.getShort(name);
    }

    @Override
    public short getShort(int index) throws SQLException {
        return delegate.getShort(index);
    }

    @Override
    public String getString(String name) throws SQLException {
        return delegate.getString(name);
    }

    @Override
    public String getString(int index) throws SQLException {
        return delegate.getString(index);
    }

    @Override
    public Time getTime(String name, Calendar calendar) throws SQLException {
        return delegate.getTime(name, calendar);
    }

    @Override
    public Time getTime(String name) throws SQLException {
        return delegate.getTime(name);
    }

    @Override
    public Time getTime(int index, Calendar calendar) throws SQLException {
        return delegate.getTime(index, calendar);
    }

    @Override
    public Time getTime(int index) throws SQLException {
        return delegate.getTime(index);
    }

    @Override
    public Timestamp getTimestamp(String name, Calendar calendar) throws SQLException {
        return delegate.getTimestamp(name, calendar);
    }

    @Override
    public Timestamp getTimestamp(String name) throws SQLException {
        return delegate.getTimestamp(name);
    }

    @Override
    public Timestamp getTimestamp(int index, Calendar calendar) throws SQLException {
        return delegate.getTimestamp(index, calendar);
    }

    @Override
    public Timestamp getTimestamp(int index) throws SQLException {
        return delegate.getTimestamp(index);
    }

    @Override
    public URL getURL(String name) throws SQLException {
        return delegate.getURL(name);
    }

    @Override
    public URL getURL(int index) throws SQLException {
        return delegate.getURL(index);
    }

    @Override
    public void registerOutParameter(String name, int type, String typeName) throws SQLException {
        delegate.registerOutParameter(name, type, typeName);
    }

    @Override
    public void registerOutParameter(String name, int type, int scale) throws SQLException {
        delegate.registerOutParameter(name, type, scale);
    }

    @Override
    public void registerOutParameter(String name, int type) throws SQLException {
        delegate.registerOutParameter(name, type);
    }

    @Override
    public void registerOutParameter(String name, SQLType type, String typeName) throws SQLException {
        delegate.registerOutParameter(name, type, typeName);
    }

    @Override
    public void registerOutParameter(String name, SQLType type, int scale) throws SQLException {
        delegate.registerOutParameter(name, type, scale);
    }

    @Override
    public void registerOutParameter(String name, SQLType type) throws SQLException {
        delegate.registerOutParameter(name, type);
    }

    @Override
    public void registerOutParameter(int index, int type, String typeName) throws SQLException {
        delegate.registerOutParameter(index, type, typeName);
    }

    @Override
    public void registerOutParameter(int index, int type, int scale) throws SQLException {
        delegate.registerOutParameter(index, type, scale);
    }

    @Override
    public void registerOutParameter(int index, int type) throws SQLException {
        delegate.registerOutParameter(index, type);
    }

    @Override
    public void registerOutParameter(int index, SQLType type, String typeName) throws SQLException {
        delegate.registerOutParameter(index, type, typeName);
    }

    @Override
    public void registerOutParameter(int index, SQLType type, int scale) throws SQLException {
        delegate.registerOutParameter(index, type, scale);
    }

    @Override
    public void registerOutParameter(int index, SQLType type) throws SQLException {
        delegate.registerOutParameter(index, type);
    }

    @Override
    public void setAsciiStream(String name, InputStream value, int length) throws SQLException {
        bindByName(real -> real.setAsciiStream(name, value, length));
    }

    @Override
    public void setAsciiStream(String name, InputStream value, long length) throws SQLException {
        bindByName(real -> real.setAsciiStream(name, value, length));
    }

    @Override
    public void setAsciiStream(String name, InputStream value) throws SQLException {
        bindByName(real -> real.setAsciiStream(name, value));
    }

    @Override
    public void setBigDecimal(String name, BigDecimal value) throws SQLException {
        bindByName(real -> real.setBigDecimal(name, value));
    }

    @Override
    public void setBinaryStream(String name, InputStream value, int length) throws SQLException {
        bindByName(real -> real.setBinaryStream(name, value, length));
    }

    @Override
    public void setBinaryStream(String name, InputStream value, long length) throws SQLException {
        bindByName(real -> real.setBinaryStream(name, value, length));
    }

    @Override
    public void setBinaryStream(String name, InputStream value) throws SQLException {
        bindByName(real -> real.setBinaryStream(name, value));
    }

    @Override
    public void setBlob(String name, InputStream value, long length) throws SQLException {
        bindByName(real -> real.setBlob(name, value, length));
    }

    @Override
    public void setBlob(String name, InputStream value) throws SQLException {
        bindByName(real -> real.setBlob(name, value));
    }

    @Override
    public void setBlob(String name, Blob value) throws SQLException {
        bindByName(real -> real.setBlob(name, value));
    }

    @Override
    public void setBoolean(String name, boolean value) throws SQLException {
        bindByName(real -> real.setBoolean(name, value));
    }

    @Override
    public void setByte(String name, byte value) throws SQLException {
        bindByName(real -> real.setByte(name, value));
    }

    @Override
    public void setBytes(String name, byte[] value) throws SQLException {
        bindByName(real -> real.setBytes(name, value));
    }

    @Override
    public void setCharacterStream(String name, Reader value, int length) throws SQLException {
        bindByName(real -> real.setCharacterStream(name, value, length));
    }

    @Override
    public void setCharacterStream(String name, Reader value, long length) throws SQLException {
        bindByName(real -> real.setCharacterStream(name, value, length));
    }

    @Override
    public void setCharacterStream(String name, Reader value) throws SQLException {
        bindByName(real -> real.setCharacterStream(name, value));
    }

    @Override
    public void setClob(String name, Reader value, long length) throws SQLException {
        bindByName(real -> real.setClob(name, value, length));
    }

    @Override
    public void setClob(String name, Reader value) throws SQLException {
        bindByName(real -> real.setClob(name, value));
    }

    @Override
    public void setClob(String name, Clob value) throws SQLException {
        bindByName(real -> real.setClob(name, value));
    }

    @Override
    public void setDate(String name, Date value, Calendar calendar) throws SQLException {
        bindByName(real -> real.setDate(name, value, calendar));
    }

    @Override
    public void setDate(String name, Date value) throws SQLException {
        bindByName(real -> real.setDate(name, value));
    }

    @Override
    public void setDouble(String name, double value) throws SQLException {
        bindByName(real -> real.setDouble(name, value));
    }

    @Override
    public void setFloat(String name, float value) throws SQLException {
        bindByName(real -> real.setFloat(name, value));
    }

    @Override
    public void setInt(String name, int value) throws SQLException {
        bindByName(real -> real.setInt(name, value));
    }

    @Override
    public void setLong(String name, long value) throws SQLException {
        bindByName(real -> real.setLong(name, value));
    }

    @Override
    public void setNCharacterStream(String name, Reader value, long length) throws SQLException {
        bindByName(real -> real.setNCharacterStream(name, value, length));
    }

    @Override
    public void setNCharacterStream(String name, Reader value) throws SQLException {
        bindByName(real -> real.setNCharacterStream(name, value));
    }

    @Override
    public void setNClob(String name, Reader value, long length) throws SQLException {
        bindByName(real -> real.setNClob(name, value, length));
    }

    @Override
    public void setNClob(String name, Reader value) throws SQLException {
        bindByName(real -> real.setNClob(name, value));
    }

    @Override
    public void setNClob(String name, NClob value) throws SQLException {
        bindByName(real -> real.setNClob(name, value));
    }

    @Override
    public void setNString(String name, String value) throws SQLException {
        bindByName(real -> real.setNString(name, value));
    }

    @Override
    public void setNull(String name, int type, String typeName) throws SQLException {
        bindByName(real -> real.setNull(name, type, typeName));
    }

    @Override
    public void setNull(String name, int type) throws SQLException {
        bindByName(real -> real.setNull(name, type));
    }

    @Override
    public void setRowId(String name, RowId value) throws SQLException {
        bindByName(real -> real.setRowId(name, value));
    }

    @Override
    public void setSQLXML(String name, SQLXML value) throws SQLException {
        bindByName(real -> real.setSQLXML(name, value));
    }

    @Override
    public void setShort(String name, short value) throws SQLException {
        bindByName(real -> real.setShort(name, value));
    }

    @Override
    public void setString(String name, String value) throws SQLException {
        bindByName(real -> real.setString(name, value));
    }

    @Override
    public void setTime(String name, Time value, Calendar calendar) throws SQLException {
        bindByName(real -> real.setTime(name, value, calendar));
    }

    @Override
    public void setTime(String name, Time value) throws SQLException {
        bindByName(real -> real.setTime(name, value));
    }

    @Override
    public void setTimestamp(String name, Timestamp value, Calendar calendar) throws SQLException {
        bindByName(real -> real.setTimestamp(name, value, calendar));
    }

    @Override
    public void setTimestamp(String name, Timestamp value) throws SQLException {
        bindByName(real -> real.setTimestamp(name, value));
    }

    @Override
    public void setURL(String name, URL value) throws SQLException {
        bindByName(real -> real.setURL(name, value));
    }

    @Override
    public boolean wasNull() throws SQLException {
        return delegate.wasNull();
    }
}
