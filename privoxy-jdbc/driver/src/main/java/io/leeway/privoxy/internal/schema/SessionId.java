package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A session as its server calls it, so that other sessions can ask whether it is still there.
 *
 * <p>A number alone would not do: servers give numbers out again after a restart, and one process may talk to several
 * servers.
 *
 * @param server what tells the server, and its run, from others; the same through all addresses
 * @param account for whom a server may hide the sessions of others
 */
public record SessionId(Dialect dialect, long number, String server, String account) {

    private static final String NUMBER = "privoxy_session";
    private static final String SERVER = "privoxy_server";
    private static final String ACCOUNT = "privoxy_account";
    private static final String OWN = " AS " + NUMBER + ", ";

    /**
     * The start of the server tells its runs apart; names are qualified, since the question is asked under the
     * application's search path.
     */
    private static final String POSTGRESQL = "pg_catalog.pg_backend_pid()" + OWN
            + "CAST(extract(epoch FROM pg_catalog.pg_postmaster_start_time()) OPERATOR(pg_catalog.*) 1000 AS bigint) AS "
            + SERVER + ", '' AS " + ACCOUNT;

    private static final String MARIADB =
            "CONNECTION_ID()" + OWN + "CONCAT_WS('/', @@hostname, @@port, @@datadir, @@server_id) AS " + SERVER
                    + ", CURRENT_USER() AS " + ACCOUNT;
    private static final String H2 =
            "SESSION_ID()" + OWN + "CONCAT(DATABASE(), '/', DATABASE_PATH()) AS " + SERVER + ", '' AS " + ACCOUNT;

    /**
     * What a transaction has seen of the server's sessions it would see until its end.
     *
     * <p>PostgreSQL keeps what it showed of its statistics until the transaction ends.
     */
    private static final String POSTGRESQL_ANEW = "SELECT pg_catalog.pg_stat_clear_snapshot()";

    /**
     * Only one with this right sees the sessions of other accounts; one that does not see itself sees nothing.
     *
     * <p>The account is put together as the list of privileges writes it.
     */
    private static final String MARIADB_SIGHT = "EXISTS (SELECT 1 FROM information_schema.PROCESSLIST"
            + " WHERE ID = CONNECTION_ID()), EXISTS (SELECT 1 FROM information_schema.USER_PRIVILEGES"
            + " WHERE PRIVILEGE_TYPE = 'PROCESS' AND GRANTEE = CONCAT('''', LEFT(CURRENT_USER(),"
            + " CHAR_LENGTH(CURRENT_USER()) - CHAR_LENGTH(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)) - 1), '''@''',"
            + " SUBSTRING_INDEX(CURRENT_USER(), '@', -1), ''''))";

    private static final String H2_SIGHT =
            "TRUE, (SELECT IS_ADMIN FROM INFORMATION_SCHEMA.USERS" + " WHERE USER_NAME = CURRENT_USER)";

    /** What another session says of this one. */
    enum Presence {
        THERE,
        GONE,
        /** The other session is one of another server. */
        ELSEWHERE,
        /** The other session may not see it. */
        HIDDEN
    }

    /** What a session asks about itself, as columns of a query. */
    public static String columns(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB -> MARIADB;
            case H2 -> H2;
        };
    }

    /** The answer to {@link #columns}. */
    public static SessionId read(Dialect dialect, ResultSet row) throws SQLException {
        return new SessionId(
                dialect,
                row.getLong(NUMBER),
                String.valueOf(row.getString(SERVER)),
                String.valueOf(row.getString(ACCOUNT)));
    }

    /**
     * Whether the session is still there and may be at work, as another one of such a database says. One that asks
     * about itself has done whatever it was told before.
     */
    Presence presence(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            if (dialect == Dialect.POSTGRESQL) {
                statement.execute(POSTGRESQL_ANEW);
            }
            try (ResultSet row = statement.executeQuery(question())) {
                return row.next() ? presence(row) : Presence.HIDDEN;
            }
            // Not answered is not gone.
        } catch (SQLException notAnswered) {
            return Presence.HIDDEN;
        }
    }

    private Presence presence(ResultSet row) throws SQLException {
        SessionId asking = read(dialect, row);
        if (!asking.server.equals(server)) {
            return Presence.ELSEWHERE;
        }
        // The connection that asks is that session itself, taken again from a pool.
        if (asking.number == number) {
            return Presence.GONE;
        }
        if (row.getBoolean(1)) {
            return Presence.THERE;
        }
        boolean seesOwn = row.getBoolean(2);
        boolean seesAll = row.getBoolean(3);
        // Who does not even see himself in the list sees nobody, so the other's absence means nothing.
        return seesOwn && (seesAll || asking.isOfSameAccount(this)) ? Presence.GONE : Presence.HIDDEN;
    }

    private boolean isOfSameAccount(SessionId other) {
        return dialect == Dialect.MARIADB && account.equals(other.account);
    }

    private String question() {
        return switch (dialect) {
            case POSTGRESQL ->
                "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_stat_get_activity(" + number + ") s), TRUE, TRUE, "
                        + POSTGRESQL;
            case MARIADB ->
                "SELECT EXISTS (SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = " + number + "), "
                        + MARIADB_SIGHT + ", " + MARIADB + " LIMIT 1";
            case H2 ->
                "SELECT EXISTS (SELECT 1 FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = " + number + "), "
                        + H2_SIGHT + ", " + H2;
        };
    }
}
