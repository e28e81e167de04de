package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.schema.SessionId;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SessionSettings;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server for the {@link SessionSettings} of a session, and for what it says it is, in one round trip; refuses
 * those with which SQL cannot be read safely. Not thread-safe, as the connection.
 *
 * <p>A list of what is harmless would never be complete, and one of what is not neither; so the settings on which
 * something depends are asked for by name, and a text that sets anything else is refused ({@code SettingsCasesIT}).
 */
final class SettingsReader {

    /** Ends the identity of a server that has no name of its own. */
    static final String NAMELESS = "\u001f-";

    /** Where a database of H2's is that is in memory. */
    static final String NO_PLACE = String.valueOf((Object) null);

    /** Between the parts of an identity, and of what values mean. */
    static final char SEPARATOR = '\u001f';

    /** All of it by its own schema: temporary tables, and whatever the search path has before, have names of their choice. */
    private static final String POSTGRESQL =
            "SELECT pg_catalog.array_to_string(pg_catalog.current_schemas(true), pg_catalog.chr(31)),"
                    + " pg_catalog.current_setting('standard_conforming_strings'),"
                    + " pg_catalog.current_setting('transaction_isolation'),"
                    + " CASE WHEN current_user OPERATOR(pg_catalog.=) session_user THEN current_user END,"
                    + " pg_catalog.concat_ws(pg_catalog.chr(31), (SELECT d.oid FROM pg_catalog.pg_database d"
                    + " WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()),"
                    + " extract(epoch FROM pg_catalog.pg_postmaster_start_time()), pg_catalog.inet_server_addr(),"
                    + " pg_catalog.inet_server_port(), session_user)";

    private static final String MARIADB = "SELECT DATABASE(), @@sql_mode, @@sql_select_limit, @@character_set_client,"
            + " @@collation_connection, CURRENT_USER(), @@hostname, @@port, @@datadir, @@server_id";
    private static final String H2 = "SELECT CURRENT_SCHEMA,"
            + " (SELECT STATE_COMMAND FROM INFORMATION_SCHEMA.SESSION_STATE WHERE STATE_KEY = 'SCHEMA_SEARCH_PATH'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'MODE'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'DATABASE_TO_UPPER'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'DATABASE_TO_LOWER'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS"
            + " WHERE SETTING_NAME = 'CASE_INSENSITIVE_IDENTIFIERS'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'NON_KEYWORDS'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'TIME ZONE'),"
            + " (SELECT ISOLATION_LEVEL FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = SESSION_ID()),"
            + " DATABASE_PATH()";

    private static final String NO_LIMIT = "18446744073709551615";

    /**
     * Character sets in which a byte below 128 is always that character, so that no quote hides in another one.
     *
     * <p>In SJIS and GBK the second byte of a character may be a backslash or a quote: the server would see the end
     * of a string where there is none for us.
     */
    private static final Set<String> ASCII_SAFE = Set.of("utf8", "utf8mb3", "utf8mb4", "ascii", "latin1", "binary");

    /** Begins the names of MariaDB's collations of all letters. */
    private static final String UNICODE = "utf8";

    /** H2's modes in which text is read as here; the others have constructs and rules of other databases. */
    private static final Set<String> H2_MODES = Set.of("REGULAR", "STRICT");

    private final Connection raw;
    private final Dialect dialect;
    private final PrivoxyMode mode;
    private final OwnTables ownTables;
    private final SessionRefusal refusal;
    private @Nullable SessionId sessionId;

    SettingsReader(Connection raw, Dialect dialect, PrivoxyMode mode, OwnTables ownTables) {
        this.raw = raw;
        this.dialect = dialect;
        this.mode = mode;
        this.ownTables = ownTables;
        this.refusal = new SessionRefusal(mode);
    }

    /** The server's session, as it was when it was asked last; null if it was not. */
    @Nullable
    SessionId sessionId() {
        return sessionId;
    }

