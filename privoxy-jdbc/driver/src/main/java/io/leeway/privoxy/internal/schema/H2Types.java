package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Types of H2. Strings compare by identity unless the database has a collation or the type ignores case; enumerations
 * ignore case and spaces around when compared with a string.
 *
 * <p>Where it is not certain that Java's equality is the database's, the type gets an equality of its own name: then
 * only columns of the same name compare with each other, and a value of Java's proves nothing about them.
 */
final class H2Types {

    private static final Set<String> WHOLE = Set.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT");
    private static final Map<String, ValueKind> EXACT = Map.of(
            "BOOLEAN", ValueKind.BOOLEAN,
            "UUID", ValueKind.UUID,
            "DATE", ValueKind.DATE,
            "TIME", ValueKind.TIME,
            "TIMESTAMP", ValueKind.TIMESTAMP,
            "BINARY", ValueKind.BYTES,
            "BINARY VARYING", ValueKind.BYTES,
            "BINARY LARGE OBJECT", ValueKind.BYTES);
    /**
     * Trailing blanks of a CHARACTER do not count in comparisons; an ENUM equals a string by its letters in any case;
     * an instant's offset is shown and not compared.
     */
    private static final Map<String, ValueKind> INEXACT = Map.of(
            "VARCHAR_IGNORECASE", ValueKind.TEXT,
            "CHARACTER", ValueKind.TEXT,
            "ENUM", ValueKind.TEXT,
            "DECFLOAT", ValueKind.NUMBER,
            "TIMESTAMP WITH TIME ZONE", ValueKind.INSTANT);

    private H2Types() {}

    static ColumnType of(ResultSet row) throws SQLException {
        String type = row.getString(4);
        String collation = row.getString(7);
        // A comparison that comes to a NULL inside is unknown in H2, so a = a may be unknown for a value
        // that is not NULL (RowValuesIT).
        if (type.equals("ARRAY") || type.equals("ROW")) {
            return ColumnType.inexact(ValueKind.OPAQUE, type.toLowerCase(Locale.ROOT), type);
        }
        // SET COLLATION holds for the whole database and changes the equality of all texts.
        boolean collated = collation != null && !collation.equals("OFF");
        if (WHOLE.contains(type)) {
            return ColumnType.integer(type);
        }
        if (type.equals("NUMERIC")) {
            int scale = row.getInt(6);
            String name = type + '(' + row.getString(10) + ", " + scale + ')';
            return new ColumnType(ValueKind.NUMBER, "", scale == 0, name);
        }
        if (type.equals("CHARACTER VARYING") || type.equals("CHARACTER LARGE OBJECT")) {
            return collated ? ColumnType.inexact(ValueKind.TEXT, collation(type, collation), type) : text(type);
        }
        ValueKind exact = EXACT.get(type);
        if (exact != null) {
            return ColumnType.exact(exact, type);
        }
        String equality = type.toLowerCase(Locale.ROOT);
        ValueKind kind = INEXACT.getOrDefault(type, ValueKind.OPAQUE);
        return ColumnType.inexact(kind, collated ? collation(equality, collation) : equality, type);
    }

    private static ColumnType text(String type) {
        return ColumnType.exact(ValueKind.TEXT, type);
    }

    private static String collation(String type, String collation) {
        return type.toLowerCase(Locale.ROOT) + ':' + collation;
    }
}
