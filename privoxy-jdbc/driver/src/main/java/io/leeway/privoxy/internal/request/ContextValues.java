package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns what an application gives as context into canonical values.
 *
 * <p>The value decides which rows are a user's own, so it must be the one that the database compares with. A type
 * without an exact counterpart (floating point, a stranger's class) is an error and not a text.
 */
@SuppressWarnings("JavaUtilDate") // Applications give them.
public final class ContextValues {

    private ContextValues() {}

    /**
     * Canonical values of a context.
     *
     * @throws IllegalArgumentException for an empty name or a value of a type that no parameter can have; the message
     *     does not show the value
     */
    public static Map<String, Value> of(Map<String, ?> context) {
        var values = new TreeMap<String, Value>();
        context.forEach((name, value) -> values.put(checkName(name), of(name, value)));
        return Map.copyOf(values);
    }

    /** Canonical value of one parameter; null is SQL's null. */
    public static Value of(String name, @Nullable Object value) {
        checkName(name);
        Value canonical = value == null ? Value.NULL : canonical(value);
        if (canonical == null) {
            String type = value == null ? "null" : value.getClass().getName();
            throw new IllegalArgumentException("context parameter " + name + " cannot be a " + type
                    + "; use a whole or decimal number, text, boolean, UUID, java.time or java.sql's dates and times");
        }
        return canonical;
    }

    /**
     * The value as one of the kind that a policy expects: contexts given as text (client info, URL, {@code SET}) have
     * no type of their own.
     *
     * @return null if the value is not one of that kind
     */
    public static @Nullable Value as(ValueKind kind, Value value) {
        if (value.kind() == kind || value.isNull()) {
            return value;
        }
        // An id that was given as a number for a column of text; its one written form is the text.
        if (kind == ValueKind.TEXT && value.kind() != ValueKind.OPAQUE) {
            return Value.of(value.raw().toString());
        }
        return value.kind() == ValueKind.TEXT ? parse(kind, ((String) value.raw()).strip()) : null;
    }

    private static @Nullable Value canonical(Object value) {
        if (value instanceof Number number) {
            return number(number);
        }
        if (value instanceof CharSequence || value instanceof Character) {
            return Value.of(value.toString());
        }
        if (value instanceof Boolean truth) {
            return Value.of((boolean) truth);
        }
        if (value instanceof UUID) {
            return Value.of(ValueKind.UUID, value);
        }
        // By its name, which does not change with the order of constants.
        if (value instanceof Enum<?> constant) {
            return Value.of(constant.name());
        }
        return time(value);
    }

    private static @Nullable Value number(Number number) {
        if (number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return Value.of(number.longValue());
        }
        if (number instanceof BigDecimal decimal) {
            return Value.of(decimal);
        }
        // No Double and no Float: their digits are not those that were meant.
        return number instanceof BigInteger whole ? Value.of(new BigDecimal(whole)) : null;
    }

    private static @Nullable Value time(Object value) {
        if (value instanceof java.util.Date) {
            return ofSql(value);
        }
        if (value instanceof LocalDate) {
            return Value.of(ValueKind.DATE, value);
        }
        if (value instanceof LocalTime) {
            return Value.of(ValueKind.TIME, value);
        }
        if (value instanceof LocalDateTime) {
            return Value.of(ValueKind.TIMESTAMP, value);
        }
        if (value instanceof OffsetDateTime offset) {
            return Value.of(ValueKind.INSTANT, offset.toInstant());
        }
        if (value instanceof ZonedDateTime zoned) {
            return Value.of(ValueKind.INSTANT, zoned.toInstant());
        }
        return value instanceof Instant ? Value.of(ValueKind.INSTANT, value) : null;
    }

    /** JDBC's own classes say what a clock shows; a bare {@link java.util.Date} is a point in time. */
    private static Value ofSql(Object value) {
        if (value instanceof java.sql.Timestamp timestamp) {
            return Value.of(ValueKind.TIMESTAMP, timestamp.toLocalDateTime());
        }
        if (value instanceof java.sql.Date date) {
            return Value.of(ValueKind.DATE, date.toLocalDate());
        }
        if (value instanceof java.sql.Time time) {
            return Value.of(ValueKind.TIME, time.toLocalTime());
        }
        return Value.of(ValueKind.INSTANT, Instant.ofEpochMilli(((java.util.Date) value).getTime()));
    }

    private static @Nullable Value parse(ValueKind kind, String text) {
        try {
            return switch (kind) {
                case NUMBER -> Value.of(new BigDecimal(text));
                case BOOLEAN -> truth(text);
                case UUID -> Value.of(ValueKind.UUID, UUID.fromString(text));
                case DATE -> Value.of(ValueKind.DATE, LocalDate.parse(text));
                case TIME -> Value.of(ValueKind.TIME, LocalTime.parse(text));
                case TIMESTAMP -> Value.of(ValueKind.TIMESTAMP, LocalDateTime.parse(text.replace(' ', 'T')));
                case INSTANT ->
                    Value.of(
                            ValueKind.INSTANT,
                            OffsetDateTime.parse(text.replace(' ', 'T')).toInstant());
                default -> null;
            };
            // Not of that kind means that the parameter is missing to this policy, which refuses; the message names it
            // and not its value.
        } catch (RuntimeException notOfThisKind) {
            return null;
        }
    }

    private static @Nullable Value truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> Value.TRUE;
            case "false" -> Value.FALSE;
            default -> null;
        };
    }

    private static String checkName(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a context parameter has no name");
        }
        return name;
    }
}
