package io.leeway.privoxy.internal.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a query to PostgreSQL: how it prints a view of it, parentheses and all. Names of columns are left out, as
 * a print names them otherwise.
 */
record ViewMeaning(Connection connection) implements ReadingComparison.Meaning {

    @Override
    public @Nullable Object of(String sql) {
        try (var statement = connection.createStatement()) {
            statement.execute("DROP VIEW IF EXISTS v");
            // through a subquery whose columns are named by place, so that two columns may have one name
            statement.execute("CREATE TEMP VIEW v ("
                    + String.join(", ", List.of("c1", "c2", "c3", "c4").subList(0, columns(sql))) + ") AS " + sql);
            try (ResultSet result = statement.executeQuery("SELECT pg_get_viewdef('v'::regclass)")) {
                result.next();
                return result.getString(1);
            }
        } catch (SQLException notAccepted) {
            return null;
        }
    }

    private int columns(String sql) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            var metaData = statement.getMetaData();
            int columns = metaData == null ? 0 : metaData.getColumnCount();
            if (columns < 1 || columns > 4) {
                throw new SQLException("no query of one to four columns");
            }
            return columns;
        }
    }
}
