package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one database session that change the reading of SQL: read in one round trip when the session begins,
 * and again after whatever may have changed them. Not thread-safe, as the connection.
 */
final class SessionStates {

    /** Setting that says that {@code ?} is no parameter: the text is not prepared. */
    static final String NO_PARAMETERS = "jdbc.parameters=off";
    /** Setting that says that JDBC escapes are not translated. */
    static final String NO_ESCAPES = "jdbc.escapes=off";

    private static final char SEPARATOR = '\u001f';

    private static final String POSTGRESQL = "SELECT array_to_string(current_schemas(true), chr(31)),"
            + " current_setting('standard_conforming_strings'), current_setting('transform_null_equals'),"
            + " CASE WHEN current_user = session_user THEN current_user END";
    private static final String MARIADB =
            "SELECT DATABASE(), @@sql_mode, @@sql_select_limit, @@character_set_client, @@collation_connection";
    private static final String H2 = "SELECT CURRENT_SCHEMA,"
            + " (SELECT STATE_COMMAND FROM INFORMATION_SCHEMA.SESSION_STATE WHERE STATE_KEY = 'SCHEMA_SEARCH_PATH'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'MODE'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'DATABASE_TO_UPPER'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'DATABASE_TO_LOWER'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS"
            + " WHERE SETTING_NAME = 'CASE_INSENSITIVE_IDENTIFIERS'),"
            + " (SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'NON_KEYWORDS')";

    private static final String NO_LIMIT = "18446744073709551615";

    /** Character sets in which a byte below 128 is always that character, so that no quote hides in another one. */
    private static final Set<String> ASCII_SAFE = Set.of("utf8", "utf8mb3", "utf8mb4", "ascii", "latin1", "binary");

    /** H2's modes in which text is read as here; the others have constructs and rules of other databases. */
    private static final Set<String> H2_MODES = Set.of("REGULAR", "STRICT");

    private static final System.Logger LOG = System.getLogger(SessionStates.class.getName());

    private final Connection raw;
    private final Dialect dialect;
    private final PrivoxyMode mode;

    private @Nullable Reading current;
    private long version;
    private boolean stale = true;
    private boolean changedInTransaction;

    SessionStates(Connection raw, Dialect dialect, PrivoxyMode mode) {
        this.raw = raw;
        this.dialect = dialect;
        this.mode = mode;
    }

    /** Rises when the state has changed. */
    long version() throws SQLException {
        reading();
        return version;
    }

    /** The state in which a text is read. */
    SessionState of(ReadingMode mode) throws SQLException {
        Reading reading = reading();
        if (mode.parameters()) {
            return mode.escapes() ? reading.prepared : reading.preparedWithoutEscapes;
        }
        return mode.escapes() ? reading.plain : reading.plainWithoutEscapes;
    }

    /** Whether the session itself cuts results short. */
    boolean cutsResults() throws SQLException {
        return reading().limited;
    }

    /** Something may have changed the state. */
    void invalidate() {
        if (mode != PrivoxyMode.OFF) {
            stale = true;
            changedInTransaction = true;
        }
    }

    /** A transaction has ended: settings made in it may have been taken back. */
    void transactionEnded() {
        if (changedInTransaction) {
            stale = true;
            changedInTransaction = false;
        }
    }

    /** Whether the state could not be read anew: only in a failed transaction, in which nothing runs but its end. */
    boolean isStale() {
        return stale;
    }

    /** Whether the state was changed since a transaction has ended. */
    boolean isChangedInTransaction() {
        return changedInTransaction;
    }

    private Reading reading() throws SQLException {
        Reading known = current;
        if (stale || known == null) {
            Reading fresh;
            try {
                fresh = read();
            } catch (SQLException failed) {
                if (known != null && OwnReads.IN_FAILED_TRANSACTION.equals(failed.getSQLState())) {
                    return known;
                }
                throw failed;
            }
            if (known == null || !known.equals(fresh)) {
                version++;
                current = fresh;
                known = fresh;
            }
            stale = false;
        }
        return known;
    }

