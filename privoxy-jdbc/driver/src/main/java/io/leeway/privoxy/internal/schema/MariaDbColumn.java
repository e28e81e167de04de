package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A column of MariaDB or MySQL.
 *
 * <p>Nearly all collations call different strings equal: those that ignore case or accents, and also
 * {@code utf8mb4_bin}, which ignores trailing spaces. Only the binary collations without padding compare by identity.
 * The equality has the collation's name, so that columns with one collation compare with each other.
 *
 * <p>A type is exact only if MariaDB compares, shows and stores one form of each value; all others compare with columns
 * of the same equality alone.
 *
 * @param notNull whether {@code IS NULL} is never true
 */
record MariaDbColumn(String name, ColumnType type, boolean notNull, boolean hidden) {

    private static final Set<String> INTEGERS = Set.of("tinyint", "smallint", "mediumint", "int", "bigint");
    private static final Set<String> STRINGS = Set.of("varchar", "tinytext", "text", "mediumtext", "longtext");
    /** BINARY is padded with zero bytes when it is stored and compared as it is stored. */
    private static final Map<String, ValueKind> EXACT = Map.of(
            "uuid", ValueKind.UUID,
            "date", ValueKind.DATE,
            "time", ValueKind.TIME,
            "datetime", ValueKind.TIMESTAMP,
            "binary", ValueKind.BYTES,
            "varbinary", ValueKind.BYTES,
            "tinyblob", ValueKind.BYTES,
            "blob", ValueKind.BYTES,
            "mediumblob", ValueKind.BYTES,
            "longblob", ValueKind.BYTES);

    static MariaDbColumn read(ResultSet row) throws SQLException {
        String type = row.getString(3).toLowerCase(Locale.ROOT);
        String extra = row.getString(8);
        // IS NULL is true for the zero dates of NOT NULL columns of these types.
        boolean isRequired = row.getString(6).equals("NO");
        boolean hasZeroDates = isRequired && (type.equals("date") || type.equals("datetime"));
        ColumnType read = type(type, row.getString(4), row.getString(5), row.getInt(7));
        return new MariaDbColumn(
                row.getString(2),
                hasZeroDates ? read.withZeroDates() : read,
                isRequired && !hasZeroDates,
                extra != null && extra.toUpperCase(Locale.ROOT).contains("INVISIBLE"));
    }

    private static ColumnType type(String type, String declared, @Nullable String collation, int scale) {
        if (INTEGERS.contains(type)) {
            return ColumnType.integer(declared);
        }
        // Columns of one scale, so equal numbers look alike.
        if (type.equals("decimal")) {
            return new ColumnType(ValueKind.NUMBER, "", scale == 0, declared);
        }
        if (STRINGS.contains(type) && collation != null) {
            return isIdentity(collation)
                    ? ColumnType.exact(ValueKind.TEXT, declared)
                    : ColumnType.inexact(ValueKind.TEXT, collation, declared);
        }
        if (collation != null) {
            return padded(type, declared, collation);
        }
        ValueKind exact = EXACT.get(type);
        if (exact != null) {
            return ColumnType.exact(exact, declared);
        }
        // The clock's hour that daylight saving repeats: two instants that look the same.
        return type.equals("timestamp")
                ? ColumnType.inexact(ValueKind.TIMESTAMP, type, declared)
                : ColumnType.inexact(ValueKind.OPAQUE, type, declared);
    }

    /** CHAR, ENUM and SET: what is read is not what is stored, so that even a binary collation is not identity. */
    private static ColumnType padded(String type, String declared, String collation) {
        String equality = isIdentity(collation) ? type + ':' + collation : collation;
        return ColumnType.inexact(ValueKind.TEXT, equality, declared);
    }

    private static boolean isIdentity(String collation) {
        return collation.endsWith("_nopad_bin") || collation.equals("utf8mb4_0900_bin");
    }
}
