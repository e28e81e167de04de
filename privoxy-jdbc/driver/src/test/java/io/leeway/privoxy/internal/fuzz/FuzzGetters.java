package io.leeway.privoxy.internal.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All ways of JDBC to read a cell, as the text of what came. */
@SuppressWarnings({"deprecation", "JavaUtilDate"}) // Old getters are drawn, too.
final class FuzzGetters {

    private static final List<Class<?>> CLASSES = List.of(
            String.class,
            Boolean.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            BigDecimal.class,
            BigInteger.class,
            byte[].class,
            Object.class,
            Object[].class,
            Date.class,
            Time.class,
            Timestamp.class,
            java.util.Date.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetDateTime.class,
            ZonedDateTime.class,
            Instant.class,
            UUID.class,
            InputStream.class,
            Reader.class,
            Clob.class,
            Blob.class,
            SQLXML.class,
            Array.class);

    private static final List<Getter> ALL = all();

    private FuzzGetters() {}

    private static List<Getter> all() {
        var all = new ArrayList<Getter>(List.of(
                (rows, at) -> rows.getObject(at),
                (rows, at) -> rows.getObject(at, Map.of()),
                (rows, at) -> rows.getObject(name(rows, at)),
                (rows, at) -> rows.getString(name(rows, at)),
                (rows, at) -> rows.getNString(at),
                (rows, at) -> rows.getBoolean(at),
                (rows, at) -> rows.getByte(at),
                (rows, at) -> rows.getShort(at),
                (rows, at) -> rows.getInt(at),
                (rows, at) -> rows.getLong(at),
                (rows, at) -> rows.getLong(name(rows, at)),
                (rows, at) -> rows.getFloat(at),
                (rows, at) -> rows.getDouble(at),
                (rows, at) -> rows.getBigDecimal(at),
                (rows, at) -> rows.getBigDecimal(at, 0),
                (rows, at) -> rows.getBytes(at),
                (rows, at) -> rows.getDate(at),
                (rows, at) -> rows.getDate(at, FuzzSetters.calendar("Asia/Tokyo")),
                (rows, at) -> rows.getTime(at),
                (rows, at) -> rows.getTime(at, FuzzSetters.calendar("Asia/Tokyo")),
                (rows, at) -> rows.getTimestamp(at),
                (rows, at) -> rows.getTimestamp(at, FuzzSetters.calendar("Asia/Tokyo")),
                (rows, at) -> rows.getTimestamp(name(rows, at)),
                (rows, at) -> rows.getAsciiStream(at),
                (rows, at) -> rows.getUnicodeStream(at),
                (rows, at) -> rows.getBinaryStream(at),
                (rows, at) -> rows.getCharacterStream(at),
                (rows, at) -> rows.getNCharacterStream(at),
                (rows, at) -> rows.getClob(at),
                (rows, at) -> rows.getNClob(at),
                (rows, at) -> rows.getBlob(at),
                (rows, at) -> rows.getSQLXML(at),
                (rows, at) -> rows.getArray(at),
                (rows, at) -> rows.getURL(at),
                (rows, at) -> rows.getRef(at),
                (rows, at) -> rows.getRowId(at)));
        for (Class<?> type : CLASSES) {
            all.add((rows, at) -> rows.getObject(at, type));
        }
        return List.copyOf(all);
    }

    /** A cell, half of the time by the plainest way, which is also taken if the driver does not have the other for it. */
    static @Nullable String cell(ResultSet rows, int column, int choice) throws SQLException {
        if (choice % 2 == 0) {
            return rows.getString(column);
        }
        try {
            return text(ALL.get((choice / 2 + column) % ALL.size()).get(rows, column));
        } catch (SQLException | IOException | RuntimeException notSo) {
            return rows.getString(column);
        }
    }

    private static @Nullable String text(@Nullable Object read) throws SQLException, IOException {
        if (read instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        if (read instanceof InputStream stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        if (read instanceof Reader reader) {
            var all = new StringWriter();
            reader.transferTo(all);
            return all.toString();
        }
        if (read instanceof Clob clob) {
            return clob.getSubString(1, (int) clob.length());
        }
        if (read instanceof Blob blob) {
            return new String(blob.getBytes(1, (int) blob.length()), StandardCharsets.UTF_8);
        }
        if (read instanceof SQLXML xml) {
            return xml.getString();
        }
        if (read instanceof Array array) {
            return Arrays.deepToString(new Object[] {array.getArray()});
        }
        return read == null ? null : read.toString();
    }

    private static String name(ResultSet rows, int column) throws SQLException {
        return rows.getMetaData().getColumnLabel(column);
    }

    /** A way to read a cell. */
    @FunctionalInterface
    private interface Getter {
        @Nullable
        Object get(ResultSet rows, int column) throws SQLException;
    }
}
