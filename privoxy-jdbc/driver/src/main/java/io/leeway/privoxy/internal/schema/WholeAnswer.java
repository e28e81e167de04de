package io.leeway.privoxy.internal.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Questions to MariaDB's catalogue, whose answers no setting of the application's session may cut.
 *
 * <p>An application that set {@code sql_select_limit = 1} had the catalogue cut to one key, one foreign key, one
 * trigger, and what was left out was not there to the checker ({@code DriverLeftoversIT.noSettingCutsTheCatalogue}). A
 * limit in the text wins over the setting.
 */
final class WholeAnswer {

    /** Wins over {@code sql_select_limit}, which holds for what has no limit of its own. */
    private static final String NO_LIMIT = " LIMIT 18446744073709551615";

    private WholeAnswer() {}

    static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(sql + NO_LIMIT);
    }
}
