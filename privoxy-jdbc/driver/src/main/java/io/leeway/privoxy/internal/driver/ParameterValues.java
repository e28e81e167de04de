package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.driver.BoundValue.Width;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.sql.Dialect;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns the objects that applications bind into {@link BoundValue}s, in one place. Only the platform's own classes are
 * believed: a value of a subclass is copied into the class itself, so that its methods cannot say one thing to the
 * check and another to the driver, and nobody can change it afterwards.
 *
 * <p>The clause "one value" of the design page's contract. Drivers convert what they are given, each in its own way;
 * checked as one value and sent as another is how a hidden row was read ({@code setObject(4294967298L, Types.INTEGER)}
 * was 2 to drivers). {@code BoundValues} tries every setter with values at their edges.
 */
@SuppressWarnings("JavaUtilDate") // Applications bind them; they are copied, not used.
final class ParameterValues {

    /** PostgreSQL's own bounds for numeric. */
    private static final long DIGITS_BEFORE = 131_072;

    private static final long DIGITS_AFTER = 16_383;
    private static final double BITS_OF_A_DIGIT = 3.3219281;

    private static final Set<Class<?>> WHOLE =
            Set.of(Byte.class, Short.class, Integer.class, Long.class, BigInteger.class);

    /** Final classes of immutable values. */
    private static final Set<Class<?>> IMMUTABLE = Set.of(
            String.class,
            Character.class,
            Boolean.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            UUID.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetDateTime.class,
            OffsetTime.class,
            ZonedDateTime.class,
            Instant.class,
            Duration.class,
            Period.class,
            Year.class);

    private ParameterValues() {}

    /** An object bound without a type. */
    static BoundValue of(@Nullable Object value) throws SQLException {
        if (value instanceof CheckedArray array) {
            return new BoundValue.Elements(array.delegate, array.elements());
        }
        Object own = own(value);
        if (own instanceof Object[] || (own != null && isPrimitiveArray(own))) {
            return new BoundValue.Elements(own, elements(own));
        }
        // A driver's own class, or a stranger's: how it is sent is the driver's secret.
        if (own != null && !isPlain(own)) {
            return new BoundValue.Unread((real, index) -> real.setObject(index, own));
        }
        return new BoundValue.Plain(own);
    }

    /**
     * An object bound as a type.
     *
     * @param scale digits behind the point that the application asked for, or null
     * @throws SQLDataException if a number does not fit in the type: drivers cut it to another one
     */
    static BoundValue of(@Nullable Object value, int type, @Nullable Integer scale, Dialect dialect)
            throws SQLException {
        if (value instanceof CheckedArray) {
            return of(value);
        }
        Object own = own(value);
        BoundValue asIs = new BoundValue.Unread((real, index) -> setObject(real, index, own, type, scale));
        if (own == null) {
            return ofNull(type, null, dialect);
        }
        return switch (type) {
            // PostgreSQL has no smaller one.
            case Types.TINYINT -> whole(own, dialect == Dialect.POSTGRESQL ? Width.SHORT : Width.BYTE, asIs);
            case Types.SMALLINT -> whole(own, Width.SHORT, asIs);
            case Types.INTEGER -> whole(own, Width.INT, asIs);
            case Types.BIGINT -> whole(own, Width.LONG, asIs);
            // With a scale the driver rounds.
            case Types.DECIMAL, Types.NUMERIC -> scale == null || scale <= 0 ? decimal(own, asIs) : asIs;
            case Types.CHAR, Types.NCHAR -> character(own, dialect, asIs);
            case Types.VARCHAR, Types.LONGVARCHAR, Types.NVARCHAR, Types.LONGNVARCHAR -> text(own, asIs);
            case Types.ARRAY -> array(own, asIs);
            // Anything that would have to be converted is left to the driver and not believed.
            default -> isOfType(own, type) ? new BoundValue.Typed(own, type) : asIs;
        };
    }

    /** An object bound as a type of whichever kind. */
    static BoundValue of(@Nullable Object value, SQLType type, @Nullable Integer scale, Dialect dialect)
            throws SQLException {
        Integer number = number(type);
        if (number != null) {
            return of(value, number, scale, dialect);
        }
        Object own = own(CheckedArray.real(value));
        BoundValue asIs = new BoundValue.Unread((real, index) -> {
            if (scale == null) {
                real.setObject(index, own, type);
            } else {
                real.setObject(index, own, type, scale);
            }
        });
        // Of a type of the driver's own nobody knows how PostgreSQL compares its null.
        return own == null && dialect != Dialect.POSTGRESQL ? asNull(asIs) : asIs;
    }

