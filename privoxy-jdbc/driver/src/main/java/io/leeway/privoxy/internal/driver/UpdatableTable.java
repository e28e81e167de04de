package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The one table that an updatable result is of.
 *
 * <p>What is not certain is a refusal with the remedy: an UPDATE statement says what it means. Immutable.
 *
 * @param name quoted and qualified
 * @param names of the columns, quoted, by position in the result
 * @param keyColumns positions of the primary key's columns in the result
 */
record UpdatableTable(String name, Map<Integer, String> names, List<Integer> keyColumns) {

    /**
     * Whether a name means a table, and no other table has that name unless the schema stands with it.
     *
     * <p>PostgreSQL's driver asks the catalogue for the key by the bare name, so a table of that name in another schema
     * could give its key.
     */
    private static final String ONE_TABLE = "SELECT to_regclass(?) = to_regclass(?) AND"
            + " ((SELECT count(*) FROM pg_catalog.pg_class WHERE relname = ? AND relkind IN ('r', 'p', 'f', 'v', 'm')) = 1"
            + " OR ?)";

    static UpdatableTable of(Session session, ResultSet result) throws SQLException {
        Map<Integer, BaseColumn> columns =
                baseColumns(result.getMetaData(), session.target().dialect() == Dialect.POSTGRESQL);
        BaseColumn any = columns.values().iterator().next();
        DatabaseMetaData metaData = session.raw().getMetaData();
        String quote = metaData.getIdentifierQuoteString().strip();
        // What MariaDB calls a database JDBC calls a catalogue.
        String qualifier = session.target().dialect() == Dialect.MARIADB ? any.catalog() : any.schema();
        // A bare name could lead to another table by the search path.
        if (qualifier.isEmpty() || quote.isEmpty()) {
            throw refusal("the driver does not tell the table's schema");
        }
        var names = new TreeMap<Integer, String>();
        columns.forEach((position, column) -> names.put(position, quoted(column.name(), quote)));
        String name = quoted(qualifier, quote) + '.' + quoted(any.table(), quote);
        return new UpdatableTable(name, names, keyColumns(metaData, any, columns));
    }

    /** All columns, separated by commas. */
    String columns() {
        return String.join(", ", names.values());
    }

    /**
     * Name of the column at a position of the result.
     *
     * <p>An expression, or a column of nowhere, cannot be written.
     */
    String column(int position) throws SQLException {
        String column = names.get(position);
        if (column == null) {
            throw refusal("column " + position + " is not one of the table");
        }
        return column;
    }

    /** The condition that finds a row by its key. */
    String where() {
        var parts = new ArrayList<String>();
        for (int position : keyColumns) {
            parts.add(names.get(position) + " = ?");
        }
        return " WHERE " + String.join(" AND ", parts);
    }

    /**
     * PostgreSQL's driver reads the table out of the text by itself and asks for its key by the name alone: what it
     * takes has to be this table.
     */
    void checkDriverTakesIt(Session session, @Nullable String text) throws SQLException {
        DriverText.Table taken = text == null ? null : DriverText.tableOf(text);
        // SELECT id, name /* from salaries */ FROM users: the driver took salaries.
        if (taken == null) {
            throw refusal("the driver may take another table from the text; write SELECT columns FROM table first,"
                    + " without comments, strings or brackets before it");
        }
        String quoted = (taken.schema() == null ? "" : quoted(taken.schema(), "\"") + '.') + quoted(taken.name(), "\"");
        boolean isSame = session.ownRead(raw -> {
            try (PreparedStatement question = raw.prepareStatement(ONE_TABLE)) {
                question.setString(1, quoted);
                question.setString(2, name);
                question.setString(3, taken.name());
                question.setBoolean(4, taken.schema() != null);
                try (ResultSet answer = question.executeQuery()) {
                    return answer.next() && answer.getBoolean(1);
                }
            }
        });
        if (!isSame) {
            throw refusal("the driver may take another table of the same name; write its schema");
        }
    }

    private static Map<Integer, BaseColumn> baseColumns(ResultSetMetaData metaData, boolean own) throws SQLException {
        var columns = new TreeMap<Integer, BaseColumn>();
        BaseColumn first = null;
        for (int position = 1; position <= metaData.getColumnCount(); position++) {
            BaseColumn column = BaseColumn.of(metaData, position);
            // An expression; drivers do not write it.
            if (column.table().isEmpty() || column.name().isEmpty()) {
                continue;
            }
            // PostgreSQL's driver writes by labels, so a label that is another column's name would write that one.
            if (own && !column.name().equals(metaData.getColumnLabel(position))) {
                throw refusal("the column " + column.name() + " has another name here");
            }
            first = first == null ? column : first;
            if (!column.hasTableOf(first)) {
                throw refusal("the result is of several tables");
            }
            columns.put(position, column);
        }
        if (columns.isEmpty()) {
            throw refusal("the driver does not tell the table");
        }
        return columns;
    }

    private static List<Integer> keyColumns(
            DatabaseMetaData metaData, BaseColumn table, Map<Integer, BaseColumn> columns) throws SQLException {
        var positions = new HashMap<String, Integer>();
        columns.forEach((position, column) -> positions.putIfAbsent(column.name(), position));
        String catalog = table.catalog().isEmpty() ? null : table.catalog();
        String schema = table.schema().isEmpty() ? null : table.schema();
        var keys = new ArrayList<Integer>();
        try (ResultSet key = metaData.getPrimaryKeys(catalog, schema, table.table())) {
            while (key.next()) {
                Integer position = positions.get(key.getString("COLUMN_NAME"));
                if (position == null) {
                    // The driver would find rows by less than a key.
                    throw refusal("the result lacks a column of the primary key");
                }
                keys.add(position);
            }
        }
        if (keys.isEmpty()) {
            throw refusal("the table has no primary key");
        }
        return List.copyOf(keys);
    }

    private static String quoted(String name, String quote) {
        return quote + name.replace(quote, quote + quote) + quote;
    }

    /** Always with a way that works: a statement of its own. */
    private static UnsupportedQueryException refusal(String why) {
        return UnsupportedQueryException.call(
                "changing rows through this result: " + why, "Use an UPDATE, INSERT or DELETE statement.");
    }
}
