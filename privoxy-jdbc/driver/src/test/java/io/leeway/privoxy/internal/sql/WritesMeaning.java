package io.leeway.privoxy.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The meaning of a statement that writes: what it gives back, and what the tables hold then; all of it is taken back. */
record WritesMeaning(Connection connection, List<String> tables) implements ReadingComparison.Meaning {

    @Override
    public @Nullable Object of(String sql) {
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            try {
                var seen = new ArrayList<Object>();
                if (statement.execute(sql)) {
                    seen.add(RowsMeaning.rows(statement.getResultSet()));
                } else {
                    seen.add(statement.getUpdateCount());
                }
                for (String table : tables) {
                    seen.add(RowsMeaning.rows(statement.executeQuery("SELECT * FROM " + table)));
                }
                return seen;
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException notAccepted) {
            return null;
        }
    }
}