    /** A date or time; with a calendar it is sent with one of ours in the same zone. */
    static BoundValue of(java.util.@Nullable Date value, @Nullable Calendar calendar, Dialect dialect) {
        Object own = value == null ? null : own(value);
        if (own == null || calendar == null) {
            return new BoundValue.Unread((real, index) -> setTime(real, index, own, calendar));
        }
        TimeZone given = calendar.getTimeZone();
        TimeZone zone = TimeZone.getTimeZone(given.getID());
        // A calendar of another class may have rules of its own, and an hour that the clock repeats is two moments.
        if (!zone.hasSameRules(given) || (own instanceof Timestamp stamp && isInRepeatedHour(stamp, zone))) {
            Calendar copy = (Calendar) calendar.clone();
            return new BoundValue.Unread((real, index) -> setTime(real, index, own, copy));
        }
        return new BoundValue.Zoned((java.util.Date) own, zone, dialect == Dialect.POSTGRESQL);
    }

    /**
     * The same value in an object of the platform's own classes that the application cannot change.
     *
     * @throws SQLDataException for a number of more digits than a database holds, which drivers send as another
     */
    static @Nullable Object own(@Nullable Object value) throws SQLDataException {
        // By the exact class: a subclass of BigDecimal could say one thing to the check and another to the driver.
        if (value == null || IMMUTABLE.contains(value.getClass())) {
            return value;
        }
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (value instanceof BigDecimal decimal) {
            return own(decimal);
        }
        if (value instanceof BigInteger whole) {
            BigInteger own = value.getClass() == BigInteger.class ? whole : new BigInteger(whole.toByteArray());
            checkDigits((long) (own.bitLength() / BITS_OF_A_DIGIT), 0);
            return own;
        }
        if (value instanceof java.util.Date date) {
            return own(date);
        }
        if (value instanceof Object[] elements) {
            return own(elements);
        }
        // Copied, as the application could change it between the check and the run.
        return isPrimitiveArray(value) ? copy(value) : value;
    }

    /** The same decimal in the platform's own class. */
    static @Nullable BigDecimal own(@Nullable BigDecimal value) throws SQLDataException {
        if (value == null) {
            return null;
        }
        BigDecimal own = value.getClass() == BigDecimal.class
                ? value
                // By its digits, as a subclass may have a toString of its own.
                : new BigDecimal(new BigInteger(value.unscaledValue().toByteArray()), value.scale());
        // A zero has an exponent too.
        checkDigits(Math.max((long) own.precision() - own.scale(), -(long) own.scale()), own.scale());
        return own;
    }

    /**
     * PostgreSQL's driver sends decimals by groups of digits and counts these in 16 bits: of a larger number arrives
     * another one, small enough to be a key. No database holds one; this is what PostgreSQL does.
     */
    private static void checkDigits(long before, long after) throws SQLDataException {
        if (before > DIGITS_BEFORE || after > DIGITS_AFTER) {
            throw new SQLDataException(
                    "The number has more digits than a database holds (" + DIGITS_BEFORE + " before the point and "
                            + DIGITS_AFTER + " after it); give a smaller one.",
                    "22003");
        }
    }

    private static java.util.Date own(java.util.Date date) {
        if (date instanceof Timestamp time) {
            // Subclasses may say another time to the driver; the copy is the platform's class.
            var copy = new Timestamp(time.getTime());
            copy.setNanos(time.getNanos());
            return copy;
        }
        if (date instanceof java.sql.Date) {
            return new java.sql.Date(date.getTime());
        }
        return date instanceof java.sql.Time ? new java.sql.Time(date.getTime()) : new java.util.Date(date.getTime());
    }

    private static Object own(Object[] elements) throws SQLDataException {
        Object[] copy = elements.clone();
        for (int i = 0; i < copy.length; i++) {
            Object own = own(copy[i]);
            // An array of a subclass takes none of the class itself: its elements are not believed then.
            if (own == null || copy.getClass().getComponentType().isInstance(own)) {
                copy[i] = own;
            }
        }
        return copy;
    }

    /**
     * What is known of an object bound without a type.
     *
     * <p>For updatable results, whose setters are the driver's own.
     */
    static @Nullable Object shown(@Nullable Object value) throws SQLException {
        return of(value).shown();
    }

    /** What is known of an object bound as a type. */
    static @Nullable Object shown(@Nullable Object value, @Nullable Integer type) throws SQLException {
        if (value == null || type == null) {
            return value == null ? null : Parameters.UNKNOWN;
        }
        return of(value, type, null, Dialect.POSTGRESQL).shown();
    }

    /** The number of a standard type; null for a driver's own. */
    static @Nullable Integer number(SQLType type) {
        return type instanceof java.sql.JDBCType standard ? standard.getVendorTypeNumber() : null;
    }