    private Reading read() throws SQLException {
        if (mode == PrivoxyMode.OFF) {
            return Reading.of(List.of(), List.of(), false);
        }
        try (Statement statement = raw.createStatement();
                ResultSet row = statement.executeQuery(question())) {
            row.next();
            return switch (dialect) {
                case POSTGRESQL -> postgresql(row);
                case MARIADB -> mariadb(row);
                case H2 -> h2(row);
            };
        }
    }

    private String question() {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB -> MARIADB;
            case H2 -> H2;
        };
    }

    private Reading postgresql(ResultSet row) throws SQLException {
        if ("on".equals(row.getString(3))) {
            refuse("transform_null_equals = on", "off");
        }
        String schemas = Objects.requireNonNullElse(row.getString(1), "");
        var path = schemas.isEmpty() ? List.<String>of() : List.of(schemas.split(String.valueOf(SEPARATOR), -1));
        var settings = new ArrayList<>(List.of("standard_conforming_strings=" + row.getString(2)));
        String user = row.getString(4);
        if (user != null) {
            // No role was taken on: one may be named that changes nothing.
            settings.add(SessionState.USER + user);
        }
        return Reading.of(path, settings, false);
    }

    private Reading mariadb(ResultSet row) throws SQLException {
        String charset = Objects.requireNonNullElse(row.getString(4), "").toLowerCase(Locale.ROOT);
        if (!ASCII_SAFE.contains(charset)) {
            refuse("character_set_client = " + charset, "utf8mb4");
        }
        String database = row.getString(1);
        List<String> path = database == null ? List.of() : List.of(database);
        var settings = List.of("collation_connection=" + row.getString(5), "sql_mode=" + row.getString(2));
        return Reading.of(path, settings, !NO_LIMIT.equals(row.getString(3)));
    }

    private Reading h2(ResultSet row) throws SQLException {
        String sqlMode = Objects.requireNonNullElse(row.getString(3), "REGULAR").toUpperCase(Locale.ROOT);
        if (!H2_MODES.contains(sqlMode)) {
            refuse("MODE=" + sqlMode, "MODE=REGULAR");
        }
        if ("FALSE".equalsIgnoreCase(row.getString(4)) || "TRUE".equalsIgnoreCase(row.getString(5))) {
            refuse("names in another case than DATABASE_TO_UPPER=TRUE", "that, which is H2's default");
        }
        if ("TRUE".equalsIgnoreCase(row.getString(6))) {
            refuse("CASE_INSENSITIVE_IDENTIFIERS=TRUE", "FALSE, which is H2's default");
        }
        String words = row.getString(7);
        if (words != null && !words.isEmpty()) {
            refuse("NON_KEYWORDS=" + words, "quoted names");
        }
        var path = new ArrayList<String>();
        path.add(row.getString(1));
        String command = row.getString(2);
        if (command != null) {
            quotedNames(command).stream().filter(name -> !path.contains(name)).forEach(path::add);
        }
        return Reading.of(path, List.of("mode=" + sqlMode), false);
    }

    /** The identifiers in double quotes of a text that the database wrote. */
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

    private void refuse(String setting, String supported) throws PrivoxyFailureException {
        String detail = "The session has " + setting + ", with which SQL cannot be read safely; use " + supported + ".";
        if (mode == PrivoxyMode.ENFORCE) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.SESSION, detail);
        }
        LOG.log(System.Logger.Level.WARNING, "{0} mode: {1}", mode, detail);
    }

    /** What was read, with the four states that follow from it, so that no text needs a new object. */
    private record Reading(
            SessionState prepared,
            SessionState preparedWithoutEscapes,
            SessionState plain,
            SessionState plainWithoutEscapes,
            boolean limited) {

        static Reading of(List<String> path, List<String> settings, boolean limited) {
            return new Reading(
                    state(path, settings),
                    state(path, settings, NO_ESCAPES),
                    state(path, settings, NO_PARAMETERS),
                    state(path, settings, NO_PARAMETERS, NO_ESCAPES),
                    limited);
        }

        private static SessionState state(List<String> path, List<String> settings, String... more) {
            var all = new ArrayList<>(settings);
            all.addAll(List.of(more));
            all.sort(null);
            return new SessionState(path, all);
        }
    }
}
