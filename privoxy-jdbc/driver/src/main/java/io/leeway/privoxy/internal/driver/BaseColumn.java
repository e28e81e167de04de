package io.leeway.privoxy.internal.driver;

import java.lang.reflect.InvocationTargetException;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The column of a table that a result's column shows; names are empty where the driver does not tell.
 *
 * <p>Labels are the application's choice; only the base names tell which column is shown.
 *
 * @param catalog of the table
 * @param schema of the table
 * @param table that it belongs to
 * @param name of the column
 */
record BaseColumn(String catalog, String schema, String table, String name) {

    /** PostgreSQL's driver tells base names only through an interface of its own. */
    private static final String POSTGRESQL = "org.postgresql.PGResultSetMetaData";

    static BaseColumn of(ResultSetMetaData metaData, int column) throws SQLException {
        Class<?> own = postgresql(metaData);
        if (own != null) {
            return new BaseColumn(
                    "",
                    ask(own, metaData, "getBaseSchemaName", column),
                    ask(own, metaData, "getBaseTableName", column),
                    ask(own, metaData, "getBaseColumnName", column));
        }
        return new BaseColumn(
                Objects.requireNonNullElse(metaData.getCatalogName(column), ""),
                Objects.requireNonNullElse(metaData.getSchemaName(column), ""),
                Objects.requireNonNullElse(metaData.getTableName(column), ""),
                Objects.requireNonNullElse(metaData.getColumnName(column), ""));
    }

    /** Whether another column is of the same table. */
    boolean hasTableOf(BaseColumn other) {
        return catalog.equals(other.catalog) && schema.equals(other.schema) && table.equals(other.table);
    }

    /**
     * By name, since no driver is on the class path of this module; by the metadata's own loader, as there may be
     * several.
     */
    private static @Nullable Class<?> postgresql(ResultSetMetaData metaData) {
        try {
            Class<?> own = Class.forName(POSTGRESQL, false, metaData.getClass().getClassLoader());
            return own.isInstance(metaData) ? own : null;
        } catch (ClassNotFoundException | LinkageError absent) {
            return null;
        }
    }

    private static String ask(Class<?> type, ResultSetMetaData metaData, String method, int column)
            throws SQLException {
        try {
            Object name = type.getMethod(method, int.class).invoke(metaData, column);
            return name == null ? "" : name.toString();
        } catch (InvocationTargetException refused) {
            throw refused.getCause() instanceof SQLException real ? real : new SQLException(refused.getCause());
        } catch (ReflectiveOperationException changed) {
            return "";
        }
    }
}