    private static void setObject(
            PreparedStatement real, int index, @Nullable Object value, int type, @Nullable Integer scale)
            throws SQLException {
        if (scale == null) {
            real.setObject(index, value, type);
        } else {
            real.setObject(index, value, type, scale);
        }
    }

    private static void setTime(PreparedStatement real, int index, @Nullable Object time, @Nullable Calendar calendar)
            throws SQLException {
        if (time instanceof java.sql.Date date) {
            real.setDate(index, date, calendar);
        } else if (time instanceof java.sql.Time clock) {
            real.setTime(index, clock, calendar);
        } else {
            real.setTimestamp(index, (Timestamp) time, calendar);
        }
    }

    /**
     * SQL's null is the same in every type, but to PostgreSQL its type decides how what stands beside it is compared:
     * as numbers of floating point, or without the blanks at their end. It gets the exact one of its kind instead; of a
     * type that only has a name nothing is known.
     */
    static BoundValue ofNull(int type, @Nullable String typeName, Dialect dialect) {
        if (dialect != Dialect.POSTGRESQL) {
            return asNull(new BoundValue.Unread((real, index) -> setNull(real, index, type, typeName)));
        }
        // How PostgreSQL compares beside a null of such a type depends on the type's operators.
        if (typeName != null) {
            return new BoundValue.Unread((real, index) -> real.setNull(index, type, typeName));
        }
        int exact = switch (type) {
            case Types.REAL, Types.FLOAT, Types.DOUBLE -> Types.NUMERIC;
            case Types.CHAR, Types.NCHAR -> Types.VARCHAR;
            default -> type;
        };
        return asNull(new BoundValue.Unread((real, index) -> real.setNull(index, exact)));
    }

    private static void setNull(PreparedStatement real, int index, int type, @Nullable String typeName)
            throws SQLException {
        if (typeName == null) {
            real.setNull(index, type);
        } else {
            real.setNull(index, type, typeName);
        }
    }

    private static BoundValue asNull(BoundValue asIs) {
        return new BoundValue.Null(asIs);
    }

    private static BoundValue whole(Object value, Width width, BoundValue asIs) throws SQLDataException {
        BigDecimal number = exact(value);
        // A fraction as a whole type: drivers round or cut it.
        if (number == null || number.stripTrailingZeros().scale() > 0) {
            return asIs;
        }
        // The number of digits first: 1E+999999999 is not to be written out.
        BigDecimal stripped = number.stripTrailingZeros();
        boolean isLong = stripped.precision() - stripped.scale() <= 19
                && stripped.toBigInteger().bitLength() < Long.SIZE;
        if (!isLong || !width.takes(stripped.longValueExact())) {
            // Drivers wrap such a number to another one.
            throw new SQLDataException(
                    "The value of the parameter is out of the range of its type; give it a larger one.", "22003");
        }
        return new BoundValue.Whole(stripped.longValueExact(), width, shownAs(value, stripped.longValueExact()));
    }

    /** A text of digits is sent as the number that it says. */
    private static Object shownAs(Object value, long number) {
        return value instanceof String ? (Object) number : value;
    }

    private static BoundValue decimal(Object value, BoundValue asIs) {
        BigDecimal number = exact(value);
        if (number == null) {
            return asIs;
        }
        boolean isWhole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
        return new BoundValue.Decimal(
                number, isWhole ? (value instanceof String ? number : value) : Parameters.UNKNOWN);
    }

    /** The exact number that an object is; texts as far as they are plain whole numbers. */
    private static @Nullable BigDecimal exact(Object value) {
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        if (value instanceof BigInteger whole) {
            return new BigDecimal(whole);
        }
        if (WHOLE.contains(value.getClass())) {
            return BigDecimal.valueOf(((Number) value).longValue());
        }
        try {
            return value instanceof String text ? BigDecimal.valueOf(Long.parseLong(text)) : null;
        } catch (NumberFormatException notWhole) {
            return null;
        }
    }

    /** As text, unless blanks at its end would mean nothing as CHAR and something as text. */
    private static BoundValue character(Object value, Dialect dialect, BoundValue asIs) {
        BoundValue text = text(value, asIs);
        // "ann " as CHAR reads the rows of "ann" on PostgreSQL and H2.
        boolean isPadded = dialect != Dialect.MARIADB && value instanceof String given && given.endsWith(" ");
        return isPadded ? asIs : text;
    }

    /** Sent as VARCHAR whatever text type was named. */
    private static BoundValue text(Object value, BoundValue asIs) {
        return value instanceof String || WHOLE.contains(value.getClass())
                ? new BoundValue.Text(value.toString())
                : asIs;
    }

