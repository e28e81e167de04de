package io.leeway.privoxy.internal.fuzz;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.TimeZone;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** All ways of JDBC to bind a value, and to bind none. What does not take it fails, as it would for an application. */
@SuppressWarnings({"deprecation", "JavaUtilDate", "NullAway"}) // Old setters are drawn, too, and null is what is bound.
final class FuzzSetters {

    /** The number of {@code setObject} without a type. */
    static final int OBJECT = 1;

    private static final String ZONE = "Asia/Tokyo";

    private static final List<Setter> PLAIN = List.of(
            (to, at, value) -> to.setString(at, text(value)),
            (to, at, value) -> to.setObject(at, value),
            (to, at, value) -> to.setNString(at, text(value)),
            (to, at, value) -> to.setBoolean(at, !text(value).equals("false")),
            (to, at, value) -> to.setByte(at, number(value).byteValue()),
            (to, at, value) -> to.setShort(at, number(value).shortValue()),
            (to, at, value) -> to.setInt(at, number(value).intValue()),
            (to, at, value) -> to.setLong(at, number(value).longValue()),
            (to, at, value) -> to.setFloat(at, number(value).floatValue()),
            (to, at, value) -> to.setDouble(at, number(value).doubleValue()),
            (to, at, value) -> to.setBigDecimal(at, new BigDecimal(text(value))),
            (to, at, value) -> to.setBytes(at, bytes(value)),
            (to, at, value) -> to.setDate(at, date(value)),
            (to, at, value) -> to.setDate(at, date(value), calendar("UTC")),
            (to, at, value) -> to.setDate(at, date(value), calendar(ZONE)),
            (to, at, value) -> to.setTime(at, time(value)),
            (to, at, value) -> to.setTime(at, time(value), calendar(ZONE)),
            (to, at, value) -> to.setTimestamp(at, stamp(value)),
            (to, at, value) -> to.setTimestamp(at, stamp(value), calendar("UTC")),
            (to, at, value) -> to.setTimestamp(at, stamp(value), calendar(ZONE)),
            (to, at, value) -> to.setTimestamp(at, stamp(value), calendar("America/New_York")),
            (to, at, value) -> to.setAsciiStream(at, stream(value)),
            (to, at, value) -> to.setAsciiStream(at, stream(value), 1),
            (to, at, value) -> to.setAsciiStream(at, stream(value), 1L),
            (to, at, value) -> to.setUnicodeStream(at, stream(value), 1),
            (to, at, value) -> to.setBinaryStream(at, stream(value)),
            (to, at, value) -> to.setBinaryStream(at, stream(value), 1),
            (to, at, value) -> to.setBinaryStream(at, stream(value), 1L),
            (to, at, value) -> to.setCharacterStream(at, reader(value)),
            (to, at, value) -> to.setCharacterStream(at, reader(value), 1),
            (to, at, value) -> to.setCharacterStream(at, reader(value), 1L),
            (to, at, value) -> to.setNCharacterStream(at, reader(value)),
            (to, at, value) -> to.setNCharacterStream(at, reader(value), 1L),
            (to, at, value) -> to.setClob(at, clob(to, value)),
            (to, at, value) -> to.setClob(at, reader(value)),
            (to, at, value) -> to.setClob(at, reader(value), 1L),
            (to, at, value) -> to.setNClob(at, nclob(to, value)),
            (to, at, value) -> to.setNClob(at, reader(value)),
            (to, at, value) -> to.setNClob(at, reader(value), 1L),
            (to, at, value) -> to.setBlob(at, blob(to, value)),
            (to, at, value) -> to.setBlob(at, stream(value)),
            (to, at, value) -> to.setBlob(at, stream(value), 1L),
            (to, at, value) -> to.setSQLXML(at, xml(to, value)),
            (to, at, value) ->
                    to.setArray(at, to.getConnection().createArrayOf("BIGINT", new Object[] {number(value)})),
            (to, at, value) -> to.setArray(at, to.getConnection().createArrayOf("VARCHAR", new Object[] {text(value)})),
            (to, at, value) -> to.setObject(at, new Object[] {value}),
            (to, at, value) -> to.setObject(at, new long[] {number(value).longValue()}),
            (to, at, value) -> to.setObject(at, clob(to, value)),
            (to, at, value) -> to.setObject(at, reader(value)),
            (to, at, value) -> to.setObject(at, stream(value)),
            (to, at, value) -> to.setObject(at, stamp(value).toLocalDateTime()),
            (to, at, value) -> to.setObject(
                    at,
                    stamp(value).toInstant().atZone(calendar(ZONE).getTimeZone().toZoneId())),
            (to, at, value) -> to.setObject(at, stamp(value).toInstant().atOffset(java.time.ZoneOffset.ofHours(9))),
            (to, at, value) -> to.setObject(at, stamp(value).toInstant()),
            (to, at, value) -> to.setObject(at, date(value).toLocalDate()),
            (to, at, value) -> to.setURL(at, url(value)));

