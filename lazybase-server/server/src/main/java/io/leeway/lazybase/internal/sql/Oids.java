package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's numbers of types. */
public final class Oids {

    private Oids() {}

    /** The type of a number, or null. */
    public static @Nullable ColumnType type(int oid) {
        for (ColumnType type : ColumnType.values()) {
            if (type.oid() == oid) {
                return type;
            }
        }
        return switch (oid) {
            case 18, 19, 1042 -> ColumnType.TEXT;
            case 26, 23 -> ColumnType.INTEGER;
            case 3802 -> ColumnType.JSON;
            default -> null;
        };
    }

    /** The type of the elements of an array; what has no array here is a text. */
    static int element(@Nullable RelDataType type) {
        SqlTypeName name = type == null ? SqlTypeName.VARCHAR : type.getSqlTypeName();
        return switch (name) {
            case BOOLEAN -> ColumnType.BOOLEAN.oid();
            case SMALLINT -> ColumnType.SMALLINT.oid();
            case INTEGER -> ColumnType.INTEGER.oid();
            case BIGINT -> ColumnType.BIGINT.oid();
            case DOUBLE, FLOAT -> ColumnType.DOUBLE.oid();
            default -> ColumnType.TEXT.oid();
        };
    }

    /** The number of a column's type; arrays that a query computes are texts with the elements' type as negative precision. */
    public static int of(Column column) {
        if (column.precision() >= 0) {
            return column.type().oid();
        }
        return switch (-column.precision()) {
            case 16 -> 1000;
            case 20 -> 1016;
            case 21 -> 1005;
            case 23 -> 1007;
            case 701 -> 1022;
            default -> 1009;
        };
    }

    /** How Calcite writes the type of a number; texts if it is not known. */
    static String sqlName(int oid) {
        ColumnType type = type(oid);
        if (type == null) {
            return "VARCHAR";
        }
        return switch (type) {
            case TEXT, VARCHAR, JSON -> "VARCHAR";
            case BYTEA -> "VARBINARY";
            case DECIMAL -> "DECIMAL(38, 10)";
            case TIMESTAMPTZ -> "TIMESTAMP";
            default -> type.name();
        };
    }
}
