package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.query.Doubles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Values between what clients type, what is stored, and what Calcite computes with.
 *
 * <p>Calcite's: Boolean, Short, Integer, Long, Float, Double, BigDecimal, String, {@link ByteString}, {@link UUID}; dates as Integer days,
 * times as Integer and timestamps as Long milliseconds. What is finer than a millisecond is rounded.
 */
public final class Values {

    private static final int MOST_DIGITS = 18;

    /** Also 9:5:3.25; the zone is optional. */
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.HOUR_OF_DAY, 1, 2, java.time.format.SignStyle.NOT_NEGATIVE)
            .appendLiteral(':')
            .appendValue(ChronoField.MINUTE_OF_HOUR, 1, 2, java.time.format.SignStyle.NOT_NEGATIVE)
            .optionalStart()
            .appendLiteral(':')
            .appendValue(ChronoField.SECOND_OF_MINUTE, 1, 2, java.time.format.SignStyle.NOT_NEGATIVE)
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .optionalEnd()
            .toFormatter(Locale.ROOT);

    private static final DateTimeFormatter ZONE =
            new DateTimeFormatterBuilder().appendPattern("[XXXXX][XXX][X]").toFormatter(Locale.ROOT);

    private Values() {}

    /** Appends a value that a client wrote as text; {@code from} to {@code to} are bytes in UTF-8. */
    public static void appendText(Column column, VectorBuilder out, byte[] bytes, int from, int to) {
        switch (column.type()) {
            case SMALLINT, INTEGER, BIGINT -> out.addLong(checked(column, integer(column, bytes, from, to)));
            case TEXT, JSON -> out.addBytes(bytes, from, to - from);
            case VARCHAR -> {
                checkLength(column, bytes, from, to);
                out.addBytes(bytes, from, to - from);
            }
            default -> append(column, out, parse(column, new String(bytes, from, to - from, StandardCharsets.UTF_8)));
        }
    }

    private static void checkLength(Column column, byte[] bytes, int from, int to) {
        if (column.precision() == 0 || to - from <= column.precision()) {
            return;
        }
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (text.codePointCount(0, text.length()) > column.precision()) {
            throw new LazyBaseException(
                    Code.OVERFLOW,
                    "Column " + column.name() + " takes " + column.precision() + " characters, not "
                            + text.codePointCount(0, text.length()) + ".");
        }
    }

    private static long integer(Column column, byte[] bytes, int from, int to) {
        int at = from;
        boolean negative = at < to && bytes[at] == '-';
        if (negative || (at < to && bytes[at] == '+')) {
            at++;
        }
        if (at == to || to - at > MOST_DIGITS) {
            return integer(column, new String(bytes, from, to - from, StandardCharsets.UTF_8));
        }
        long value = 0;
        for (; at < to; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                return integer(column, new String(bytes, from, to - from, StandardCharsets.UTF_8));
            }
            value = value * 10 + digit;
        }
        return negative ? -value : value;
    }

    private static long integer(Column column, String text) {
        try {
            return new BigDecimal(text.strip()).longValueExact();
        } catch (NumberFormatException e) {
            throw bad(column, text, e);
        } catch (ArithmeticException e) {
            throw overflow(column, text);
        }
    }

    private static LazyBaseException bad(Column column, String text, Throwable cause) {
        String shown = text.length() > 40 ? text.substring(0, 40) + "…" : text;
        return new LazyBaseException(
                Code.BAD_VALUE,
                "'" + shown + "' is no " + column.type().pgName() + " for column " + column.name() + ".",
                cause);
    }

    private static LazyBaseException overflow(Column column, Object value) {
        return new LazyBaseException(
                Code.OVERFLOW,
                value + " does not fit column " + column.name() + " of type "
                        + column.type().pgName() + ".");
    }

    private static long checked(Column column, long value) {
        boolean fits = switch (column.type()) {
            case SMALLINT -> value == (short) value;
            case INTEGER -> value == (int) value;
            default -> true;
        };
        if (!fits) {
            throw overflow(column, value);
        }
        return value;
    }

    /** The value that a text stands for, as Calcite has it. */
    public static Object parse(Column column, String given) {
        String text = given.strip();
        try {
            return switch (column.type()) {
                case BOOLEAN -> bool(text);
                case SMALLINT, INTEGER, BIGINT -> checked(column, integer(column, text));
                case REAL -> (float) decimal(text);
                case DOUBLE -> decimal(text);
                case DECIMAL -> new BigDecimal(text);
                case TEXT, VARCHAR, JSON -> given;
                case BYTEA -> new ByteString(bytes(text));
                case UUID -> UUID.fromString(text);
                case DATE -> (int) date(text).toEpochDay();
                case TIME -> (int) (rounded(LocalTime.parse(text, TIME).toNanoOfDay()) % 86_400_000);
                case TIMESTAMP, TIMESTAMPTZ -> timestamp(text);
            };
        } catch (DateTimeException | IllegalArgumentException e) {
            throw bad(column, given, e);
        }
    }

    private static Boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "t", "true", "y", "yes", "on", "1" -> true;
            case "f", "false", "n", "no", "off", "0" -> false;
            default -> throw new IllegalArgumentException("no boolean");
        };
    }

    private static double decimal(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan" -> Double.NaN;
            case "infinity", "inf", "+infinity" -> Double.POSITIVE_INFINITY;
            case "-infinity", "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static byte[] bytes(String text) {
        if (text.startsWith("\\x")) {
            return HexFormat.of().parseHex(text.substring(2));
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static LocalDate date(String text) {
        // A timestamp is cut off, as PostgreSQL does.
        int end = Math.max(text.indexOf(' '), text.indexOf('T'));
        return LocalDate.parse(end < 0 ? text : text.substring(0, end));
    }

    private static long rounded(long nanos) {
        return Math.floorDiv(nanos + 500_000, 1_000_000L);
    }

    private static long timestamp(String text) {
        int split = Math.max(text.indexOf(' '), text.indexOf('T'));
        if (split < 0) {
            return LocalDate.parse(text).toEpochDay() * 86_400_000L;
        }
        long day = LocalDate.parse(text.substring(0, split)).toEpochDay();
        String rest = text.substring(split + 1).strip();
        int zone = zoneBegin(rest);
        long offset = 0;
        if (zone < rest.length()) {
            offset = zone(rest.substring(zone).strip());
        }
        long nanos = LocalTime.parse(rest.substring(0, zone).strip(), TIME).toNanoOfDay();
        return day * 86_400_000L + rounded(nanos) - offset;
    }

    private static int zoneBegin(String time) {
        for (int i = 0; i < time.length(); i++) {
            char c = time.charAt(i);
            if (c == '+' || c == '-' || Character.isLetter(c)) {
                return i;
            }
        }
        return time.length();
    }

    private static long zone(String text) {
        if (text.equalsIgnoreCase("UTC") || text.equalsIgnoreCase("Z") || text.equalsIgnoreCase("GMT")) {
            return 0;
        }
        return ZoneOffset.from(ZONE.parse(text)).getTotalSeconds() * 1_000L;
    }

    /** Appends a value as Calcite has it, or as a client's driver gave it: any number fits any column of numbers that can hold it. */
    public static void append(Column column, VectorBuilder out, @Nullable Object value) {
        if (value == null) {
            if (column.notNull()) {
                throw new LazyBaseException(Code.NOT_NULL, "Column " + column.name() + " got no value.");
            }
            out.addNull();
        } else if (value instanceof String text && !column.type().isText()) {
            append(column, out, parse(column, text));
        } else if (column.type().isLong()) {
            out.addLong(stored(column, value));
        } else {
            byte[] bytes = storedBytes(column, value);
            if (column.type().isText()) {
                checkLength(column, bytes, 0, bytes.length);
            }
            out.addBytes(bytes);
        }
    }

    /** The long that a value is stored as. */
    public static long stored(Column column, Object value) {
        return switch (column.type()) {
            case BOOLEAN -> asBoolean(column, value) ? 1 : 0;
            case REAL -> Doubles.bits((float) number(column, value).doubleValue());
            case DOUBLE -> Doubles.bits(number(column, value).doubleValue());
            case DECIMAL -> unscaled(column, value);
            default -> checked(column, whole(column, value));
        };
    }

    private static boolean asBoolean(Column column, Object value) {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw bad(column, value.toString(), new IllegalArgumentException());
    }

    private static Number number(Column column, Object value) {
        if (value instanceof Number number) {
            return number;
        }
        throw bad(column, value.toString(), new IllegalArgumentException());
    }

    private static long whole(Column column, Object value) {
        Number number = number(column, value);
        if (number instanceof Long || number instanceof Integer || number instanceof Short) {
            return number.longValue();
        }
        try {
            return new BigDecimal(number.toString())
                    .setScale(0, RoundingMode.HALF_UP)
                    .longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw overflow(column, value);
        }
    }

    private static long unscaled(Column column, Object value) {
        try {
            BigDecimal scaled =
                    new BigDecimal(number(column, value).toString()).setScale(column.scale(), RoundingMode.HALF_UP);
            BigInteger unscaled = scaled.unscaledValue();
            if (scaled.precision() > column.precision()) {
                throw overflow(column, value);
            }
            return unscaled.longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw overflow(column, value);
        }
    }

    /** The bytes that a value is stored as. */
    public static byte[] storedBytes(Column column, Object value) {
        if (value instanceof ByteString bytes) {
            return bytes.getBytes();
        }
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        if (value instanceof UUID uuid) {
            return ByteBuffer.allocate(16)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
        }
        if (!column.type().isText()) {
            throw bad(column, value.toString(), new IllegalArgumentException());
        }
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** A stored value as Calcite has it. */
    public static @Nullable Object get(Column column, Vector vector, int row) {
        if (vector.isNull(row)) {
            return null;
        }
        return column.type().isLong() ? ofLong(column, vector.getLong(row)) : ofBytes(column, vector, row);
    }

    /** A stored long as Calcite has it. */
    public static Object ofLong(Column column, long value) {
        return switch (column.type()) {
            case BOOLEAN -> value != 0;
            case SMALLINT -> (short) value;
            case INTEGER, DATE, TIME -> (int) value;
            case REAL -> (float) Doubles.of(value);
            case DOUBLE -> Doubles.of(value);
            case DECIMAL -> BigDecimal.valueOf(value, column.scale());
            default -> value;
        };
    }

    private static Object ofBytes(Column column, Vector vector, int row) {
        return switch (column.type()) {
            case BYTEA -> new ByteString(vector.getBytes(row));
            case UUID -> uuid(vector.getBytes(row));
            default -> vector.getText(row);
        };
    }

    /** Stored bytes as Calcite has them. */
    public static Object ofBytes(Column column, byte[] bytes) {
        return switch (column.type()) {
            case BYTEA -> new ByteString(bytes);
            case UUID -> uuid(bytes);
            default -> new String(bytes, StandardCharsets.UTF_8);
        };
    }

    private static UUID uuid(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /** A timestamp as PostgreSQL writes it. */
    public static String timestampText(long millis, boolean zone) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(
                Math.floorDiv(millis, 1_000L), (int) Math.floorMod(millis, 1_000L) * 1_000_000, ZoneOffset.UTC);
        return time.toLocalDate() + " " + timeText(time.toLocalTime()) + (zone ? "+00" : "");
    }

    /** A time as PostgreSQL writes it. */
    public static String timeText(LocalTime time) {
        String text = time.format(DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT));
        int millis = time.get(ChronoField.MILLI_OF_SECOND);
        if (millis == 0) {
            return text;
        }
        String fraction = String.format(Locale.ROOT, ".%03d", millis);
        return text + fraction.replaceAll("0+$", "");
    }
}