    private static final List<Setter> NULLS = List.of(
            (to, at, value) -> to.setObject(at, null),
            (to, at, value) -> to.setString(at, null),
            (to, at, value) -> to.setNString(at, null),
            (to, at, value) -> to.setBigDecimal(at, null),
            (to, at, value) -> to.setBytes(at, null),
            (to, at, value) -> to.setDate(at, null),
            (to, at, value) -> to.setDate(at, null, calendar(ZONE)),
            (to, at, value) -> to.setTime(at, null),
            (to, at, value) -> to.setTime(at, null, calendar(ZONE)),
            (to, at, value) -> to.setTimestamp(at, null),
            (to, at, value) -> to.setTimestamp(at, null, calendar(ZONE)),
            (to, at, value) -> to.setTimestamp(at, stamp(value), null),
            (to, at, value) -> to.setAsciiStream(at, null),
            (to, at, value) -> to.setAsciiStream(at, null, 0),
            (to, at, value) -> to.setBinaryStream(at, null),
            (to, at, value) -> to.setBinaryStream(at, null, 0),
            (to, at, value) -> to.setCharacterStream(at, null),
            (to, at, value) -> to.setCharacterStream(at, null, 0),
            (to, at, value) -> to.setNCharacterStream(at, null),
            (to, at, value) -> to.setClob(at, (Clob) null),
            (to, at, value) -> to.setClob(at, (Reader) null),
            (to, at, value) -> to.setNClob(at, (NClob) null),
            (to, at, value) -> to.setNClob(at, (Reader) null),
            (to, at, value) -> to.setBlob(at, (Blob) null),
            (to, at, value) -> to.setBlob(at, (InputStream) null),
            (to, at, value) -> to.setSQLXML(at, null),
            (to, at, value) -> to.setArray(at, null),
            (to, at, value) -> to.setURL(at, null),
            (to, at, value) -> to.setRef(at, null),
            (to, at, value) -> to.setRowId(at, null));

    private static final List<Setter> ALL = all();

    private FuzzSetters() {}

    private static List<Setter> all() {
        var all = new ArrayList<>(PLAIN);
        all.addAll(NULLS);
        for (JDBCType standard : JDBCType.values()) {
            int type = standard.getVendorTypeNumber();
            all.add((to, at, value) -> to.setObject(at, value, type));
            all.add((to, at, value) -> to.setObject(at, value, type, 0));
            all.add((to, at, value) -> to.setObject(at, value, standard));
            all.add((to, at, value) -> to.setObject(at, value, standard, 0));
            all.add((to, at, value) -> to.setNull(at, type));
            all.add((to, at, value) -> to.setNull(at, type, standard.getName()));
        }
        return List.copyOf(all);
    }

    /** The number of a way: often the plainest, which alone lets most statements be run. */
    static int draw(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> OBJECT;
            case 3, 4 -> random.nextInt(PLAIN.size());
            case 5 -> PLAIN.size() + random.nextInt(NULLS.size());
            default -> random.nextInt(ALL.size());
        };
    }

    /**
     * Binds as many of a step's values as a text has parameters: one of them by the way that the step has chosen, the others
     * as objects.
     */
    static void bind(PreparedStatement to, FuzzStep step, int first, int count) throws SQLException {
        for (int i = 0; i < count; i++) {
            boolean isOdd = i == step.choice() % count;
            ALL.get(isOdd ? step.choice() % ALL.size() : OBJECT)
                    .set(to, i + 1, step.values().get(first + i));
        }
    }

    private static String text(Object value) {
        return value.toString();
    }

    private static Number number(Object value) {
        return value instanceof Number number ? number : new BigDecimal(text(value));
    }

    private static byte[] bytes(Object value) {
        return text(value).getBytes(StandardCharsets.UTF_8);
    }

    private static Timestamp stamp(Object value) {
        return value instanceof java.util.Date date ? new Timestamp(date.getTime()) : Timestamp.valueOf(text(value));
    }

    private static Date date(Object value) {
        return value instanceof java.util.Date date ? new Date(date.getTime()) : Date.valueOf(text(value));
    }

    private static Time time(Object value) {
        return value instanceof java.util.Date date ? new Time(date.getTime()) : Time.valueOf(text(value));
    }

    static Calendar calendar(String zone) {
        return new GregorianCalendar(TimeZone.getTimeZone(zone));
    }

    private static InputStream stream(Object value) {
        return new ByteArrayInputStream(bytes(value));
    }

    private static Reader reader(Object value) {
        return new StringReader(text(value));
    }

    private static Clob clob(PreparedStatement to, Object value) throws SQLException {
        Clob clob = to.getConnection().createClob();
        clob.setString(1, text(value));
        return clob;
    }

    private static NClob nclob(PreparedStatement to, Object value) throws SQLException {
        NClob clob = to.getConnection().createNClob();
        clob.setString(1, text(value));
        return clob;
    }

    private static Blob blob(PreparedStatement to, Object value) throws SQLException {
        Blob blob = to.getConnection().createBlob();
        blob.setBytes(1, bytes(value));
        return blob;
    }

    private static SQLXML xml(PreparedStatement to, Object value) throws SQLException {
        SQLXML xml = to.getConnection().createSQLXML();
        xml.setString(text(value));
        return xml;
    }

    private static URL url(Object value) throws SQLException {
        try {
            return new URL("http://" + text(value));
        } catch (MalformedURLException noUrl) {
            throw new SQLException(noUrl);
        }
    }

    /** A way to bind a value. */
    @FunctionalInterface
    private interface Setter {
        void set(PreparedStatement to, int at, @Nullable Object value) throws SQLException;
    }
}
