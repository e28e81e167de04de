package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.RowRecorder;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A result that tells its rows to the guard as the application reads them. Reading itself goes straight to the real
 * result, or takes what was just read to be told; where nothing is recorded, moving costs one comparison.
 */
final class CheckedResultSet extends ForwardingResultSet {

    private final Turn turn = new Turn();
    private final CheckedConnection connection;
    private final @Nullable CheckedStatement<?> statement;
    private final @Nullable String text;
    private @Nullable Recorder recorder;
    private @Nullable UpdatableRow changes;

    /**
     * Wraps a result.
     *
     * @param statement that made it, or null if the driver made it by itself
     * @param text that was sent for it, or null if the driver made it by itself
     * @param rows where its rows are told, or null
     */
    CheckedResultSet(
            CheckedConnection connection,
            @Nullable CheckedStatement<?> statement,
            ResultSet delegate,
            @Nullable String text,
            @Nullable RowRecorder rows) {
        super(delegate);
        this.connection = connection;
        this.text = text;
        this.statement = statement;
        this.recorder = rows == null
                ? null
                : new Recorder(delegate, rows, connection.session().target().dialect());
    }

    /** Under the turn: two threads that read one result would record a row that neither has seen. */
    @Override
    public boolean next() throws SQLException {
        return turn.alone(this::toNext);
    }

    private boolean toNext() throws SQLException {
        Recorder recording = recorder;
        if (recording != null) {
            recording.leaves();
        }
        boolean onRow;
        // Before the move, as some drivers drop set values by it and some do not.
        leaveRow();
        try {
            onRow = delegate.next();
        } catch (SQLException error) {
            throw safe(error);
        }
        if (recording != null) {
            recording.next(onRow);
        }
        return onRow;
    }

    @Override
    public boolean previous() throws SQLException {
        return moved(ResultSet::previous);
    }

    @Override
    public boolean first() throws SQLException {
        return moved(ResultSet::first);
    }

    @Override
    public boolean last() throws SQLException {
        return moved(ResultSet::last);
    }

    @Override
    public boolean absolute(int row) throws SQLException {
        return moved(real -> real.absolute(row));
    }

    @Override
    public boolean relative(int rows) throws SQLException {
        return moved(real -> real.relative(rows));
    }

    @Override
    public void beforeFirst() throws SQLException {
        turn.run(() -> {
            leaveRow();
            delegate.beforeFirst();
            moved(false);
        });
    }

    @Override
    public void afterLast() throws SQLException {
        turn.run(() -> {
            leaveRow();
            delegate.afterLast();
            moved(false);
        });
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        turn.run(() -> {
            delegate.setFetchDirection(direction);
            if (direction != FETCH_FORWARD) {
                // The end of the result is then not the end of what was read.
                moved(false);
            }
        });
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        return connection.session().errors().safe(delegate.getWarnings());
    }

    /** The recording has read cells in between, of which the application knows nothing. */
    @Override
    public boolean wasNull() throws SQLException {
        Recorder recording = recorder;
        return recording == null ? delegate.wasNull() : recording.wasNull();
    }

    @Override
    public @Nullable Statement getStatement() throws SQLException {
        Statement real = delegate.getStatement();
        if (statement != null) {
            return statement;
        }
        // The driver made this result by itself; its statement is wrapped all the same.
        return real == null ? null : new CheckedStatement<>(connection, real);
    }

    @Override
    public @Nullable Array getArray(int column) throws SQLException {
        return CheckedArray.of(connection, read().getArray(column));
    }

    @Override
    public @Nullable Array getArray(String column) throws SQLException {
        return CheckedArray.of(connection, read().getArray(column));
    }

    @Override
    public @Nullable Blob getBlob(int column) throws SQLException {
        LargeObjects.checkType(target(), Blob.class);
        return read().getBlob(column);
    }

    @Override
    public @Nullable Blob getBlob(String column) throws SQLException {
        LargeObjects.checkType(target(), Blob.class);
        return read().getBlob(column);
    }

