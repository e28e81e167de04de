package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads Java objects, as JDBC takes and gives them, as the checker's values. What the database might read as another
 * value than Java does becomes opaque (for parameters) or unknown (for cells): the checker then knows less, never
 * something wrong.
 */
@SuppressWarnings({"JavaLocalTimeGetNano", "JavaLocalDateTimeGetNano", "JavaInstantGetSecondsGetNano"
}) // Only the fraction counts.
final class ValueReader {

    /** Beyond this, a database that compares as floating point confuses neighbouring whole numbers. */
    private static final long EXACT_IN_DOUBLE = 1L << 53;

    private static final int NANOS_IN_MICRO = 1000;

    private ValueReader() {}

    /** The value that the database compares when this object is bound where {@code type} is expected. */
    static Value parameter(@Nullable Object object, ColumnType type) {
        if (object == null) {
            return Value.NULL;
        }
        if (object == Parameters.UNKNOWN) {
            return unlikeAnyOther();
        }
        Value value = switch (type.kind()) {
            case NUMBER -> number(object);
            case BOOLEAN -> object instanceof Boolean truth ? Value.of(truth) : null;
            case TEXT -> text(object);
            case UUID -> uuid(object);
            case DATE -> date(object);
            case TIME -> time(object);
            case TIMESTAMP -> timestamp(object);
            case INSTANT -> instant(object);
            case BYTES -> object instanceof byte[] bytes ? bytes(bytes) : null;
            case OPAQUE, NULL -> null;
        };
        return value != null ? value : opaque(object, type);
    }

    /** The value of a cell of a column of this type, or null if it is not surely known. */
    static @Nullable Value cell(@Nullable Object object, ColumnType type) {
        if (object == null) {
            return Value.NULL;
        }
        if (type.kind() == ValueKind.NUMBER && !type.hasExactEquality()) {
            // Equal numbers may be shown differently here (1.0 and 1.00, 0.0 and -0.0), so this is not their identity.
            return null;
        }
        return switch (type.kind()) {
            // A driver that shows TINYINT(1) as Boolean hides which number it is.
            case NUMBER -> object instanceof Boolean || object instanceof String ? null : number(object);
            case BOOLEAN -> object instanceof Boolean truth ? Value.of(truth) : null;
            case TEXT -> object instanceof String text ? Value.of(text) : null;
            case UUID -> object instanceof UUID uuid ? Value.of(ValueKind.UUID, uuid) : null;
            case DATE -> object instanceof String ? null : date(object);
            case TIME -> object instanceof String ? null : time(object);
            case TIMESTAMP -> object instanceof String ? null : timestamp(object);
            case INSTANT -> instant(object);
            case BYTES -> object instanceof byte[] bytes ? bytes(bytes) : null;
            case OPAQUE, NULL -> null;
        };
    }

    /** A value of which nothing is known but that it is the same as itself. */
    static Value unlikeAnyOther() {
        return Value.of(ValueKind.OPAQUE, new Object());
    }

    /** Two equal objects of one class, bound for one type, are read alike by the database. */
    private static Value opaque(Object object, ColumnType type) {
        boolean comparable = object instanceof String
                || object instanceof Number
                || object instanceof Boolean
                || object instanceof UUID
                || object instanceof java.time.temporal.TemporalAccessor;
        return comparable ? Value.of(ValueKind.OPAQUE, new Unread(object, type.sqlName())) : unlikeAnyOther();
    }

    private record Unread(Object object, String type) {}

    private static @Nullable Value number(Object object) {
        if (object instanceof Long || object instanceof Integer || object instanceof Short || object instanceof Byte) {
            return Value.of(((Number) object).longValue());
        }
        if (object instanceof BigDecimal decimal) {
            return Value.of(decimal);
        }
        if (object instanceof BigInteger whole) {
            return Value.of(new BigDecimal(whole));
        }
        if (object instanceof Boolean truth) {
            return Value.of(truth ? 1L : 0L);
        }
        if (object instanceof Double || object instanceof Float) {
            double number = ((Number) object).doubleValue();
            return number == Math.rint(number) && Math.abs(number) < EXACT_IN_DOUBLE ? Value.of((long) number) : null;
        }
        return object instanceof String text ? canonicalWhole(text) : null;
    }

    /** A text that every database reads as the same whole number, however it compares text with numbers. */
    private static @Nullable Value canonicalWhole(String text) {
        int digits = text.startsWith("-") ? text.length() - 1 : text.length();
        if (digits == 0 || digits > 15) {
            return null;
        }
        for (int i = text.length() - digits; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return null;
            }
        }
        long number = Long.parseLong(text);
        return Long.toString(number).equals(text) ? Value.of(number) : null;
    }

    private static @Nullable Value text(Object object) {
        if (object instanceof String text) {
            return Value.of(text);
        }
        return object instanceof Character character ? Value.of(character.toString()) : null;
    }

    private static @Nullable Value uuid(Object object) {
        if (object instanceof UUID uuid) {
            return Value.of(ValueKind.UUID, uuid);
        }
        if (object instanceof String text && text.length() == 36) {
            try {
                return Value.of(ValueKind.UUID, UUID.fromString(text));
            } catch (IllegalArgumentException notAUuid) {
                return null;
            }
        }
        return null;
    }

    private static @Nullable Value date(Object object) {
        if (object instanceof LocalDate date) {
            return Value.of(ValueKind.DATE, date);
        }
        if (object instanceof Date date) {
            return Value.of(ValueKind.DATE, date.toLocalDate());
        }
        if (object instanceof String text && text.length() == 10) {
            try {
                return Value.of(ValueKind.DATE, LocalDate.parse(text));
            } catch (DateTimeException notADate) {
                return null;
            }
        }
        return null;
    }

    private static @Nullable Value time(Object object) {
        LocalTime time =
                object instanceof LocalTime local ? local : object instanceof Time sql ? sql.toLocalTime() : null;
        return time == null || time.getNano() % NANOS_IN_MICRO != 0 ? null : Value.of(ValueKind.TIME, time);
    }

    private static @Nullable Value timestamp(Object object) {
        LocalDateTime time = object instanceof LocalDateTime local
                ? local
                : object instanceof Timestamp sql ? sql.toLocalDateTime() : parsed(object);
        return time == null || time.getNano() % NANOS_IN_MICRO != 0 ? null : Value.of(ValueKind.TIMESTAMP, time);
    }

    /** {@code 2026-01-31 23:59:59}, with or without a fraction. */
    private static @Nullable LocalDateTime parsed(Object object) {
        if (object instanceof String text && text.length() >= 19 && text.charAt(10) == ' ') {
            try {
                return LocalDateTime.parse(text.replace(' ', 'T'));
            } catch (DateTimeException notATimestamp) {
                return null;
            }
        }
        return null;
    }

    private static @Nullable Value instant(Object object) {
        Instant instant = null;
        if (object instanceof Instant point) {
            instant = point;
        } else if (object instanceof OffsetDateTime offset) {
            instant = offset.toInstant();
        } else if (object instanceof ZonedDateTime zoned) {
            instant = zoned.toInstant();
        } else if (object instanceof Timestamp sql) {
            instant = sql.toInstant();
        }
        return instant == null || instant.getNano() % NANOS_IN_MICRO != 0 ? null : Value.of(ValueKind.INSTANT, instant);
    }

    private static Value bytes(byte[] bytes) {
        return Value.of(ValueKind.BYTES, HexFormat.of().formatHex(bytes));
    }
}
