package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Parameters;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/**
 * Passes reading and changing of cells to the real result. Moving, and what leads away from the row, has no default here.
 */
@SuppressWarnings("deprecation")
abstract class ForwardingResultSet implements ResultSet {

    /** The real one. */
    final ResultSet delegate;

    ForwardingResultSet(ResultSet delegate) {
        this.delegate = delegate;
    }

    /** The real result, from which the application is about to read a cell. */
    abstract ResultSet read();

    /** Changes a cell of the row and notes it. */
    abstract void change(int column, @Nullable Object value, Act<ResultSet> real) throws SQLException;

    /** A cell of the row was changed. */
    abstract void change(String column, @Nullable Object value, Act<ResultSet> real) throws SQLException;

    @Override
    public void clearWarnings() throws SQLException {
        delegate.clearWarnings();
    }

    @Override
    public void close() throws SQLException {
        delegate.close();
    }

    @Override
    public int findColumn(String column) throws SQLException {
        return delegate.findColumn(column);
    }

    @Override
    public InputStream getAsciiStream(String column) throws SQLException {
        return read().getAsciiStream(column);
    }

    @Override
    public InputStream getAsciiStream(int column) throws SQLException {
        return read().getAsciiStream(column);
    }

    @Override
    public BigDecimal getBigDecimal(String column, int scale) throws SQLException {
        return read().getBigDecimal(column, scale);
    }

    @Override
    public BigDecimal getBigDecimal(String column) throws SQLException {
        return read().getBigDecimal(column);
    }

    @Override
    public BigDecimal getBigDecimal(int column, int scale) throws SQLException {
        return read().getBigDecimal(column, scale);
    }

    @Override
    public BigDecimal getBigDecimal(int column) throws SQLException {
        return read().getBigDecimal(column);
    }

    @Override
    public InputStream getBinaryStream(String column) throws SQLException {
        return read().getBinaryStream(column);
    }

    @Override
    public InputStream getBinaryStream(int column) throws SQLException {
        return read().getBinaryStream(column);
    }

    @Override
    public boolean getBoolean(String column) throws SQLException {
        return read().getBoolean(column);
    }

    @Override
    public boolean getBoolean(int column) throws SQLException {
        return read().getBoolean(column);
    }

    @Override
    public byte getByte(String column) throws SQLException {
        return read().getByte(column);
    }

    @Override
    public byte getByte(int column) throws SQLException {
        return read().getByte(column);
    }

    @Override
    public byte[] getBytes(String column) throws SQLException {
        return read().getBytes(column);
    }

    @Override
    public byte[] getBytes(int column) throws SQLException {
        return read().getBytes(column);
    }

    @Override
    public Reader getCharacterStream(String column) throws SQLException {
        return read().getCharacterStream(column);
    }

    @Override
    public Reader getCharacterStream(int column) throws SQLException {
        return read().getCharacterStream(column);
    }

    @Override
    public int getConcurrency() throws SQLException {
        return delegate.getConcurrency();
    }

    @Override
    public String getCursorName() throws SQLException {
        return delegate.getCursorName();
    }

    @Override
    public Date getDate(String column, Calendar calendar) throws SQLException {
        return read().getDate(column, calendar);
    }

    @Override
    public Date getDate(String column) throws SQLException {
        return read().getDate(column);
    }

    @Override
    public Date getDate(int column, Calendar calendar) throws SQLException {
        return read().getDate(column, calendar);
    }

    @Override
    public Date getDate(int column) throws SQLException {
        return read().getDate(column);
    }

    @Override
    public double getDouble(String column) throws SQLException {
        return read().getDouble(column);
    }

    @Override
    public double getDouble(int column) throws SQLException {
        return read().getDouble(column);
    }

    @Override
    public int getFetchDirection() throws SQLException {
        return delegate.getFetchDirection();
    }

    @Override
    public int getFetchSize() throws SQLException {
        return delegate.getFetchSize();
    }

    @Override
    public float getFloat(String column) throws SQLException {
        return read().getFloat(column);
    }

    @Override
    public float getFloat(int column) throws SQLException {
        return read().getFloat(column);
    }

    @Override
    public int getHoldability() throws SQLException {
        return delegate.getHoldability();
    }

