package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.ColumnType;
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
