package io.leeway.privoxy.internal.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a query: its rows, in any order. Parameters are bound to their numbers. Queries of very many rows, as a
 * recursion without end, count as not accepted.
 */
record RowsMeaning(Connection connection) implements ReadingComparison.Meaning {

    private static final int MAX_ROWS = 2_000;

    /**
     * What may be a parameter of PostgreSQL's own. Its driver passes it on without counting it, and the connection is of no
     * use any more once the server asks for its value.
     */
    private static final Pattern NUMBERED_PARAMETER = Pattern.compile("(?<![\\w$])\\$\\d");

    @Override
    public @Nullable Object of(String sql) {
        if (NUMBERED_PARAMETER.matcher(sql).find()) {
            return null;
        }
        try (var statement = connection.prepareStatement(sql)) {
            if (!connection.getMetaData().getDatabaseProductName().equals("MariaDB")) {
                // MariaDB's driver would put a SET STATEMENT before the text
                statement.setMaxRows(MAX_ROWS);
            }
            int parameters = statement.getParameterMetaData().getParameterCount();
            for (int i = 1; i <= parameters; i++) {
                statement.setInt(i, i);
            }
            if (!statement.execute()) {
                return null;
            }
            try (ResultSet result = statement.getResultSet()) {
                List<String> rows = rows(result);
                return rows.size() < MAX_ROWS ? rows : null;
            }
        } catch (SQLException | AssertionError notAccepted) {
            // H2 fails an assertion of its own at USING with a join on its right
            return null;
        }
    }

    /** The rows in an order of their own. */
    static List<String> rows(ResultSet result) throws SQLException {
        var rows = new ArrayList<String>();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            var row = new StringBuilder();
            for (int i = 1; i <= columns; i++) {
                row.append('|').append(result.getString(i));
            }
            rows.add(row.toString());
        }
        Collections.sort(rows);
        return rows;
    }
}
