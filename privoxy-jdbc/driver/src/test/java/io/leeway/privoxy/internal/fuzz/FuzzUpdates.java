package io.leeway.privoxy.internal.fuzz;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.List;

/** What an updatable result does to the row that it stands on, or to one that is new. */
@SuppressWarnings("JavaUtilDate") // Applications use them.
final class FuzzUpdates {

    /** How many ways there are. */
    static final int WAYS = 8;

    private static final String OWN = "own";
    private static final int FIRST_FREE = 3;
    private static final int FREE = 5;

    private static final List<Setter> SETTERS = List.of(
            (rows, at) -> rows.updateString(at, OWN),
            (rows, at) -> rows.updateNString(at, OWN),
            (rows, at) -> rows.updateObject(at, OWN),
            (rows, at) -> rows.updateObject(at, OWN, JDBCType.VARCHAR),
            (rows, at) -> rows.updateObject(at, OWN, JDBCType.VARCHAR, 0),
            (rows, at) -> rows.updateObject(at, OWN, 0),
            (rows, at) -> rows.updateObject(at, null),
            (rows, at) -> rows.updateNull(at),
            (rows, at) -> rows.updateBoolean(at, true),
            (rows, at) -> rows.updateByte(at, (byte) 2),
            (rows, at) -> rows.updateShort(at, (short) 2),
            (rows, at) -> rows.updateInt(at, 2),
            (rows, at) -> rows.updateLong(at, 2),
            (rows, at) -> rows.updateFloat(at, 2),
            (rows, at) -> rows.updateDouble(at, 2),
            (rows, at) -> rows.updateBigDecimal(at, BigDecimal.TEN),
            (rows, at) -> rows.updateBytes(at, bytes()),
            (rows, at) -> rows.updateDate(at, new Date(0)),
            (rows, at) -> rows.updateTime(at, new Time(0)),
            (rows, at) -> rows.updateTimestamp(at, new Timestamp(0)),
            (rows, at) -> rows.updateAsciiStream(at, new ByteArrayInputStream(bytes())),
            (rows, at) -> rows.updateBinaryStream(at, new ByteArrayInputStream(bytes()), 2),
            (rows, at) -> rows.updateCharacterStream(at, new StringReader(OWN)),
            (rows, at) -> rows.updateCharacterStream(at, new StringReader(OWN), 2),
            (rows, at) -> rows.updateNCharacterStream(at, new StringReader(OWN)),
            (rows, at) -> rows.updateClob(at, new StringReader(OWN)),
            (rows, at) -> rows.updateNClob(at, new StringReader(OWN)),
            (rows, at) -> rows.updateBlob(at, new ByteArrayInputStream(bytes())));

    private FuzzUpdates() {}

    /** Changes through a result that stands on a row. */
    static void change(ResultSet rows, int choice) throws SQLException {
        int way = choice / WAYS;
        switch (choice % WAYS) {
            case 0 -> rows.refreshRow();
            case 1 -> {
                set(rows, 2, way);
                rows.updateRow();
            }
            case 2 -> rows.deleteRow();
            case 3 -> {
                rows.updateLong(1, 2);
                rows.refreshRow();
            }
            case 4 -> insert(rows, way);
            case 5 -> {
                set(rows, 1 + way % 2, way);
                rows.cancelRowUpdates();
                rows.updateString(2, OWN);
                rows.updateRow();
            }
            case 6 -> {
                // What is set for a new row is not to be written to one that is there.
                rows.moveToInsertRow();
                set(rows, 1, way);
                rows.moveToCurrentRow();
                rows.updateRow();
                rows.deleteRow();
            }
            default -> {
                set(rows, 2, way);
                rows.previous();
                rows.next();
                rows.updateRow();
            }
        }
    }

    private static void insert(ResultSet rows, int way) throws SQLException {
        rows.moveToInsertRow();
        int columns = rows.getMetaData().getColumnCount();
        for (int column = 1; column < columns; column++) {
            boolean isText = rows.getMetaData().getColumnType(column) == Types.VARCHAR;
            if (isText) {
                rows.updateString(column, OWN);
            } else {
                rows.updateLong(column, column == 1 ? FIRST_FREE + way % FREE : 1);
            }
        }
        set(rows, columns, way);
        rows.insertRow();
        rows.moveToCurrentRow();
    }

    private static void set(ResultSet rows, int column, int way) throws SQLException {
        SETTERS.get(way % SETTERS.size()).set(rows, column);
    }

    private static byte[] bytes() {
        return OWN.getBytes(StandardCharsets.UTF_8);
    }

    /** A way to change a cell. */
    @FunctionalInterface
    private interface Setter {
        void set(ResultSet rows, int column) throws SQLException;
    }
}
