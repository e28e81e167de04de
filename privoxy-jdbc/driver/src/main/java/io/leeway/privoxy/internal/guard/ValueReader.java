package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.Clock;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Storable;
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
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads Java objects, as JDBC takes and gives them, as the checker's values. What the database might read as another
 * value than Java does becomes opaque (for parameters) or unknown (for cells): the checker then knows less, never
 * something wrong.
 *
 * <p>The clause "one equality" of the design page's contract is kept here: a value counts as the column's only where
 * Java's equality is the database's. {@code BoundValues} tries every setter with values at their edges against it.
 */
@SuppressWarnings({"JavaLocalTimeGetNano", "JavaLocalDateTimeGetNano", "JavaInstantGetSecondsGetNano"
}) // Only the fraction counts.
final class ValueReader {

    /** Beyond this, a database that compares as floating point confuses neighbouring whole numbers. */
    private static final long EXACT_IN_DOUBLE = 1L << 53;

    private static final long EXACT_IN_FLOAT = 1L << 24;

    /** Before it, calendars of Java and of databases differ, and so may what drivers make of a date. */
    private static final int FIRST_YEAR = 1600;

    private static final int LAST_YEAR = 9999;

    private static final Instant FIRST_INSTANT = Instant.parse("1600-01-02T00:00:00Z");
    private static final Instant LAST_INSTANT = Instant.parse("9999-12-31T00:00:00Z");

    /** Characters that take no more than 63 bytes. */
    private static final int SURELY_A_NAME = 15;

    private static final int DIGITS_OF_A_WORD = 9;
    private static final int KEPT_WORDS = 9;

    private static final long MILLIS_IN_SECOND = 1000;

    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private static final int NANOS_IN_MICRO = 1000;

    private ValueReader() {}

    /** The value that the database compares when this object is bound where {@code type} is expected. */
    static Value parameter(@Nullable Object object, ColumnType type) {
        if (object == null) {
            return Value.NULL;
        }
        // It equals nothing, itself in another slot neither; that it may be NULL is seen to by Alternatives.
        if (object == Parameters.UNKNOWN) {
            return unlikeAnyOther();
        }
        Value value = switch (type.kind()) {
            case NUMBER -> isExactFor(object, type) ? number(object) : null;
            case BOOLEAN -> object instanceof Boolean truth ? Value.of(truth) : null;
            case TEXT -> isCut(object, type) ? null : text(object);
            case UUID -> isWrittenOtherwise(object, type) ? null : uuid(object);
            case DATE -> date(object);
            case TIME -> time(object);
            case TIMESTAMP -> timestamp(object);
            case INSTANT -> instant(object);
            case BYTES -> object instanceof byte[] bytes ? bytes(bytes) : null;
            case OPAQUE, NULL -> null;
        };
        // What the column would change when it stores it (round, cut, pad) is not the value that strikes a row.
        if (value != null && type.stored() && !Storable.asItIs(value, type)) {
            return unlikeAnyOther();
        }
        return value != null ? value : opaque(object, type);
    }