    private static BoundValue array(Object value, BoundValue asIs) throws SQLException {
        return value instanceof Object[] || isPrimitiveArray(value) ? of(value) : asIs;
    }

    /** Where object and type are of one kind no driver converts. */
    private static boolean isOfType(Object value, int type) {
        return switch (type) {
            case Types.BOOLEAN, Types.BIT -> value instanceof Boolean;
            case Types.DATE -> value instanceof java.sql.Date || value instanceof LocalDate;
            case Types.TIME -> value instanceof java.sql.Time || value instanceof LocalTime;
            case Types.TIMESTAMP -> value instanceof Timestamp || value instanceof LocalDateTime;
            case Types.TIMESTAMP_WITH_TIMEZONE -> value instanceof OffsetDateTime;
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY -> value instanceof byte[];
            case Types.OTHER -> value instanceof UUID || value instanceof String;
            default -> false;
        };
    }

    /** Whether a point in time is one of two that the clock shows alike. */
    private static boolean isInRepeatedHour(Timestamp time, TimeZone zone) {
        LocalDateTime local = LocalDateTime.ofInstant(time.toInstant(), zone.toZoneId());
        return zone.toZoneId().getRules().getValidOffsets(local).size() != 1;
    }

    private static boolean isPlain(Object value) {
        return IMMUTABLE.contains(value.getClass())
                || value instanceof BigDecimal
                || value instanceof BigInteger
                || value instanceof byte[]
                || value instanceof java.util.Date;
    }

    /** Bytes are a value of their own and no list. */
    private static boolean isPrimitiveArray(Object value) {
        return value.getClass().isArray()
                && value.getClass().getComponentType().isPrimitive()
                && !(value instanceof byte[]);
    }

    private static Object copy(Object array) {
        int length = java.lang.reflect.Array.getLength(array);
        Object copy = java.lang.reflect.Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }

    /** The elements of an array that is our own copy, or unknown if one of them is of a class that is not believed. */
    private static Object elements(Object array) {
        var elements = new Object[java.lang.reflect.Array.getLength(array)];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = java.lang.reflect.Array.get(array, i);
        }
        return believable(elements);
    }

    /** The elements, or unknown if one of them is of a class that is not believed. */
    static Object believable(@Nullable Object[] elements) {
        for (Object element : elements) {
            boolean isOwn = element == null
                    || IMMUTABLE.contains(element.getClass())
                    || element.getClass() == BigDecimal.class
                    || element.getClass() == BigInteger.class
                    || element instanceof byte[]
                    // The platform's own dates and times, which no application can subclass in that package.
                    || element.getClass().getPackageName().equals("java.sql");
            if (!isOwn) {
                return Parameters.UNKNOWN;
            }
        }
        return elements;
    }

    /** What is known of the elements of a driver's array, by the name of their type. */
    static Object elements(@Nullable Object content, @Nullable String typeName, Dialect dialect)
            throws SQLDataException {
        if (content == null || !content.getClass().isArray()) {
            return Parameters.UNKNOWN;
        }
        Object elements = elements(Object[].class.isInstance(content) ? own((Object[]) content) : content);
        if (elements == Parameters.UNKNOWN || dialect == Dialect.H2) {
            // H2 takes the type from the elements.
            return elements;
        }
        for (Object element : (Object[]) elements) {
            if (element != null && !isElement(element, typeName == null ? "" : typeName)) {
                return Parameters.UNKNOWN;
            }
        }
        return elements;
    }

    /**
     * Whether the database's type holds just this element: it rounds as float8, and cuts blanks as bpchar.
     *
     * <p>The array's type is the application's choice, and PostgreSQL converts each element to it.
     */
    private static boolean isElement(Object element, String typeName) {
        return switch (typeName.toLowerCase(java.util.Locale.ROOT)) {
            case "int2", "int4", "int8", "smallint", "int", "integer", "bigint" -> WHOLE.contains(element.getClass());
            case "numeric", "decimal" -> WHOLE.contains(element.getClass()) || element instanceof BigDecimal;
            case "text", "varchar" -> element instanceof String;
            case "uuid" -> element instanceof UUID || element instanceof String;
            case "bool", "boolean" -> element instanceof Boolean;
            default -> false;
        };
    }

    /**
     * A driver's array, whichever way it came here.
     *
     * <p>An array that was made past this connection: what is in it nobody here has seen.
     */
    static BoundValue of(@Nullable Array value) throws SQLException {
        if (value instanceof CheckedArray) {
            return of((Object) value);
        }
        BoundValue asIs = new BoundValue.Unread((real, index) -> real.setArray(index, value));
        return value == null ? asNull(asIs) : asIs;
    }
}
