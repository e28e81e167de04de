package io.leeway.privoxy.internal.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a query of one column to MariaDB: how it keeps a view of it. It prints the tree that it made of the text,
 * whatever rows there are.
 */
record MariaDbViewMeaning(Connection connection) implements ReadingComparison.Meaning {

    @Override
    public @Nullable Object of(String sql) {
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE OR REPLACE VIEW v (c1) AS " + sql);
            try (ResultSet result = statement.executeQuery(
                    "SELECT view_definition FROM information_schema.views WHERE table_name = 'v' AND table_schema = database()")) {
                result.next();
                return result.getString(1);
            }
        } catch (SQLException notAccepted) {
            return null;
        }
    }
}
