package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.RowRecorder;
import io.leeway.privoxy.internal.sql.Dialect;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Tells a guard the rows of one result as the application reaches them, unseen by the application: what
 * {@link ResultSet#wasNull()} would have said is remembered until the application itself reads a cell. Faults end the
 * recording and nothing else.
 *
 * <p>A cell that was read to be recorded is not read from the driver again: the application gets the same value. Only
 * of classes that are told apart from nothing else, where the driver's getter and its {@code getObject} agree.
 *
 * <p>Not thread-safe: used under the result's turn.
 */
final class Recorder {

    private static final System.Logger LOG = System.getLogger(Recorder.class.getName());

    private final ResultSet result;
    private final RowRecorder rows;
    private final int[] columns;
    private final @Nullable Object[] cells;
    private final boolean isMariaDb;

    private boolean active = true;
    private boolean sequential = true;
    private boolean disturbed;
    private boolean wasNull;
    /** The cells are those of the row that the application is on. */
    private boolean onRow;
    /** The application is on a row, recorded or not. */
    private boolean positioned;
    /** Made when the first column cannot be read. */
    private boolean @Nullable [] unreadable;

    Recorder(ResultSet result, RowRecorder rows, Dialect dialect) {
        this.result = result;
        this.isMariaDb = dialect == Dialect.MARIADB;
        this.rows = rows;
        this.columns = rows.columns();
        this.cells = new Object[columns.length];
    }

    /** The application is about to go to another row, or to change this one. */
    void leaves() {
        onRow = false;
    }

    /** The application went to the next row, or to the end. */
    void next(boolean toRow) {
        positioned = toRow;
        if (!active) {
            return;
        }
        try {
            if (toRow) {
                // Before the application has the row in hand: from then on it may use what it says.
                active = rows.row(read());
                onRow = true;
            } else {
                active = false;
                if (sequential) {
                    // Only if it went row by row: after a jump nobody knows whether all were seen.
                    rows.exhausted();
                }
            }
            // What is missing in a trace only loses proofs.
        } catch (SQLException | RuntimeException fault) {
            active = false;
            LOG.log(
                    Level.DEBUG,
                    "A result is not recorded to its end: {0}",
                    fault.getClass().getName());
        }
    }

    /**
     * The application went somewhere else: from now on the end of the result is not the end of what was seen.
     *
     * <p>A row is a fact wherever the cursor came from; that there are no more is not known after a jump.
     */
    void jump(boolean toRow) {
        onRow = false;
        sequential = false;
        positioned = toRow;
        if (toRow) {
            next(true);
        }
    }

    /** The application is about to read a cell; beside a row there is none, which changes nothing. */
    void applicationReads() {
        if (positioned) {
            disturbed = false;
        }
    }

    /**
     * The cell that the application is about to read, if it was read for the recording and is a text, a whole number or
     * a point in time; otherwise null, and the driver is to be asked, with {@link #applicationReads} said first.
     *
     * <p>To read a cell twice costs a conversion each time; of the recorded classes the driver's own getter gives the
     * same.
     */
    @Nullable
    Object known(int column) throws SQLException {
        if (!onRow) {
            return null;
        }
        for (int i = 0; i < columns.length; i++) {
            if (columns[i] == column) {
                Object cell = cells[i];
                boolean isPlain = cell instanceof String
                        || cell instanceof Long
                        || cell instanceof Integer
                        || (cell != null && cell.getClass() == Timestamp.class);
                // A result that is closed has to say so.
                if (!isPlain || result.isClosed()) {
                    return null;
                }
                disturbed = true;
                wasNull = false;
                return cell;
            }
        }
        return null;
    }

    /** What the result would say had nothing been recorded. */
    boolean wasNull() throws SQLException {
        return disturbed ? wasNull : result.wasNull();
    }

    private @Nullable Object[] read() throws SQLException {
        if (!disturbed) {
            wasNull = result.wasNull();
            disturbed = true;
        }
        for (int i = 0; i < columns.length; i++) {
            cells[i] = unreadable != null && unreadable[i] ? Parameters.UNKNOWN : cell(i);
        }
        return cells;
    }

    private @Nullable Object cell(int i) {
        try {
            Object value = result.getObject(columns[i]);
            if (isMariaDb && (value == null || value instanceof java.util.Date)) {
                return CellValues.recordedByMariaDb(value, result.getString(columns[i]));
            }
            if (isMariaDb && value instanceof Boolean) {
                // TINYINT(1), which the driver shows as a truth value: the database has a number, also 2. A Short, as
                // none
                // of those that the application gets is.
                return result.getShort(columns[i]);
            }
            return CellValues.recorded(value);
        } catch (SQLException | RuntimeException fault) {
            if (unreadable == null) {
                unreadable = new boolean[columns.length];
            }
            // Not tried again for each row: a cell that cannot be read throws, which is slow.
            unreadable[i] = true;
            return Parameters.UNKNOWN;
        }
    }
}
