package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Parameters;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.temporal.Temporal;
import java.util.Calendar;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the guard may believe of the objects that applications bind. A value is shown only if the database is sure to get
 * just that value; where the driver converts, rounds or shifts, it is {@link Parameters#UNKNOWN}.
 */
@SuppressWarnings("JavaUtilDate") // Applications bind them; they are copied, not used.
final class ParameterValues {

    private static final Set<Class<?>> WHOLE =
            Set.of(Byte.class, Short.class, Integer.class, Long.class, BigInteger.class);

    private ParameterValues() {}

    /** The same value in an object that the application cannot change: the driver gets this one too. */
    static @Nullable Object own(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (value instanceof java.util.Date date) {
            return date.clone();
        }
        return value instanceof Object[] elements ? elements.clone() : value;
    }

    /** What is known of an object bound without a type. */
    static @Nullable Object shown(@Nullable Object value) throws SQLException {
        if (value instanceof Array array) {
            return elements(array);
        }
        return value == null || isPlain(value) || value instanceof Object[] ? value : primitives(value);
    }

    /** What is known of an object bound as a type, perhaps with a scale. */
    static @Nullable Object shown(@Nullable Object value, @Nullable Integer type) throws SQLException {
        if (value == null || type == null) {
            return value == null ? null : Parameters.UNKNOWN;
        }
        return switch (type) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.DECIMAL, Types.NUMERIC ->
                number(value);
            case Types.BOOLEAN, Types.BIT -> only(value instanceof Boolean, value);
            case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR ->
                text(value);
            case Types.DATE -> only(value instanceof java.sql.Date || value instanceof LocalDate, value);
            case Types.TIME -> only(value instanceof java.sql.Time || value instanceof LocalTime, value);
            case Types.TIMESTAMP -> only(value instanceof java.sql.Timestamp || value instanceof LocalDateTime, value);
            case Types.TIMESTAMP_WITH_TIMEZONE -> only(value instanceof OffsetDateTime, value);
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY -> only(value instanceof byte[], value);
            case Types.OTHER -> only(value instanceof UUID || value instanceof String, value);
            case Types.ARRAY -> shown(value);
            default -> Parameters.UNKNOWN;
        };
    }

    /** The number of a standard type; null for a driver's own. */
    static @Nullable Integer number(SQLType type) {
        return type instanceof java.sql.JDBCType standard ? standard.getVendorTypeNumber() : null;
    }

    /** What is known of a date or time that is converted with a calendar. */
    static @Nullable Object shown(java.util.@Nullable Date value, @Nullable Calendar calendar) {
        boolean isHere = calendar == null || calendar.getTimeZone().hasSameRules(TimeZone.getDefault());
        return value == null || isHere ? value : Parameters.UNKNOWN;
    }

    private static boolean isPlain(Object value) {
        return value instanceof String
                || value instanceof Number
                || value instanceof Boolean
                || value instanceof UUID
                || value instanceof Temporal
                || value instanceof byte[]
                || value instanceof java.util.Date
                || value instanceof Character;
    }

    private static Object elements(Array array) throws SQLException {
        Object elements = array.getArray();
        return elements instanceof Object[] objects ? objects.clone() : primitives(elements);
    }

    private static Object primitives(@Nullable Object array) {
        if (array == null || !array.getClass().isArray()) {
            return Parameters.UNKNOWN;
        }
        var elements = new Object[java.lang.reflect.Array.getLength(array)];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = java.lang.reflect.Array.get(array, i);
        }
        return elements;
    }

    private static Object number(Object value) {
        if (WHOLE.contains(value.getClass())) {
            return value;
        }
        if (value instanceof BigDecimal decimal) {
            return only(decimal.signum() == 0 || decimal.stripTrailingZeros().scale() <= 0, value);
        }
        return value instanceof String text ? parsed(text) : Parameters.UNKNOWN;
    }

    private static Object parsed(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException notWhole) {
            return Parameters.UNKNOWN;
        }
    }

    private static Object text(Object value) {
        return value instanceof String || WHOLE.contains(value.getClass()) ? value.toString() : Parameters.UNKNOWN;
    }

    private static Object only(boolean isSame, Object value) {
        return isSame ? value : Parameters.UNKNOWN;
    }
}