    /** What the server says now; nothing is asked where nothing is checked. */
    SettingsReading read() throws SQLException {
        if (mode == PrivoxyMode.OFF) {
            return SettingsReading.of(dialect, List.of(), List.of(), false, "", Isolation.unknown(dialect), "");
        }
        try (Statement statement = raw.createStatement();
                ResultSet row = statement.executeQuery(question())) {
            row.next();
            // In the same round trip, as all of it is needed at the beginning of a session.
            sessionId = SessionId.read(dialect, row);
            return switch (dialect) {
                case POSTGRESQL -> postgresql(row);
                case MARIADB -> mariadb(row);
                case H2 -> h2(row);
            };
        }
    }

    private String question() throws SQLException {
        return settings() + ", " + SessionId.columns(dialect);
    }

    private String settings() throws SQLException {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRESQL + asked(name -> ", current_setting('" + name + "')");
            case MARIADB ->
                MARIADB + ", @@" + isolationVariable() + ", " + serverVariable() + asked(name -> ", @@" + name);
            // What changes the meaning of values on H2, the time zone, is among its columns.
            case H2 -> H2;
        };
    }

    private String asked(UnaryOperator<String> question) throws SQLException {
        return Stream.concat(
                        SessionSettings.demands(dialect).keySet().stream(),
                        SessionSettings.meaning(dialect, isMariaDb()).stream())
                .map(question)
                .collect(Collectors.joining());
    }

    /** Reads the settings that were asked for at the end of the question: refuses some, and says what the others are. */
    private String meaning(ResultSet row, int first) throws SQLException {
        int column = first;
        for (Map.Entry<String, String> demand : SessionSettings.demands(dialect).entrySet()) {
            String value = row.getString(column++);
            // Such a session would have other keys or other comparisons than the checker believes
            // (foreign_key_checks = 0, sql_auto_is_null).
            if (!demand.getValue().equals(value)) {
                refusal.ofSetting(demand.getKey() + " = " + value, demand.getValue());
            }
        }
        var text = new StringBuilder();
        for (String name : SessionSettings.meaning(dialect, isMariaDb())) {
            text.append(name).append('=').append(row.getString(column++)).append(SEPARATOR);
        }
        return text.toString();
    }

    private SettingsReading postgresql(ResultSet row) throws SQLException {
        String schemas = Objects.requireNonNullElse(row.getString(1), "");
        var path = schemas.isEmpty() ? List.<String>of() : List.of(schemas.split(String.valueOf(SEPARATOR), -1));
        int own = path.indexOf("pg_catalog");
        // With a schema before pg_catalog somebody's function or type would take the place of PostgreSQL's own
        // (ThirdAttackIT).
        if (own > 0
                && !path.subList(0, own).stream().allMatch(schema -> schema.startsWith(OwnTables.TEMPORARY_SCHEMA))) {
            refusal.ofSetting(
                    "search_path with other schemas before pg_catalog",
                    "one without pg_catalog, which comes first then");
        }
        var settings = new ArrayList<>(List.of("standard_conforming_strings=" + row.getString(2)));
        String user = row.getString(4);
        if (user != null) {
            // No role was taken on: one may be named that changes nothing.
            settings.add(SessionState.USER + user);
        }
        String meaning = "user=" + user + SEPARATOR + meaning(row, 6);
        return SettingsReading.of(
                dialect,
                path,
                ownTables.inSettings(settings),
                false,
                meaning,
                Isolation.of(row.getString(3), dialect),
                row.getString(5));
    }

    private SettingsReading mariadb(ResultSet row) throws SQLException {
        String charset = Objects.requireNonNullElse(row.getString(4), "").toLowerCase(Locale.ROOT);
        if (!ASCII_SAFE.contains(charset)) {
            refusal.ofSetting("character_set_client = " + charset, "utf8mb4");
        }
        String collation = Objects.requireNonNullElse(row.getString(5), "");
        if (!collation.startsWith(UNICODE)) {
            // Letters that the connection's character set does not have would all be question marks in texts.
            refusal.ofSetting("collation_connection = " + collation, "one of utf8mb4");
        }
        String database = row.getString(1);
        List<String> path = database == null ? List.of() : List.of(database);
        var settings = List.of("collation_connection=" + collation, "sql_mode=" + row.getString(2));
        var identity = new StringBuilder();
        for (int column : new int[] {6, 7, 8, 9, 10, 12}) {
            identity.append(SEPARATOR).append(row.getString(column));
        }
        return SettingsReading.of(
                dialect,
                ownTables.onPath(path),
                ownTables.inSettings(settings),
                !NO_LIMIT.equals(row.getString(3)),
                database + SEPARATOR + meaning(row, 13),
                Isolation.of(row.getString(11), dialect),
                identity.toString());
    }

    private boolean isMariaDb() throws SQLException {
        DatabaseMetaData server = raw.getMetaData();
        return dialect == Dialect.MARIADB
                && (server.getDatabaseProductName() + server.getDatabaseProductVersion())
                        .toLowerCase(Locale.ROOT)
                        .contains("mariadb");
    }

    /** MySQL's name, which MariaDB has taken over. */
    private String isolationVariable() throws SQLException {
        return isMariaDb() && !isAtLeast(11, 1) ? "tx_isolation" : "transaction_isolation";
    }

    /** What only one server has; old ones have nothing of the kind. */
    private String serverVariable() throws SQLException {
        if (!isMariaDb()) {
            return "@@server_uuid";
        }
        return isAtLeast(10, 11) ? "@@server_uid" : "'-'";
    }

    private boolean isAtLeast(int major, int minor) throws SQLException {
        DatabaseMetaData server = raw.getMetaData();
        return server.getDatabaseMajorVersion() > major
                || server.getDatabaseMajorVersion() == major && server.getDatabaseMinorVersion() >= minor;
    }

    private SettingsReading h2(ResultSet row) throws SQLException {
        String sqlMode = Objects.requireNonNullElse(row.getString(3), "REGULAR").toUpperCase(Locale.ROOT);
        if (!H2_MODES.contains(sqlMode)) {
            refusal.ofSetting("MODE=" + sqlMode, "MODE=REGULAR");
        }
        // Names would be found otherwise than the checker finds them.
        if ("FALSE".equalsIgnoreCase(row.getString(4)) || "TRUE".equalsIgnoreCase(row.getString(5))) {
            refusal.ofSetting("names in another case than DATABASE_TO_UPPER=TRUE", "that, which is H2's default");
        }
        if ("TRUE".equalsIgnoreCase(row.getString(6))) {
            refusal.ofSetting("CASE_INSENSITIVE_IDENTIFIERS=TRUE", "FALSE, which is H2's default");
        }
        String words = row.getString(7);
        if (words != null && !words.isEmpty()) {
            refusal.ofSetting("NON_KEYWORDS=" + words, "quoted names");
        }
        var path = new ArrayList<String>();
        path.add(row.getString(1));
        String command = row.getString(2);
        if (command != null) {
            quotedNames(command).stream().filter(name -> !path.contains(name)).forEach(path::add);
        }
        return SettingsReading.of(
                dialect,
                ownTables.onPath(path),
                ownTables.inSettings(List.of("mode=" + sqlMode)),
                false,
                path + row.getString(8),
                Isolation.of(row.getString(9), dialect),
                String.valueOf(row.getString(10)));
    }

    /**
     * The identifiers in double quotes of a text that the database wrote.
     *
     * <p>H2 shows the path as the command that sets it.
     */
    private static List<String> quotedNames(String command) {
        var names = new ArrayList<String>();
        int at = command.indexOf('"');
        while (at >= 0) {
            var name = new StringBuilder();
            int next = at + 1;
            while (command.charAt(next) != '"' || (next + 1 < command.length() && command.charAt(next + 1) == '"')) {
                next += command.charAt(next) == '"' ? 1 : 0;
                name.append(command.charAt(next++));
            }
            names.add(name.toString());
            at = command.indexOf('"', next + 1);
        }
        return names;
    }
}
