package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.ColumnType;
import org.jspecify.annotations.Nullable;

/** Functions of PostgreSQL that its tools call. Their names are PostgreSQL's. Called by generated code. */
public final class PgFunctions {

    private PgFunctions() {}

    public static String version() {
        return "PostgreSQL 15.0 (LazyBase)";
    }

    public static String current_database() {
        return "lazybase";
    }

    public static String current_schema() {
        return "public";
    }

    public static String pg_encoding_to_char(@Nullable Integer encoding) {
        return "UTF8";
    }

    public static @Nullable String format_type(@Nullable Integer oid, @Nullable Integer modifier) {
        ColumnType type = oid == null ? null : Oids.type(oid);
        if (type == null) {
            return null;
        }
        int limit = modifier == null ? -1 : modifier - 4;
        return switch (type) {
            case BOOLEAN -> "boolean";
            case SMALLINT -> "smallint";
            case INTEGER -> "integer";
            case BIGINT -> "bigint";
            case REAL -> "real";
            case DOUBLE -> "double precision";
            case DECIMAL -> limit < 0 ? "numeric" : "numeric(" + (limit >> 16) + "," + (limit & 0xFFFF) + ")";
            case VARCHAR -> limit < 0 ? "character varying" : "character varying(" + limit + ")";
            case TIME -> "time without time zone";
            case TIMESTAMP -> "timestamp without time zone";
            case TIMESTAMPTZ -> "timestamp with time zone";
            default -> type.pgName();
        };
    }

    public static String pg_get_userbyid(@Nullable Integer oid) {
        return "lazybase";
    }

    public static boolean pg_table_is_visible(@Nullable Integer oid) {
        return oid != null && oid >= PgCatalog.FIRST_TABLE;
    }

    public static @Nullable String pg_get_expr(@Nullable String expression, @Nullable Integer relation) {
        return null;
    }

    public static @Nullable String obj_description(@Nullable Integer oid, @Nullable String catalog) {
        return null;
    }

    public static @Nullable String col_description(@Nullable Integer oid, @Nullable Integer column) {
        return null;
    }

    public static boolean pg_is_in_recovery() {
        return false;
    }

    public static int pg_backend_pid() {
        return 0;
    }
}
