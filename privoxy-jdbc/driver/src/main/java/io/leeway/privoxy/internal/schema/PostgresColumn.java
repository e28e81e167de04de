package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/**
 * A column of PostgreSQL.
 *
 * <p>Whether {@code =} is identity depends on the base type and, for text, on the collation: with a deterministic
 * collation strings are equal only if they are the same bytes. Types that this class does not know are opaque and have
 * an equality of their own, if the database could index them by it; of the others, as those of geometry, a value need not be
 * equal to itself.
 *
 * <p>Types are known only from pg_catalog: one that somebody calls like a built-in type has an equality of its own
 * ({@code ThirdAttackIT}).
 *
 * @param baseType oid of its type, domains resolved
 * @param collation oid of its collation, 0 without
 */
record PostgresColumn(String name, ColumnType type, boolean notNull, long baseType, long collation) {

    private static final long TEXT = 25;
    private static final long VARCHAR = 1043;
    /** anyarray, record, anyenum, anyrange, anymultirange: what an operator class for a family of types takes. */
    private static final Set<Long> POLYMORPHIC = Set.of(2277L, 2249L, 3500L, 3831L, 4537L);

    private static final Set<String> WHOLE = Set.of("int2", "int4", "int8", "oid");
    /** Without bpchar, whose trailing blanks do not count when it is compared. */
    private static final Set<String> STRINGS = Set.of("text", "varchar", "name");

    private static final Set<String> NAMED = Set.of("name", "oid");

    private static final Map<String, ValueKind> EXACT = Map.of(
            "bool", ValueKind.BOOLEAN,
            "uuid", ValueKind.UUID,
            "date", ValueKind.DATE,
            "time", ValueKind.TIME,
            "timestamp", ValueKind.TIMESTAMP,
            "timestamptz", ValueKind.INSTANT,
            "bytea", ValueKind.BYTES);

    static PostgresColumn read(ResultSet row) throws SQLException {
        long collation = row.getLong(10);
        String declared = row.getString(3);
        String typeSchema = row.getString(6);
        String typeName = row.getString(7);
        String collationName = row.getString(11);
        // A deterministic collation compares bytes in the end, so its name does not matter for equality; any other
        // one does.
        String suffix = collationName == null || row.getBoolean(12) ? "" : ":" + collationName;
        boolean isIndexable = row.getBoolean(13);
        ColumnType type;
        // An enumeration's values are compared by identity, and shown by their names.
        if (row.getString(8).equals("e")) {
            type = ColumnType.exact(ValueKind.TEXT, declared);
            // A row type: IS NULL asks its fields, see RowValuesIT.
        } else if (row.getString(8).equals("c")) {
            type = ColumnType.row(typeSchema + '.' + typeName, declared);
        } else if (!isIndexable) {
            type = ColumnType.incomparable(typeSchema + '.' + typeName, declared);
        } else if (typeSchema.equals("pg_catalog")) {
            type = builtIn(typeName, row.getInt(9), suffix, declared);
        } else if (typeName.equals("citext")) {
            type = ColumnType.inexact(ValueKind.TEXT, "citext:" + collationName, declared);
        } else {
            type = ColumnType.inexact(ValueKind.OPAQUE, typeSchema + '.' + typeName + suffix, declared);
        }
        return new PostgresColumn(row.getString(2), type, row.getBoolean(4), row.getLong(5), collation);
    }

    private static ColumnType builtIn(String type, int modifier, String collation, String declared) {
        // Of these the server reads some constants as other ones, which is known of them by their names: not of a
        // domain.
        if (NAMED.contains(type) && !declared.equals(type)) {
            return ColumnType.inexact(ValueKind.OPAQUE, "domain of " + type, declared);
        }
        if (WHOLE.contains(type)) {
            return ColumnType.integer(declared);
        }
        if (STRINGS.contains(type)) {
            return collation.isEmpty()
                    ? ColumnType.exact(ValueKind.TEXT, declared)
                    : ColumnType.inexact(ValueKind.TEXT, "collation" + collation, declared);
        }
        if (type.equals("bpchar")) {
            return ColumnType.inexact(ValueKind.TEXT, "bpchar" + collation, declared);
        }
        if (type.equals("numeric")) {
            return numeric(modifier, declared);
        }
        ValueKind exact = EXACT.get(type);
        return exact != null
                ? ColumnType.exact(exact, declared)
                // Floating point is here, too: NaN, signed zeros and rounded texts are not as Java has them.
                : ColumnType.inexact(ValueKind.OPAQUE, type + collation, declared);
    }

    /** Without precision 1.5 and 1.50 are equal and look different; with it the scale is always the same. */
    private static ColumnType numeric(int modifier, String declared) {
        if (modifier < 4) {
            return ColumnType.inexact(ValueKind.NUMBER, "numeric", declared);
        }
        // PostgreSQL's own formula: since version 15 a scale may be negative.
        int scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024;
        return new ColumnType(ValueKind.NUMBER, "", scale <= 0, declared);
    }

    /**
     * Whether a unique index on this column forbids two values that the column's own {@code =} calls equal.
     *
     * @param input type that the index's operator class compares
     * @param isDefault whether that class is the default of this type
     * @param isPattern whether it compares by bytes
     * @param indexCollation collation of the index
     */
    boolean isComparedBy(long input, boolean isDefault, boolean isPattern, long indexCollation) {
        // Pattern classes compare bytes, which is the equality of deterministic collations.
        if (!isDefault && !(isPattern && type.hasExactEquality())) {
            return false;
        }
        boolean sameType = input == baseType || (input == TEXT && baseType == VARCHAR) || POLYMORPHIC.contains(input);
        return sameType && (indexCollation == collation || type.hasExactEquality());
    }
}
