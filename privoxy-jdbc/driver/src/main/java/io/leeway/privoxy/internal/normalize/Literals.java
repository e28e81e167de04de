package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a literal is when it is compared with a column. Only readings that every setting of the database shares are
 * taken; for the rest there is no value, and the comparison becomes a function that nothing is assumed of.
 *
 * <p>What goes wrong otherwise is that the checker proves something of another value than the one that the database
 * compares with: {@code '1e0' = 1} holds in MariaDB, {@code '2024-1-1'} is a date to some, a text of a UUID can be
 * written in many ways. A value too few only refuses; a wrong one shows rows.
 */
final class Literals {

    // Plain decimal notation, as long as no database's type cuts it: no exponents, no hexadecimal digits.
    private static final Pattern NUMBER = Pattern.compile("[+-]?(?:[0-9]{1,60}|[0-9]{1,36}\\.[0-9]{1,36})");
    /**
     * Numbers that MariaDB compares exactly with a string, which it does in floating point. A double holds whole
     * numbers of 15 digits exactly, so comparing in floating point is comparing them.
     */
    private static final Pattern SMALL_WHOLE = Pattern.compile("-?[0-9]{1,15}");

    /** Characters that take no more than 63 bytes. In UTF-8 a character takes up to four bytes. */
    private static final int SURELY_A_NAME = 15;

    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern TIME = Pattern.compile("[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?");
    private static final Pattern TIMESTAMP =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?");

    /** Begins the equality of PostgreSQL's type of text without cases. */
    private static final String CITEXT = "citext:";

    private Literals() {}

    /** The value that the literal has as one of the type, or null if that is not certain. */
    static @Nullable Value as(LiteralKind kind, String text, ColumnType type, Dialect dialect) {
        if (!fits(kind, type, dialect)) {
            return null;
        }
        try {
            return switch (type.kind()) {
                case NUMBER -> number(kind, text, type, dialect);
                // PostgreSQL cuts longer names to 63 bytes.
                case TEXT -> type.sqlName().equals("name") && text.length() > SURELY_A_NAME ? null : Value.of(text);
                case BOOLEAN -> truth(kind, text);
                case UUID -> uuid(text, dialect);
                // Only as ISO 8601 has it: other notations are read by DateStyle, sql_mode or the locale.
                case DATE -> DATE.matcher(text).matches() ? Value.of(ValueKind.DATE, LocalDate.parse(text)) : null;
                case TIME -> TIME.matcher(text).matches() ? Value.of(ValueKind.TIME, LocalTime.parse(text)) : null;
                // Which moment it is for MariaDB's TIMESTAMP depends on the session's time zone.
                case TIMESTAMP -> type.hasExactEquality() ? timestamp(text) : null;
                // Of types of which nothing is known equal texts are equal values; different texts may be as well,
                // which fits() leaves to types whose equality is that of the text.
                case OPAQUE -> Value.of(ValueKind.OPAQUE, text);
                default -> null;
            };
            // The 30th of February: an error, NULL or a zero date, by database and mode.
        } catch (DateTimeException invalid) {
            return null;
        }
    }

    /** MariaDB compares texts of UUIDs where constants are equal ({@link EqualConstants}). */
    private static @Nullable Value uuid(String text, Dialect dialect) {
        if (!UUID_TEXT.matcher(text).matches()) {
            return null;
        }
        UUID uuid = UUID.fromString(text);
        return dialect == Dialect.MARIADB && !uuid.toString().equals(text) ? null : Value.of(ValueKind.UUID, uuid);
    }

    /**
     * Whether a literal of this kind, or a JDBC parameter ({@code kind == null}), takes the type of a column that it is
     * compared with. Otherwise the database compares in another way: it converts the column.
     *
     * <p>{@code WHERE text_column = 0} converts each text to a number on MariaDB and holds for all that do not begin
     * with a digit; {@code WHERE date_column = 20240101} reads a number as a date. Neither is an equality with a value
     * of the column's.
     */
    static boolean fits(@Nullable LiteralKind kind, ColumnType type, Dialect dialect) {
        if (!type.hasExactEquality() && (type.kind() == ValueKind.OPAQUE || isFloating(type))) {
            // What the comparison does depends on the other side's type.
            return false;
        }
        if (kind == null) {
            // A parameter is text, which PostgreSQL compares as such.
            return !type.equality().startsWith(CITEXT);
        }
        // PostgreSQL's N'…' is CHAR, which makes CHAR of the column too and compares without trailing blanks.
        // N'…' has its own type on PostgreSQL only.
        boolean string =
                kind == LiteralKind.STRING || (kind == LiteralKind.NATIONAL_STRING && dialect != Dialect.POSTGRESQL);
        return switch (type.kind()) {
            case NUMBER -> isNumber(kind, dialect) || string;
            case TEXT, UUID, OPAQUE -> string;
            case BOOLEAN ->
                kind == LiteralKind.BOOLEAN
                        || (string && dialect == Dialect.POSTGRESQL)
                        // H2 takes 1 and 0 for truth values beside such a column, PostgreSQL refuses the comparison,
                        // and MariaDB has no such type.
                        || (kind == LiteralKind.INTEGER && dialect == Dialect.H2);
            case DATE -> string || kind == LiteralKind.DATE;
            case TIME -> string || kind == LiteralKind.TIME;
            case TIMESTAMP -> string || kind == LiteralKind.TIMESTAMP;
            default -> false;
        };
    }