    @Override
    public int getInt(String column) throws SQLException {
        return read().getInt(column);
    }

    @Override
    public int getInt(int column) throws SQLException {
        return read().getInt(column);
    }

    @Override
    public long getLong(String column) throws SQLException {
        return read().getLong(column);
    }

    @Override
    public long getLong(int column) throws SQLException {
        return read().getLong(column);
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        return delegate.getMetaData();
    }

    @Override
    public Reader getNCharacterStream(String column) throws SQLException {
        return read().getNCharacterStream(column);
    }

    @Override
    public Reader getNCharacterStream(int column) throws SQLException {
        return read().getNCharacterStream(column);
    }

    @Override
    public NClob getNClob(String column) throws SQLException {
        return read().getNClob(column);
    }

    @Override
    public NClob getNClob(int column) throws SQLException {
        return read().getNClob(column);
    }

    @Override
    public String getNString(String column) throws SQLException {
        return read().getNString(column);
    }

    @Override
    public String getNString(int column) throws SQLException {
        return read().getNString(column);
    }

    @Override
    public Ref getRef(String column) throws SQLException {
        return read().getRef(column);
    }

    @Override
    public Ref getRef(int column) throws SQLException {
        return read().getRef(column);
    }

    @Override
    public int getRow() throws SQLException {
        return delegate.getRow();
    }

    @Override
    public RowId getRowId(String column) throws SQLException {
        return read().getRowId(column);
    }

    @Override
    public RowId getRowId(int column) throws SQLException {
        return read().getRowId(column);
    }

    @Override
    public SQLXML getSQLXML(String column) throws SQLException {
        return read().getSQLXML(column);
    }

    @Override
    public SQLXML getSQLXML(int column) throws SQLException {
        return read().getSQLXML(column);
    }

    @Override
    public short getShort(String column) throws SQLException {
        return read().getShort(column);
    }

    @Override
    public short getShort(int column) throws SQLException {
        return read().getShort(column);
    }

    @Override
    public String getString(String column) throws SQLException {
        return read().getString(column);
    }

    @Override
    public String getString(int column) throws SQLException {
        return read().getString(column);
    }

    @Override
    public Time getTime(String column, Calendar calendar) throws SQLException {
        return read().getTime(column, calendar);
    }

    @Override
    public Time getTime(String column) throws SQLException {
        return read().getTime(column);
    }

    @Override
    public Time getTime(int column, Calendar calendar) throws SQLException {
        return read().getTime(column, calendar);
    }

    @Override
    public Time getTime(int column) throws SQLException {
        return read().getTime(column);
    }

    @Override
    public Timestamp getTimestamp(String column, Calendar calendar) throws SQLException {
        return read().getTimestamp(column, calendar);
    }

    @Override
    public Timestamp getTimestamp(String column) throws SQLException {
        return read().getTimestamp(column);
    }

    @Override
    public Timestamp getTimestamp(int column, Calendar calendar) throws SQLException {
        return read().getTimestamp(column, calendar);
    }

    @Override
    public Timestamp getTimestamp(int column) throws SQLException {
        return read().getTimestamp(column);
    }

    @Override
    public int getType() throws SQLException {
        return delegate.getType();
    }

    @Override
    public URL getURL(String column) throws SQLException {
        return read().getURL(column);
    }

    @Override
    public URL getURL(int column) throws SQLException {
        return read().getURL(column);
    }

    @Override
    public InputStream getUnicodeStream(String column) throws SQLException {
        return read().getUnicodeStream(column);
    }

    @Override
    public InputStream getUnicodeStream(int column) throws SQLException {
        return read().getUnicodeStream(column);
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        return delegate.getWarnings();
    }

    @Override
    public boolean isAfterLast() throws SQLException {
        return delegate.isAfterLast();
    }

    @Override
    public boolean isBeforeFirst() throws SQLException {
        return delegate.isBeforeFirst();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return delegate.isClosed();
    }

    @Override
    public boolean isFirst() throws SQLException {
        return delegate.isFirst();
    }

    @Override
    public boolean isLast() throws SQLException {
        return delegate.isLast();
    }

    @Override
    public boolean rowDeleted() throws SQLException {
        return delegate.rowDeleted();
    }

    @Override
    public boolean rowInserted() throws SQLException {
        return delegate.rowInserted();
    }

