package io.leeway.privoxy.internal.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The meaning of a query: its rows, in any order. Parameters are bound to their numbers. */
record RowsMeaning(Connection connection) implements ReadingComparison.Meaning {

    @Override
    public @Nullable Object of(String sql) {
        try (var statement = connection.prepareStatement(sql)) {
            int parameters = statement.getParameterMetaData().getParameterCount();
            for (int i = 1; i <= parameters; i++) {
                statement.setInt(i, i);
            }
            if (!statement.execute()) {
                return null;
            }
            try (ResultSet result = statement.getResultSet()) {
                return rows(result);
            }
        } catch (SQLException notAccepted) {
            return null;
        }
    }

    private static List<String> rows(ResultSet result) throws SQLException {
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
