package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.sql.Dialect;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Date;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
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
 * <p>Values are noted under the same turn in which the driver gets them, so that what is checked is what is bound.
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

    /**
     * The text was read before; whether that reading still holds is asked with each run ({@link PreparedText#current}).
     */
    @Override
    public ResultSet executeQuery() throws SQLException {
        return query(() -> text, parameters, (real, sent) -> real.executeQuery());
    }

    @Override
    public boolean execute() throws SQLException {
        return any(() -> text, parameters, (real, sent) -> real.execute());
    }

    @Override
    public int executeUpdate() throws SQLException {
        return update(() -> text, parameters, (real, sent) -> real.executeUpdate(), 0);
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        return update(() -> text, parameters, (real, sent) -> real.executeLargeUpdate(), 0L);
    }

    @Override
    public void addBatch() throws SQLException {
        // A copy of the values as they are now: later ones belong to later items.
        turn().run(() -> batch().add(text, parameters.copy(), delegate::addBatch));
    }

    @Override
    void addAgain(PreparedText again) throws SQLException {
        delegate.addBatch();
    }

    /** The driver may prepare the statement now. */
    @Override
    public @Nullable ResultSetMetaData getMetaData() throws SQLException {
        return session().turn().alone(() -> {
            session().demandCurrent(text);
            return delegate.getMetaData();
        });
    }

    /** The driver may prepare the statement now. */
    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        return session().turn().alone(() -> {
            session().demandCurrent(text);
            return delegate.getParameterMetaData();
        });
    }

    @Override
    public void clearParameters() throws SQLException {
        turn().run(() -> {
            delegate.clearParameters();
            parameters.clear();
        });
    }

    @Override
    public void setNull(int index, int type) throws SQLException {
        bind(index, ParameterValues.ofNull(type, null, dialect()));
    }

    @Override
    public void setNull(int index, int type, @Nullable String typeName) throws SQLException {
        bind(index, ParameterValues.ofNull(type, typeName, dialect()));
    }

    @Override
    public void setBytes(int index, byte @Nullable [] value) throws SQLException {
        // The application may change its array before the statement runs.
        byte[] own = value == null ? null : value.clone();
        bind(index, own, real -> real.setBytes(index, own));
    }

    @Override
    public void setBigDecimal(int index, @Nullable BigDecimal value) throws SQLException {
        BigDecimal own = ParameterValues.own(value);
        bind(index, own, real -> real.setBigDecimal(index, own));
    }

    @Override
    public void setDate(int index, @Nullable Date value) throws SQLException {
        Date own = (Date) ParameterValues.own((Object) value);
        bind(index, own, real -> real.setDate(index, own));
    }

    @Override
    public void setDate(int index, @Nullable Date value, @Nullable Calendar calendar) throws SQLException {
        if (value == null || calendar == null) {
            setDate(index, value);
        } else {
            bind(index, ParameterValues.of(value, calendar, dialect()));
        }
    }

    @Override
    public void setTime(int index, @Nullable Time value) throws SQLException {
        Time own = (Time) ParameterValues.own((Object) value);
        bind(index, own, real -> real.setTime(index, own));
    }

    @Override
    public void setTime(int index, @Nullable Time value, @Nullable Calendar calendar) throws SQLException {
        if (value == null || calendar == null) {
            setTime(index, value);
        } else {
            bind(index, ParameterValues.of(value, calendar, dialect()));
        }
    }

    @Override
    public void setTimestamp(int index, @Nullable Timestamp value) throws SQLException {
        Timestamp own = (Timestamp) ParameterValues.own((Object) value);
        bind(index, own, real -> real.setTimestamp(index, own));
    }

    @Override
    public void setTimestamp(int index, @Nullable Timestamp value, @Nullable Calendar calendar) throws SQLException {
        if (value == null || calendar == null) {
            setTimestamp(index, value);
        } else {
            bind(index, ParameterValues.of(value, calendar, dialect()));
        }
    }

    @Override
    public void setArray(int index, @Nullable Array value) throws SQLException {
        bind(index, ParameterValues.of(value));
    }

    @Override
    public void setObject(int index, @Nullable Object value) throws SQLException {
        bind(index, ParameterValues.of(text(value)));
    }

    @Override
    public void setObject(int index, @Nullable Object value, int type) throws SQLException {
        bind(index, ParameterValues.of(text(value), type, null, dialect()));
    }

    @Override
    public void setObject(int index, @Nullable Object value, int type, int scale) throws SQLException {
        bind(index, ParameterValues.of(text(value), type, scale, dialect()));
    }

    @Override
    public void setObject(int index, @Nullable Object value, SQLType type) throws SQLException {
        bind(index, ParameterValues.of(text(value), type, null, dialect()));
    }

    @Override
    public void setObject(int index, @Nullable Object value, SQLType type, int scale) throws SQLException {
        bind(index, ParameterValues.of(text(value), type, scale, dialect()));
    }

    /** A character is a text of one to us; H2 would make CHAR of it, which it compares without blanks at its end. */
    private static @Nullable Object text(@Nullable Object value) {
        return value instanceof Character ? value.toString() : value;
    }

    /** Sends a value and notes it; a value that the driver refuses is not noted. */
    private void bind(int index, BoundValue value) throws SQLException {
        bind(index, value.shown(), real -> value.sendTo(real, index));
    }

    private Dialect dialect() {
        return session().target().dialect();
    }

    @Override
    final void bind(int index, @Nullable Object value, Act<S> real) throws SQLException {
        turn().run(() -> {
            // The driver first: what it refuses is not bound.
            real.on(delegate);
            parameters.set(index, value);
        });
    }

    /**
     * Sends a value whose place is not known.
     *
     * <p>Which place a name stands for is the driver's knowledge, so nothing is believed of any place.
     */
    final void bindByName(Act<S> real) throws SQLException {
        turn().run(() -> {
            parameters.setNamed();
            real.on(delegate);
        });
    }
}