    @Override
    public @Nullable Clob getClob(int column) throws SQLException {
        LargeObjects.checkType(target(), Clob.class);
        return read().getClob(column);
    }

    @Override
    public @Nullable Clob getClob(String column) throws SQLException {
        LargeObjects.checkType(target(), Clob.class);
        return read().getClob(column);
    }

    @Override
    public long getLong(int column) throws SQLException {
        Object known = known(column);
        // Widening loses nothing; all other conversions are left to the driver.
        if (known instanceof Long || known instanceof Integer) {
            return ((Number) known).longValue();
        }
        return read().getLong(column);
    }

    @Override
    public int getInt(int column) throws SQLException {
        if (known(column) instanceof Integer known) {
            return known;
        }
        return read().getInt(column);
    }

    @Override
    public String getString(int column) throws SQLException {
        if (known(column) instanceof String known) {
            return known;
        }
        return read().getString(column);
    }

    @Override
    public Timestamp getTimestamp(int column) throws SQLException {
        if (known(column) instanceof Timestamp known) {
            // The application may change what it gets, and the recorded cell must stay.
            return (Timestamp) known.clone();
        }
        return read().getTimestamp(column);
    }

    @Override
    public @Nullable Object getObject(int column) throws SQLException {
        Object known = known(column);
        if (known != null) {
            return known instanceof Timestamp time ? time.clone() : known;
        }
        return CellValues.leadingBack(connection, read().getObject(column));
    }

    @Override
    public long getLong(String column) throws SQLException {
        return recorder == null ? read().getLong(column) : getLong(delegate.findColumn(column));
    }

    @Override
    public int getInt(String column) throws SQLException {
        return recorder == null ? read().getInt(column) : getInt(delegate.findColumn(column));
    }

    @Override
    public String getString(String column) throws SQLException {
        return recorder == null ? read().getString(column) : getString(delegate.findColumn(column));
    }

    @Override
    public Timestamp getTimestamp(String column) throws SQLException {
        return recorder == null ? read().getTimestamp(column) : getTimestamp(delegate.findColumn(column));
    }

    @Override
    public @Nullable Object getObject(String column) throws SQLException {
        return recorder == null
                ? CellValues.leadingBack(connection, read().getObject(column))
                : getObject(delegate.findColumn(column));
    }

    @Override
    public @Nullable Object getObject(int column, Map<String, Class<?>> map) throws SQLException {
        return CellValues.leadingBack(connection, read().getObject(column, map));
    }

    @Override
    public @Nullable Object getObject(String column, Map<String, Class<?>> map) throws SQLException {
        return CellValues.leadingBack(connection, read().getObject(column, map));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
        LargeObjects.checkType(target(), type);
        return (T) CellValues.leadingBack(connection, read().getObject(column, type));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T getObject(String column, Class<T> type) throws SQLException {
        LargeObjects.checkType(target(), type);
        return (T) CellValues.leadingBack(connection, read().getObject(column, type));
    }

    @Override
    public void moveToInsertRow() throws SQLException {
        turn.run(() -> {
            delegate.moveToInsertRow();
            changes().toInsertRow();
        });
    }

    @Override
    public void moveToCurrentRow() throws SQLException {
        turn.run(() -> {
            delegate.moveToCurrentRow();
            changes().toCurrentRow();
        });
    }

    @Override
    public void insertRow() throws SQLException {
        turn.run(() -> changes().insert(ResultSet::insertRow));
    }

    @Override
    public void updateRow() throws SQLException {
        turn.run(() -> changes().update(ResultSet::updateRow));
    }

    @Override
    public void deleteRow() throws SQLException {
        turn.run(() -> changes().delete(ResultSet::deleteRow));
    }

    /** Asked anew as a query: the row may show more now than it did. */
    @Override
    public void refreshRow() throws SQLException {
        turn.run(() -> changes().refresh(ResultSet::refreshRow));
    }

    @Override
    public void cancelRowUpdates() throws SQLException {
        turn.run(() -> {
            delegate.cancelRowUpdates();
            changes().cancel();
        });
    }

    @Override
    public void updateArray(int column, @Nullable Array value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateArray(column, (Array) CheckedArray.real(value)));
    }