    /** PostgreSQL's numbers of any scale compare exactly, they only do not all look alike. */
    private static boolean isFloating(ColumnType type) {
        return type.kind() == ValueKind.NUMBER && !type.equality().equals("numeric");
    }

    /** The literal as an argument of a function: nothing is known but that the same literal is the same value. */
    static Value plain(LiteralKind kind, String text) {
        return switch (kind) {
            // Longer ones would cost time to read before anybody has asked whether a column holds such a number
            // (SixthAttackIT.longListsWideJoinsAndLongNumbersAreAnswered).
            case INTEGER -> text.length() <= 60 ? Value.of(new BigDecimal(text)) : opaque(kind, text);
            case STRING -> Value.of(text);
            case BOOLEAN -> Value.of("TRUE".equals(text));
            case NULL -> Value.NULL;
            default -> opaque(kind, text);
        };
    }

    private static Value opaque(LiteralKind kind, String text) {
        return Value.of(ValueKind.OPAQUE, kind + ":" + text);
    }

    /**
     * Whether the kind is a number that is compared exactly with exact numbers; MariaDB's TRUE and FALSE are 1 and 0.
     */
    static boolean isNumber(LiteralKind kind, Dialect dialect) {
        return kind == LiteralKind.INTEGER
                || kind == LiteralKind.DECIMAL
                || (kind == LiteralKind.BOOLEAN && dialect.has(DialectRule.TRUTH_IS_A_NUMBER))
                // 1e0 is a decimal number to PostgreSQL; to MariaDB it is of floating point and makes the comparison
                // one.
                || (kind == LiteralKind.FLOAT && dialect != Dialect.MARIADB);
    }

    private static @Nullable Value number(LiteralKind kind, String text, ColumnType type, Dialect dialect) {
        boolean string = kind == LiteralKind.STRING || kind == LiteralKind.NATIONAL_STRING;
        // A fraction, or a number of more digits, would be compared in floating point, where different decimals are
        // equal.
        if (string && dialect == Dialect.MARIADB) {
            return type.whole() && SMALL_WHOLE.matcher(text).matches() ? Value.of(new BigDecimal(text)) : null;
        }
        if (kind == LiteralKind.BOOLEAN) {
            return Value.of("TRUE".equalsIgnoreCase(text) ? 1L : 0L);
        }
        // PostgreSQL takes -1 for the oid 4294967295.
        return text.startsWith("-") && type.sqlName().equals("oid") ? null : exactNumber(text);
    }

    /** A number of reasonable length without exponent, or null. */
    static @Nullable Value exactNumber(String text) {
        // .5 and 5. are numbers in SQL.
        String padded = text.startsWith(".") ? "0" + text : text.endsWith(".") ? text + "0" : text;
        return NUMBER.matcher(padded).matches() ? Value.of(new BigDecimal(padded)) : null;
    }

    private static @Nullable Value truth(LiteralKind kind, String text) {
        if (kind == LiteralKind.INTEGER) {
            return "1".equals(text) ? Value.TRUE : "0".equals(text) ? Value.FALSE : null;
        }
        // The words that are the same everywhere; PostgreSQL also takes yes, on and prefixes of these.
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "t" -> Value.TRUE;
            case "false", "f" -> Value.FALSE;
            default -> null;
        };
    }

    private static @Nullable Value timestamp(String text) {
        if (DATE.matcher(text).matches()) {
            return Value.of(ValueKind.TIMESTAMP, LocalDate.parse(text).atStartOfDay());
        }
        return TIMESTAMP.matcher(text).matches()
                ? Value.of(ValueKind.TIMESTAMP, LocalDateTime.parse(text.replace(' ', 'T')))
                : null;
    }
}
