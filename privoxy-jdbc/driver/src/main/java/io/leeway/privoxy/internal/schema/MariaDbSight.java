package io.leeway.privoxy.internal.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Of which tables an account is shown triggers and foreign keys. MariaDB shows the former only with the privilege
 * TRIGGER, the latter with any privilege but SELECT, and shows nothing at all instead of an error: whoever lacks them
 * cannot tell a table without triggers from one whose triggers are hidden.
 *
 * <p>Only privileges that are granted to the account itself count, since those that come from roles are not listed.
 * Grants on schemas are patterns of LIKE, and of those that match a schema the server follows the most specific one
 * alone; here all of them have to grant it.
 *
 * <p>If a trigger is hidden, a write may change any table while facts about it are believed
 * ({@code MariaDbHiddenTriggersIT}). So without a right that is known to show everything each write forgets everything.
 *
 * @param everywhere whether the privilege is granted on everything
 * @param schemas for patterns of schemas on which anything is granted, whether the privilege is
 * @param tables tables on which the privilege is granted
 */
record MariaDbSight(boolean everywhere, Map<String, Boolean> schemas, Set<TableId> tables) {

    private static final String GLOBAL = """
            SELECT GRANTEE FROM INFORMATION_SCHEMA.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'TRIGGER'
            """;
    private static final String SCHEMAS = """
            SELECT GRANTEE, TABLE_SCHEMA, PRIVILEGE_TYPE = 'TRIGGER' FROM INFORMATION_SCHEMA.SCHEMA_PRIVILEGES
            """;
    private static final String TABLES = """
            SELECT GRANTEE, TABLE_SCHEMA, TABLE_NAME FROM INFORMATION_SCHEMA.TABLE_PRIVILEGES
            WHERE PRIVILEGE_TYPE = 'TRIGGER'
            """;

    static MariaDbSight read(Connection connection) throws SQLException {
        String account = account(connection);
        var everywhere = new HashSet<String>();
        var schemas = new HashMap<String, Boolean>();
        var tables = new HashSet<TableId>();
        each(connection, GLOBAL, account, row -> everywhere.add(account));
        each(
                connection,
                SCHEMAS,
                account,
                row -> schemas.merge(row.getString(2), row.getBoolean(3), Boolean::logicalOr));
        each(connection, TABLES, account, row -> tables.add(new TableId(row.getString(2), row.getString(3))));
        return new MariaDbSight(!everywhere.isEmpty(), schemas, tables);
    }

    boolean includes(String schema, String table) {
        return everywhere || includes(schema) || tables.contains(new TableId(schema, table));
    }

    private boolean includes(String schema) {
        var matching = schemas.entrySet().stream()
                .filter(grant -> like(grant.getKey()).matcher(schema).matches())
                .map(Map.Entry::getValue)
                .toList();
        // The server follows the most specific pattern; which one that is depends on its order of patterns, so all
        // have to agree.
        return !matching.isEmpty() && !matching.contains(false);
    }

    /** A backslash takes the meaning from the character behind it, as {@code my\_app} is usually written. */
    private static Pattern like(String pattern) {
        var regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\' && i + 1 < pattern.length()) {
                i++;
                regex.append(Pattern.quote(pattern.substring(i, i + 1)));
            } else {
                regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    /** As the catalogue writes it: 'user'@'host'. */
    private static String account(Connection connection) throws SQLException {
        try (PreparedStatement statement = WholeAnswer.prepare(connection, "SELECT CURRENT_USER()");
                ResultSet row = statement.executeQuery()) {
            row.next();
            String account = row.getString(1);
            // The last one: a user's name may contain the sign, a host's may not.
            int at = account.lastIndexOf('@');
            return "'" + account.substring(0, at) + "'@'" + account.substring(at + 1) + "'";
        }
    }

    /** Rows about the account; names of accounts are compared here, as the catalogue's collation ignores case. */
    private static void each(Connection connection, String sql, String account, RowReader reader) throws SQLException {
        try (PreparedStatement statement = WholeAnswer.prepare(connection, sql);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                if (row.getString(1).equals(account)) {
                    reader.read(row);
                }
            }
        }
    }

    @FunctionalInterface
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }
}
