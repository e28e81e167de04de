package io.leeway.privoxy.internal.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether a column stores a value as it is. Databases round, cut and clamp what they are given to store, so that a row
 * may get another key than the statement says. It is a list of what is certain: whatever is not on it may become any
 * value.
 */
@SuppressWarnings({"JavaLocalTimeGetNano", "JavaLocalDateTimeGetNano"}) // Only the fraction counts.
public final class Storable {

    private static final Pattern TYPE = Pattern.compile("([a-z_ ]+?)\\s*(?:\\((\\d+)(?:,\\s*(\\d+))?\\))?( unsigned)?");
    private static final Map<String, Integer> BITS = Map.ofEntries(
            Map.entry("tinyint", 8),
            Map.entry("smallint", 16),
            Map.entry("mediumint", 24),
            Map.entry("int", 32),
            Map.entry("integer", 32),
            Map.entry("bigint", 64));
    private static final Set<String> DECIMALS = Set.of("numeric", "decimal");
    /** Texts of any length, and what complains of a text that is too long whatever the session's settings. */
    private static final Set<String> H2_TEXTS =
            Set.of("CHARACTER VARYING", "CHARACTER LARGE OBJECT", "VARCHAR_IGNORECASE");

    private static final Set<String> BYTES = Set.of("bytea", "BINARY VARYING", "BINARY LARGE OBJECT");
    /** With microseconds, as values here have them. */
    private static final Set<String> FINE_TIMES =
            Set.of("timestamp without time zone", "timestamp with time zone", "time without time zone");

    private static final int TEXT_BYTES = 65_535;

    private Storable() {}

    /** Whether the value is certain to be stored in a column of the type as what it is. */
    public static boolean asItIs(Value value, ColumnType type) {
        if (value.isNull() || value.kind() == ValueKind.OPAQUE) {
            // Of an opaque value nothing is known anyway.
            return true;
        }
        return value.kind() == type.kind()
                && switch (type.kind()) {
                    case NUMBER -> number(value.raw(), type);
                    case TEXT -> text((String) value.raw(), type.sqlName());
                    case BOOLEAN, UUID, DATE -> true;
                    case BYTES -> BYTES.contains(type.sqlName());
                    case TIME -> FINE_TIMES.contains(type.sqlName()) || ((LocalTime) value.raw()).getNano() == 0;
                    case TIMESTAMP -> time(value.raw(), type.sqlName());
                    case INSTANT -> FINE_TIMES.contains(type.sqlName());
                    default -> false;
                };
    }

    private static boolean time(Object value, String sqlName) {
        boolean limited = sqlName.startsWith("timestamp") && !sqlName.endsWith(" time zone");
        return FINE_TIMES.contains(sqlName) || !limited && ((LocalDateTime) value).getNano() == 0;
    }

    private static boolean number(Object raw, ColumnType type) {
        BigDecimal number = raw instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf((Long) raw);
        String name = type.sqlName().toLowerCase(Locale.ROOT);
        Matcher declared = TYPE.matcher(name);
        if (!declared.matches()) {
            return false;
        }
        String base = declared.group(1);
        if (DECIMALS.contains(base)) {
            return declared.group(2) == null
                    ? type.equality().equals("numeric")
                    : fits(number, Integer.parseInt(declared.group(2)), declared.group(3));
        }
        Integer bits = BITS.get(base);
        if (bits == null || number.stripTrailingZeros().scale() > 0) {
            return false;
        }
        BigInteger whole = number.toBigInteger();
        return declared.group(4) != null ? whole.signum() >= 0 && whole.bitLength() <= bits : whole.bitLength() < bits;
    }

    private static boolean fits(BigDecimal number, int precision, @Nullable String scale) {
        int places = scale == null ? 0 : Integer.parseInt(scale);
        BigDecimal plain = number.stripTrailingZeros();
        return plain.scale() <= places && plain.precision() - plain.scale() <= precision - places;
    }

    private static boolean text(String value, String sqlName) {
        if (H2_TEXTS.contains(sqlName) || sqlName.equals("character varying")) {
            return true;
        }
        Matcher declared = TYPE.matcher(sqlName);
        if (!declared.matches()) {
            return false;
        }
        String length = declared.group(2);
        return switch (declared.group(1)) {
            case "character varying" -> isWithin(value, length);
            // Blanks at the end are added or taken away.
            case "character" -> isWithin(value, length) && !value.endsWith(" ");
            // A column's character set may not have other characters.
            case "varchar" -> isWithin(value, length) && isAscii(value);
            case "char" -> isWithin(value, length) && isAscii(value) && !value.endsWith(" ");
            case "text" -> value.length() <= TEXT_BYTES && isAscii(value);
            default -> false;
        };
    }

    private static boolean isWithin(String value, @Nullable String length) {
        return length != null && value.codePointCount(0, value.length()) <= Integer.parseInt(length);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 128);
    }
}