    @Override
    public boolean rowUpdated() throws SQLException {
        return delegate.rowUpdated();
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        delegate.setFetchSize(rows);
    }

    @Override
    public void updateAsciiStream(String column, InputStream value, int length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateAsciiStream(column, value, length));
    }

    @Override
    public void updateAsciiStream(String column, InputStream value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateAsciiStream(column, value, length));
    }

    @Override
    public void updateAsciiStream(String column, InputStream value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateAsciiStream(column, value));
    }

    @Override
    public void updateAsciiStream(int column, InputStream value, int length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateAsciiStream(column, value, length));
    }

    @Override
    public void updateAsciiStream(int column, InputStream value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateAsciiStream(column, value, length));
    }

    @Override
    public void updateAsciiStream(int column, InputStream value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateAsciiStream(column, value));
    }

    @Override
    public void updateBigDecimal(String column, BigDecimal value) throws SQLException {
        change(column, value, real -> real.updateBigDecimal(column, value));
    }

    @Override
    public void updateBigDecimal(int column, BigDecimal value) throws SQLException {
        change(column, value, real -> real.updateBigDecimal(column, value));
    }

    @Override
    public void updateBinaryStream(String column, InputStream value, int length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBinaryStream(column, value, length));
    }

    @Override
    public void updateBinaryStream(String column, InputStream value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBinaryStream(column, value, length));
    }

    @Override
    public void updateBinaryStream(String column, InputStream value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBinaryStream(column, value));
    }

    @Override
    public void updateBinaryStream(int column, InputStream value, int length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBinaryStream(column, value, length));
    }

    @Override
    public void updateBinaryStream(int column, InputStream value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBinaryStream(column, value, length));
    }

    @Override
    public void updateBinaryStream(int column, InputStream value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBinaryStream(column, value));
    }

    @Override
    public void updateBlob(String column, InputStream value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBlob(column, value, length));
    }

    @Override
    public void updateBlob(String column, InputStream value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBlob(column, value));
    }

    @Override
    public void updateBlob(String column, Blob value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBlob(column, value));
    }

    @Override
    public void updateBlob(int column, InputStream value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBlob(column, value, length));
    }

    @Override
    public void updateBlob(int column, InputStream value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBlob(column, value));
    }

    @Override
    public void updateBlob(int column, Blob value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBlob(column, value));
    }

    @Override
    public void updateBoolean(String column, boolean value) throws SQLException {
        change(column, value, real -> real.updateBoolean(column, value));
    }

    @Override
    public void updateBoolean(int column, boolean value) throws SQLException {
        change(column, value, real -> real.updateBoolean(column, value));
    }

    @Override
    public void updateByte(String column, byte value) throws SQLException {
        change(column, value, real -> real.updateByte(column, value));
    }

    @Override
    public void updateByte(int column, byte value) throws SQLException {
        change(column, value, real -> real.updateByte(column, value));
    }

    @Override
    public void updateBytes(String column, byte[] value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBytes(column, value));
    }

    @Override
    public void updateBytes(int column, byte[] value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateBytes(column, value));
    }

    @Override
    public void updateCharacterStream(String column, Reader value, int length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateCharacterStream(column, value, length));
    }

    @Override
    public void updateCharacterStream(String column, Reader value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateCharacterStream(column, value, length));
    }

    @Override
    public void updateCharacterStream(String column, Reader value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateCharacterStream(column, value));
    }

    @Override
    public void updateCharacterStream(int column, Reader value, int length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateCharacterStream(column, value, length));
    }

    @Override
    public void updateCharacterStream(int column, Reader value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateCharacterStream(column, value, length));
    }

    @Override
    public void updateCharacterStream(int column, Reader value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateCharacterStream(column, value));
    }

    @Override
    public void updateClob(String column, Reader value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateClob(column, value, length));
    }

    @Override
    public void updateClob(String column, Reader value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateClob(column, value));
    }

    @Override
    public void updateClob(String column, Clob value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateClob(column, value));
    }

    @Override
    public void updateClob(int column, Reader value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateClob(column, value, length));
    }

    @Override
    public void updateClob(int column, Reader value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateClob(column, value));
    }

    @Override
    public void updateClob(int column, Clob value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateClob(column, value));
    }

    @Override
    public void updateDate(String column, Date value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateDate(column, value));
    }

    @Override
    public void updateDate(int column, Date value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateDate(column, value));
    }

    @Override
    public void updateDouble(String column, double value) throws SQLException {
        change(column, value, real -> real.updateDouble(column, value));
    }

    @Override
    public void updateDouble(int column, double value) throws SQLException {
        change(column, value, real -> real.updateDouble(column, value));
    }

    @Override
    public void updateFloat(String column, float value) throws SQLException {
        change(column, value, real -> real.updateFloat(column, value));
    }

    @Override
    public void updateFloat(int column, float value) throws SQLException {
        change(column, value, real -> real.updateFloat(column, value));
    }

    @Override
    public void updateInt(String column, int value) throws SQLException {
        change(column, value, real -> real.updateInt(column, value));
    }

    @Override
    public void updateInt(int column, int value) throws SQLException {
        change(column, value, real -> real.updateInt(column, value));
    }

    @Override
    public void updateLong(String column, long value) throws SQLException {
        change(column, value, real -> real.updateLong(column, value));
    }

    @Override
    public void updateLong(int column, long value) throws SQLException {
        change(column, value, real -> real.updateLong(column, value));
    }

    @Override
    public void updateNCharacterStream(String column, Reader value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNCharacterStream(column, value, length));
    }

    @Override
    public void updateNCharacterStream(String column, Reader value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNCharacterStream(column, value));
    }

    @Override
    public void updateNCharacterStream(int column, Reader value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNCharacterStream(column, value, length));
    }

    @Override
    public void updateNCharacterStream(int column, Reader value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNCharacterStream(column, value));
    }

    @Override
    public void updateNClob(String column, Reader value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNClob(column, value, length));
    }

    @Override
    public void updateNClob(String column, Reader value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNClob(column, value));
    }

    @Override
    public void updateNClob(String column, NClob value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNClob(column, value));
    }

    @Override
    public void updateNClob(int column, Reader value, long length) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNClob(column, value, length));
    }

    @Override
    public void updateNClob(int column, Reader value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNClob(column, value));
    }

    @Override
    public void updateNClob(int column, NClob value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateNClob(column, value));
    }

    @Override
    public void updateNString(String column, String value) throws SQLException {
        change(column, value, real -> real.updateNString(column, value));
    }

    @Override
    public void updateNString(int column, String value) throws SQLException {
        change(column, value, real -> real.updateNString(column, value));
    }

    @Override
    public void updateNull(String column) throws SQLException {
        change(column, null, real -> real.updateNull(column));
    }

    @Override
    public void updateNull(int column) throws SQLException {
        change(column, null, real -> real.updateNull(column));
    }

    @Override
    public void updateRef(String column, Ref value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateRef(column, value));
    }

    @Override
    public void updateRef(int column, Ref value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateRef(column, value));
    }

    @Override
    public void updateRowId(String column, RowId value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateRowId(column, value));
    }

    @Override
    public void updateRowId(int column, RowId value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateRowId(column, value));
    }

    @Override
    public void updateSQLXML(String column, SQLXML value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateSQLXML(column, value));
    }

    @Override
    public void updateSQLXML(int column, SQLXML value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateSQLXML(column, value));
    }

    @Override
    public void updateShort(String column, short value) throws SQLException {
        change(column, value, real -> real.updateShort(column, value));
    }

    @Override
    public void updateShort(int column, short value) throws SQLException {
        change(column, value, real -> real.updateShort(column, value));
    }

    @Override
    public void updateString(String column, String value) throws SQLException {
        change(column, value, real -> real.updateString(column, value));
    }

    @Override
    public void updateString(int column, String value) throws SQLException {
        change(column, value, real -> real.updateString(column, value));
    }

    @Override
    public void updateTime(String column, Time value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateTime(column, value));
    }

    @Override
    public void updateTime(int column, Time value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateTime(column, value));
    }

    @Override
    public void updateTimestamp(String column, Timestamp value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateTimestamp(column, value));
    }

    @Override
    public void updateTimestamp(int column, Timestamp value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateTimestamp(column, value));
    }
}
