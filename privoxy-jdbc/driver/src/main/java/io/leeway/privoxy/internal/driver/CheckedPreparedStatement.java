package io.leeway.privoxy.internal.driver;

import java.sql.Array;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement whose text was read when it was prepared and is decided on, with the parameters, each time it
 * runs.
 *
 * @param <S> the real statement's interface
 */
class CheckedPreparedStatement<S extends PreparedStatement> extends ForwardingPreparedStatement<S> {

    private final PreparedText text;
    private final BoundParameters parameters = new BoundParameters();

    CheckedPreparedStatement(CheckedConnection connection, S delegate, PreparedText text) {
        super(connection, delegate);
        this.text = text;
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        return query(text, parameters, PreparedStatement::executeQuery);
    }

    @Override
    public boolean execute() throws SQLException {
        return any(text, parameters, PreparedStatement::execute);
    }

    @Override
    public int executeUpdate() throws SQLException {
        return update(text, parameters, PreparedStatement::executeUpdate, 0);
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        return update(text, parameters, PreparedStatement::executeLargeUpdate, 0L);
    }

    @Override
    public void addBatch() throws SQLException {
        delegate.addBatch();
        batch().add(text, parameters.copy());
    }

    @Override
    public void clearParameters() throws SQLException {
        delegate.clearParameters();
        parameters.clear();
    }

    @Override
    public void setBytes(int index, byte @Nullable [] value) throws SQLException {
        byte[] own = value == null ? null : value.clone();
        delegate.setBytes(index, own);
        bind(index, own);
    }

    @Override
    public void setDate(int index, @Nullable Date value) throws SQLException {
        Date own = (Date) ParameterValues.own(value);
        delegate.setDate(index, own);
        bind(index, own);
    }

    @Override
    public void setDate(int index, @Nullable Date value, @Nullable Calendar calendar) throws SQLException {
        Date own = (Date) ParameterValues.own(value);
        delegate.setDate(index, own, calendar);
        bind(index, ParameterValues.shown(own, calendar));
    }

    @Override
    public void setTime(int index, @Nullable Time value) throws SQLException {
        Time own = (Time) ParameterValues.own(value);
        delegate.setTime(index, own);
        bind(index, own);
    }

    @Override
    public void setTime(int index, @Nullable Time value, @Nullable Calendar calendar) throws SQLException {
        Time own = (Time) ParameterValues.own(value);
        delegate.setTime(index, own, calendar);
        bind(index, ParameterValues.shown(own, calendar));
    }

    @Override
    public void setTimestamp(int index, @Nullable Timestamp value) throws SQLException {
        Timestamp own = (Timestamp) ParameterValues.own(value);
        delegate.setTimestamp(index, own);
        bind(index, own);
    }

    @Override
    public void setTimestamp(int index, @Nullable Timestamp value, @Nullable Calendar calendar) throws SQLException {
        Timestamp own = (Timestamp) ParameterValues.own(value);
        delegate.setTimestamp(index, own, calendar);
        bind(index, ParameterValues.shown(own, calendar));
    }

    @Override
    public void setArray(int index, @Nullable Array value) throws SQLException {
        delegate.setArray(index, (Array) CheckedArray.real(value));
        bind(index, ParameterValues.shown(value));
    }

    @Override
    public void setObject(int index, @Nullable Object value) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        delegate.setObject(index, own);
        bind(index, ParameterValues.shown(own));
    }

    @Override
    public void setObject(int index, @Nullable Object value, int type) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        delegate.setObject(index, own, type);
        bind(index, ParameterValues.shown(own, type));
    }

    @Override
    public void setObject(int index, @Nullable Object value, int type, int scale) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        delegate.setObject(index, own, type, scale);
        bind(index, ParameterValues.shown(own, type));
    }

    @Override
    public void setObject(int index, @Nullable Object value, SQLType type) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        delegate.setObject(index, own, type);
        bind(index, ParameterValues.shown(own, ParameterValues.number(type)));
    }

    @Override
    public void setObject(int index, @Nullable Object value, SQLType type, int scale) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        delegate.setObject(index, own, type, scale);
        bind(index, ParameterValues.shown(own, ParameterValues.number(type)));
    }

    @Override
    final void bind(int index, @Nullable Object value) {
        parameters.set(index, value);
    }

    final void bindByName() {
        parameters.setNamed();
    }
}