    /** The value of a cell of a column of this type, or null if it is not surely known. */
    static @Nullable Value cell(@Nullable Object object, ColumnType type) {
        // NULL is what the driver's getter says; types in which a NULL may be something else (zero dates) are left
        // out by the driver (CellValues).
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
            // Texts as they are stored; a collation's equality is put around them by the column's key function.
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

    /**
     * A value of which nothing is known but that it is the same as itself.
     *
     * <p>A new object each time: two unknown parameters are not the same.
     */
    static Value unlikeAnyOther() {
        return Value.of(ValueKind.OPAQUE, new Object());
    }

    /** Two equal objects of one class, bound for one type, are read alike by the database. */
    private static Value opaque(Object object, ColumnType type) {
        if (object instanceof String text && Clock.mayBeAsked(text)) {
            return unlikeAnyOther();
        }
        // Beside a timestamp H2 takes it for that time of today.
        if (object instanceof TemporalAccessor time
                && !time.isSupported(ChronoField.EPOCH_DAY)
                && type.kind() != ValueKind.TIME) {
            return unlikeAnyOther();
        }
        // Immutable, with an equality of their own.
        boolean comparable = object instanceof String
                || object instanceof Number
                || object instanceof Boolean
                || object instanceof UUID
                || object instanceof TemporalAccessor;
        return comparable ? Value.of(ValueKind.OPAQUE, new Unread(object, type.sqlName())) : unlikeAnyOther();
    }

    private record Unread(Object object, String type) {}

    /**
     * With texts and floating point some databases compare decimals as floating point: 1 equals 1.000000000000000001.
     */
    private static boolean isExactFor(Object object, ColumnType type) {
        if (type.sqlName().equals("oid") && !(object instanceof Long number && number >= 0)) {
            // PostgreSQL takes -1 for 4294967295 here.
            return false;
        }
        // For a whole column the number is compared as a whole number whatever it was bound as.
        return type.whole() || !(object instanceof String || object instanceof Double || object instanceof Float);
    }

    /** Of a text that is longer PostgreSQL's type for names takes the first 63 bytes. */
    private static boolean isCut(Object object, ColumnType type) {
        return type.sqlName().equals("name") && object.toString().length() > SURELY_A_NAME;
    }

    private static @Nullable Value number(Object object) {
        if (object instanceof Long || object instanceof Integer || object instanceof Short || object instanceof Byte) {
            return Value.of(((Number) object).longValue());
        }
        if (object instanceof BigDecimal decimal) {
            return isKept(decimal) ? Value.of(decimal) : null;
        }
        if (object instanceof BigInteger whole) {
            return number(new BigDecimal(whole));
        }
        if (object instanceof Boolean truth) {
            return Value.of(truth ? 1L : 0L);
        }
        if (object instanceof Double || object instanceof Float) {
            double number = ((Number) object).doubleValue();
            long exact = object instanceof Float ? EXACT_IN_FLOAT : EXACT_IN_DOUBLE;
            // A fraction in floating point is not the decimal that it is written as.
            return number == Math.rint(number) && Math.abs(number) < exact ? Value.of((long) number) : null;
        }
        return object instanceof String text ? canonicalWhole(text) : null;
    }

    /**
     * Whether every database compares all digits of a number. MariaDB keeps nine words of nine digits, counted from the
     * point to both sides, and cuts the rest: a 1 and 75 zeros behind the point and another 1 is 1 to it.
     */
    private static boolean isKept(BigDecimal number) {
        long after = Math.max(0L, number.scale());
        long before = Math.max(1L, (long) number.precision() - number.scale());
        return words(before) + words(after) <= KEPT_WORDS;
    }

    private static long words(long digits) {
        return (digits + DIGITS_OF_A_WORD - 1) / DIGITS_OF_A_WORD;
    }

    /**
     * A text that every database reads as the same whole number, however it compares text with numbers.
     *
     * <p>Also no leading zeros, no plus sign, no blanks: databases differ in what else they read.
     */
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
            return isSentUnchanged(text) ? Value.of(text) : null;
        }
        return object instanceof Character character && !Character.isSurrogate(character)
                ? Value.of(character.toString())
                : null;
    }

    /** Half of a pair of surrogates is sent as a question mark. */
    private static boolean isSentUnchanged(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean isPair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!isPair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /**
     * MariaDB puts the constant in the column's place elsewhere in the condition, as it is written
     * ({@code MariaDbComparisonsIT}).
     */
    private static boolean isWrittenOtherwise(Object object, ColumnType type) {
        return type.kind() == ValueKind.UUID
                && type.sqlName().equals(ColumnType.CANONICAL_UUID.sqlName())
                && object instanceof String text
                && !text.equals(text.toLowerCase(Locale.ROOT));
    }

    private static @Nullable Value uuid(Object object) {
        if (object instanceof UUID uuid) {
            return Value.of(ValueKind.UUID, uuid);
        }
        // Java reads more texts than this, and some of them otherwise than databases do.
        return object instanceof String text && UUID_TEXT.matcher(text).matches()
                ? Value.of(ValueKind.UUID, UUID.fromString(text))
                : null;
    }

    private static @Nullable Value date(Object object) {
        LocalDate date = object instanceof LocalDate local ? local : null;
        if (object instanceof Date sql) {
            date = sql.toLocalDate();
        } else if (object instanceof String text && text.length() == 10) {
            date = parsedDate(text);
        }
        return date == null || isStrange(date.getYear()) ? null : Value.of(ValueKind.DATE, date);
    }

    /** Only the form of ISO, which all three databases read alike. */
    private static @Nullable LocalDate parsedDate(String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeException notADate) {
            return null;
        }
    }

    /** Of infinity too drivers make a date. */
    private static boolean isStrange(int year) {
        return year < FIRST_YEAR || year > LAST_YEAR;
    }

    private static @Nullable Value time(Object object) {
        if (object instanceof Time sql && Math.floorMod(sql.getTime(), MILLIS_IN_SECOND) != 0) {
            // Drivers send the fraction, the class does not show it.
            return null;
        }
        LocalTime time =
                object instanceof LocalTime local ? local : object instanceof Time sql ? sql.toLocalTime() : null;
        // Databases keep microseconds, and round or cut the rest.
        return time == null || time.getNano() % NANOS_IN_MICRO != 0 ? null : Value.of(ValueKind.TIME, time);
    }

    private static @Nullable Value timestamp(Object object) {
        LocalDateTime time = parsed(object);
        if (object instanceof LocalDateTime local) {
            time = local;
        } else if (object instanceof Timestamp sql) {
            time = sql.toLocalDateTime();
        } else if (object instanceof Moment moment) {
            time = moment.local();
        }
        return time == null || time.getNano() % NANOS_IN_MICRO != 0 || isStrange(time.getYear())
                ? null
                : Value.of(ValueKind.TIMESTAMP, time);
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
            // A point in time by the process's zone, as drivers take it where the column has a zone.
        } else if (object instanceof Timestamp sql) {
            instant = sql.toInstant();
        } else if (object instanceof Moment moment) {
            instant = moment.instant();
        }
        boolean isKnown = instant != null
                && instant.getNano() % NANOS_IN_MICRO == 0
                && instant.isAfter(FIRST_INSTANT)
                && instant.isBefore(LAST_INSTANT);
        return isKnown ? Value.of(ValueKind.INSTANT, Objects.requireNonNull(instant)) : null;
    }

    /** As text, since arrays have no equality. */
    private static Value bytes(byte[] bytes) {
        return Value.of(ValueKind.BYTES, HexFormat.of().formatHex(bytes));
    }
}