    @Override
    public void updateArray(String column, @Nullable Array value) throws SQLException {
        change(column, Parameters.UNKNOWN, real -> real.updateArray(column, (Array) CheckedArray.real(value)));
    }

    @Override
    public void updateObject(int column, @Nullable Object value) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        change(column, ParameterValues.shown(own), real -> real.updateObject(column, own));
    }

    @Override
    public void updateObject(String column, @Nullable Object value) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        change(column, ParameterValues.shown(own), real -> real.updateObject(column, own));
    }

    @Override
    public void updateObject(int column, @Nullable Object value, int scale) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        change(column, Parameters.UNKNOWN, real -> real.updateObject(column, own, scale));
    }

    @Override
    public void updateObject(String column, @Nullable Object value, int scale) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        change(column, Parameters.UNKNOWN, real -> real.updateObject(column, own, scale));
    }

    @Override
    public void updateObject(int column, @Nullable Object value, SQLType type) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        change(column, Parameters.UNKNOWN, real -> real.updateObject(column, own, type));
    }

    @Override
    public void updateObject(String column, @Nullable Object value, SQLType type) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        change(column, Parameters.UNKNOWN, real -> real.updateObject(column, own, type));
    }

    @Override
    public void updateObject(int column, @Nullable Object value, SQLType type, int scale) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        change(column, Parameters.UNKNOWN, real -> real.updateObject(column, own, type, scale));
    }

    @Override
    public void updateObject(String column, @Nullable Object value, SQLType type, int scale) throws SQLException {
        Object own = ParameterValues.own(CheckedArray.real(value));
        change(column, Parameters.UNKNOWN, real -> real.updateObject(column, own, type, scale));
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return Unwrapping.unwrap(target(), this, delegate, type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return Unwrapping.isWrapperFor(target(), this, delegate, type);
    }

    @Override
    ResultSet read() {
        Recorder recording = recorder;
        if (recording != null) {
            recording.applicationReads();
        }
        return delegate;
    }

    @Override
    void change(int column, @Nullable Object value, Act<ResultSet> real) throws SQLException {
        turn.run(() -> {
            // The driver first: what it refuses is not set.
            real.on(delegate);
            changes().set(column, value);
        });
    }

    @Override
    void change(String column, @Nullable Object value, Act<ResultSet> real) throws SQLException {
        change(delegate.findColumn(column), value, real);
    }

    /** The cell, if the recording has read it already. */
    private @Nullable Object known(int column) throws SQLException {
        Recorder recording = recorder;
        // Once cells may be set the driver's own cells count.
        return recording == null || changes != null ? null : recording.known(column);
    }

    private boolean moved(Call<ResultSet, Boolean> move) throws SQLException {
        return turn.alone(() -> {
            Recorder recording = recorder;
            if (recording != null) {
                recording.leaves();
            }
            leaveRow();
            try {
                return moved(move.on(delegate));
            } catch (SQLException error) {
                throw safe(error);
            }
        });
    }

    /** After a jump the rows are still facts, each by itself; only that they are all is not known any more. */
    private boolean moved(boolean onRow) {
        Recorder recording = recorder;
        if (recording != null) {
            recording.jump(onRow);
        }
        return onRow;
    }

    private void leaveRow() {
        UpdatableRow known = changes;
        if (known != null) {
            known.leave();
        }
    }

    private UpdatableRow changes() {
        UpdatableRow known = changes;
        if (known == null) {
            known = new UpdatableRow(connection.session(), delegate, text);
            changes = known;
        }
        return known;
    }

    private SQLException safe(SQLException error) {
        return connection.session().errors().safe(error);
    }

    private Target target() {
        return connection.session().target();
    }
}
