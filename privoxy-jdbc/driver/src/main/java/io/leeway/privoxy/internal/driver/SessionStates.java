package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.guard.Audit;
import io.leeway.privoxy.internal.guard.GuardFactory;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.schema.LiveSchema;
import io.leeway.privoxy.internal.schema.SessionId;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SessionSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The {@link SessionSettings} of one database session, and what the server says it is: read in one round trip when the
 * session begins, and again after whatever may have moved them. Not thread-safe, as the connection.
 *
 * <p>A list of what is harmless would never be complete, and one of what is not neither; so the settings on which
 * something depends are asked for by name ({@link SessionSettings}), and a text that sets anything else is refused
 * ({@code SettingsCasesIT}).
 */
final class SessionStates {

    /** Setting that says that {@code ?} is no parameter: the text is not prepared. */
    static final String NO_PARAMETERS = "jdbc.parameters=off";
    /** Setting that says that JDBC escapes are not translated. */
    static final String NO_ESCAPES = "jdbc.escapes=off";

    /** PostgreSQL's state of a transaction in which a statement has failed. */
    static final String IN_FAILED_TRANSACTION = "25P02";

    /** Ends the identity of a server that has no name of its own. */
    static final String NAMELESS = "\u001f-";

    /** PostgreSQL's default, with which a backslash in a literal is one. */
    private static final String CONFORMING = "standard_conforming_strings=on";

    /** Where a database of H2's is that is in memory. */
    static final String NO_PLACE = String.valueOf((Object) null);

    private static final List<String> USUAL = List.of(CONFORMING);

    /**
     * Begins the name of a schema of the session's own tables; PostgreSQL calls it so. What is found on a path with one is
     * kept for nobody else.
     */
    private static final String TEMPORARY_SCHEMA = "pg_temp";
    /** Begins the setting that tells sessions with tables of their own apart. */
    private static final String TEMPORARY = "temporary tables=";
    /** In the texts that make such tables. */
    private static final String TEMPORARY_WORD = "temp";

    private static final AtomicLong TEMPORARIES = new AtomicLong();

    private static final int DIGEST_BYTES = 16;
    private static final char SEPARATOR = '\u001f';

    /** How long what a name means may stay unnoticed to have changed elsewhere, as for the schema itself. */
    private static final long KEPT_NANOS = LiveSchema.REFRESH_INTERVAL_NANOS;

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

    private static final System.Logger LOG = System.getLogger(SessionStates.class.getName());

    private final Connection raw;
    private final Dialect dialect;
    private final PrivoxyMode mode;
    private final ServerSession server;
    private final LongSupplier clock;
    private final OwnSettings own = new OwnSettings();

    private @Nullable Reading current;
    private @Nullable Isolation isolation;
    private @Nullable SessionId sessionId;
    private long version;
    private long lexicalVersion;
    private @Nullable Boolean cachesStatements;
    private long readAt;
    private long connectionId = ServerSession.UNKNOWN_ID;
    private boolean stale = true;
    /**
     * PostgreSQL takes SET back with the transaction, and SET LOCAL with its end: {@code
     * SettingsCasesIT.aSearchPathThatARollbackTakesBackAfterASavepointIsReadAgain}.
     */
    private boolean changedInTransaction;
    /**
     * Another number for each change of the session's own tables, which hide others; 0 as long as there are none.
     *
     * <p>One number after the other for the whole process, so that no two sessions with tables of their own look
     * alike.
     */
    private long temporaries;

    SessionStates(Connection raw, Dialect dialect, PrivoxyMode mode, ServerSession server, LongSupplier clock) {
        this.clock = clock;
        this.raw = raw;
        this.dialect = dialect;
        this.mode = mode;
        this.server = server;
    }

    /**
     * What the server says it is: where the names of a policy are looked up, and behind that database, user, and whatever
     * tells it from other servers.
     *
     * <p>Without temporary schemas, as these differ from session to session of one database.
     */
    String identity() throws SQLException {
        Reading known = reading();
        List<String> path = known.prepared.searchPath().stream()
                .filter(schema -> !schema.startsWith(TEMPORARY_SCHEMA))
                .toList();
        return known.identity.isEmpty() ? "" : path + GuardFactory.END_OF_PATH + known.identity;
    }

    /** Of what a server says it is, that which is the same for all of its users, and over all of its addresses. */
    static String withoutUser(String identity, Dialect dialect) {
        String[] parts = identity.split(String.valueOf(SEPARATOR), -1);
        return dialect == Dialect.POSTGRESQL
                ? String.join("\n", List.of(parts).subList(0, Math.min(2, parts.length)))
                : String.join("\n", List.of(parts).subList(Math.min(2, parts.length), parts.length));
    }

    /** The isolation of transactions that begin now. */
    Isolation isolation() throws SQLException {
        Isolation chosen = isolation;
        return chosen == null ? reading().isolation : chosen;
    }

    /** The isolation was chosen by method. */
    void isolation(Isolation chosen) {
        isolation = chosen;
    }

    /**
     * The settings on which it depends what a value means; nearly always the very same text again.
     *
     * <p>Facts are shared between connections only where this text is equal: a time is another moment under another
     * zone.
     */
    String meaning() throws SQLException {
        String meaning = reading().meaning;
        return own.text().isEmpty() ? meaning : meaning + own.text();
    }

    /**
     * An application's own setting may have been changed by a text.
     *
     * <p>What it sets is for views of the database to ask ({@link OwnSettings}).
     */
    void ownSetting(String sql, boolean within) {
        own.set(sql, within);
    }

    /** Rises when the state has changed. */
    long version() throws SQLException {
        age();
        reading();
        return version;
    }

    /**
     * Rises when the state has changed in what a driver or a server keeps of a prepared statement.
     *
     * <p>Of less than {@link #version()}: what is prepared stays right when only names mean something else and the
     * server looks these up itself.
     */
    long lexicalVersion() throws SQLException {
        reading();
        return lexicalVersion;
    }

    /**
     * The text to prepare for a text. Drivers keep what they have prepared by its text alone, so under settings with
     * which it may mean something else it gets a comment that tells these.
     */
    String toPrepare(String sql) throws SQLException {
        if (mode == PrivoxyMode.OFF) {
            return sql;
        }
        List<String> lexical = reading().lexical;
        boolean marked = switch (dialect) {
            case POSTGRESQL -> !lexical.equals(USUAL);
            // MariaDB's driver keeps statements of the server by their text, the server keeps the mode of their
            // preparation (AttackerCasesIT.aDriversCacheDoesNotCarryAStatementIntoAnotherMode).
            case MARIADB -> cachesStatements();
            // Forgets what it has prepared when a setting changes.
            case H2 -> false;
        };
        return marked ? "/* " + digest(lexical) + " */ " + sql : sql;
    }

    private boolean cachesStatements() throws SQLException {
        Boolean known = cachesStatements;
        if (known == null) {
            known = DriverOptions.cachesStatements(raw);
            cachesStatements = known;
        }
        return known;
    }

    /** A digest, since settings may be long and the comment is sent with each text. */
    private static String digest(List<String> lexical) {
        try {
            byte[] text = String.join(String.valueOf(SEPARATOR), lexical).getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256.", impossible);
        }
    }

    /**
     * The state in which a text is read.
     *
     * <p>Four states, made once: whether question marks are parameters and escapes are translated differs from text
     * to text.
     */
    SessionState of(ReadingMode mode) throws SQLException {
        Reading reading = reading();
        if (mode.parameters()) {
            return mode.escapes() ? reading.prepared : reading.preparedWithoutEscapes;
        }
        return mode.escapes() ? reading.plain : reading.plainWithoutEscapes;
    }

    /**
     * Whether the session itself cuts results short.
     *
     * <p>{@code sql_select_limit}: a result that was cut is no complete one.
     */
    boolean cutsResults() throws SQLException {
        return reading().limited;
    }

    /** Something may have changed the state. */
    void invalidate() {
        if (mode != PrivoxyMode.OFF) {
            stale = true;
            // Taken back with the transaction, perhaps, so that it is read again at its end, too.
            changedInTransaction = true;
            isolation = null;
        }
    }

    /** A text has changed settings, perhaps all of them. */
    void changedBy(String sql, boolean within) {
        invalidate();
        own.reset(sql, within);
        // Once there are such tables, each DDL may be about one of them.
        if (temporaries > 0 || sql.toLowerCase(Locale.ROOT).contains(TEMPORARY_WORD)) {
            temporaries = TEMPORARIES.incrementAndGet();
        }
    }

    /** Part of a transaction may have been taken back, and settings with it; more may be at its end. */
    void mayBeTakenBack() {
        own.takenBack();
        if (changedInTransaction) {
            stale = true;
            isolation = null;
        }
    }

    /** A transaction has ended: settings made in it may have been taken back. */
    void transactionEnded(boolean committed) {
        if (!committed) {
            own.takenBack();
        }
        own.ended();
        if (changedInTransaction) {
            // A commit ends what was set for the transaction only.
            stale = true;
            changedInTransaction = false;
        }
    }

    /** The server's session, as it was when it was asked last; null if it was not. */
    @Nullable
    SessionId sessionId() {
        return sessionId;
    }

    /** Notes if the driver has gone over to another physical connection, with settings of its own. */
    boolean isConnectionChanged() {
        long now = server.id();
        if (now == connectionId) {
            return false;
        }
        boolean isFirst = connectionId == ServerSession.UNKNOWN_ID;
        connectionId = now;
        if (!isFirst) {
            invalidate();
            // The application's own settings are gone with the session.
            own.forget();
            // Equal settings of another session are another state all the same.
            version++;
        }
        return !isFirst;
    }

    /**
     * Looks at the clock: what was read too long ago is to be read again. Once before each step, which is over long before
     * the next look is due.
     */
    void age() {
        // What a name means can change without this session: a schema of the path may appear.
        if (dialect == Dialect.POSTGRESQL && mode != PrivoxyMode.OFF && clock.getAsLong() - readAt >= KEPT_NANOS) {
            stale = true;
        }
    }

    /** Texts are to be read anew, though no setting has changed. */
    void readAnew() {
        version++;
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
                // In a failed transaction the server answers nothing; only its end is sent, and then it is read
                // anew.
                if (known != null && IN_FAILED_TRANSACTION.equals(failed.getSQLState())) {
                    return known;
                }
                throw failed;
            }
            if (known == null || !known.lexical.equals(fresh.lexical)) {
                lexicalVersion++;
            }
            if (known == null || !known.equals(fresh)) {
                version++;
                current = fresh;
                known = fresh;
            }
            stale = false;
            readAt = clock.getAsLong();
        }
        return known;
    }

    private Reading read() throws SQLException {
        if (mode == PrivoxyMode.OFF) {
            return Reading.of(dialect, List.of(), List.of(), false, "", Isolation.unknown(dialect), "");
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

    /** With what tells this session's tables from those of others, and from those that it had before. */
    private List<String> withTemporaries(List<String> settings) {
        if (temporaries == 0) {
            return settings;
        }
        var all = new ArrayList<>(settings);
        all.add(TEMPORARY + temporaries);
        return all;
    }

    /** MariaDB and H2 have no schema for a session's own tables, and look among these as well. */
    private List<String> withOwnTables(List<String> path) {
        if (temporaries == 0) {
            return path;
        }
        var all = new ArrayList<>(path);
        // A made-up schema: LiveSchema keeps nothing that was found on a path with one.
        all.add(TEMPORARY_SCHEMA + temporaries);
        return all;
    }

    /** Reads the settings that were asked for at the end of the question: refuses some, and says what the others are. */
    private String meaning(ResultSet row, int first) throws SQLException {
        int column = first;
        for (Map.Entry<String, String> demand : SessionSettings.demands(dialect).entrySet()) {
            String value = row.getString(column++);
            // Such a session would have other keys or other comparisons than the checker believes
            // (foreign_key_checks = 0, sql_auto_is_null).
            if (!demand.getValue().equals(value)) {
                refuse(demand.getKey() + " = " + value, demand.getValue());
            }
        }
        var text = new StringBuilder();
        for (String name : SessionSettings.meaning(dialect, isMariaDb())) {
            text.append(name).append('=').append(row.getString(column++)).append(SEPARATOR);
        }
        return text.toString();
    }

    private Reading postgresql(ResultSet row) throws SQLException {
        String schemas = Objects.requireNonNullElse(row.getString(1), "");
        var path = schemas.isEmpty() ? List.<String>of() : List.of(schemas.split(String.valueOf(SEPARATOR), -1));
        int own = path.indexOf("pg_catalog");
        // With a schema before pg_catalog somebody's function or type would take the place of PostgreSQL's own
        // (ThirdAttackIT).
        if (own > 0 && !path.subList(0, own).stream().allMatch(schema -> schema.startsWith(TEMPORARY_SCHEMA))) {
            refuse(
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
        return Reading.of(
                dialect,
                path,
                withTemporaries(settings),
                false,
                meaning,
                Isolation.of(row.getString(3), dialect),
                row.getString(5));
    }

    private Reading mariadb(ResultSet row) throws SQLException {
        String charset = Objects.requireNonNullElse(row.getString(4), "").toLowerCase(Locale.ROOT);
        if (!ASCII_SAFE.contains(charset)) {
            refuse("character_set_client = " + charset, "utf8mb4");
        }
        String collation = Objects.requireNonNullElse(row.getString(5), "");
        if (!collation.startsWith(UNICODE)) {
            // Letters that the connection's character set does not have would all be question marks in texts.
            refuse("collation_connection = " + collation, "one of utf8mb4");
        }
        String database = row.getString(1);
        List<String> path = database == null ? List.of() : List.of(database);
        var settings = List.of("collation_connection=" + collation, "sql_mode=" + row.getString(2));
        var identity = new StringBuilder();
        for (int column : new int[] {6, 7, 8, 9, 10, 12}) {
            identity.append(SEPARATOR).append(row.getString(column));
        }
        return Reading.of(
                dialect,
                withOwnTables(path),
                withTemporaries(settings),
                !NO_LIMIT.equals(row.getString(3)),
                meaning(row, 13),
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

    private Reading h2(ResultSet row) throws SQLException {
        String sqlMode = Objects.requireNonNullElse(row.getString(3), "REGULAR").toUpperCase(Locale.ROOT);
        if (!H2_MODES.contains(sqlMode)) {
            refuse("MODE=" + sqlMode, "MODE=REGULAR");
        }
        // Names would be found otherwise than the checker finds them.
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
        return Reading.of(
                dialect,
                withOwnTables(path),
                withTemporaries(List.of("mode=" + sqlMode)),
                false,
                row.getString(8),
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

    /** Refuses what was prepared before the session did something. */
    void refuse(String done) throws PrivoxyFailureException {
        refuseWith("The session has " + done + "; prepare it again.");
    }

    private void refuse(String setting, String supported) throws PrivoxyFailureException {
        refuseWith("The session has " + setting + ", with which SQL cannot be read safely; use " + supported + ".");
    }

    private void refuseWith(String detail) throws PrivoxyFailureException {
        // In audit mode the statement passes, so that a trial run shows which sessions would be refused.
        if (!Audit.letsPass(mode)) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.SESSION, detail);
        }
        LOG.log(System.Logger.Level.WARNING, "{0} mode: {1}", mode, detail);
    }

    /**
     * What was read, with what follows from it, so that no text needs a new object.
     *
     * @param lexical what drivers and servers keep of a prepared statement: on PostgreSQL the server looks up names anew,
     *     and only the driver's places of parameters stay
     */
    private record Reading(
            SessionState prepared,
            SessionState preparedWithoutEscapes,
            SessionState plain,
            SessionState plainWithoutEscapes,
            List<String> lexical,
            boolean limited,
            String meaning,
            Isolation isolation,
            String identity) {

        static Reading of(
                Dialect dialect,
                List<String> path,
                List<String> settings,
                boolean limited,
                String meaning,
                Isolation isolation,
                String identity) {
            SessionState prepared = state(path, settings);
            return new Reading(
                    prepared,
                    state(path, settings, NO_ESCAPES),
                    state(path, settings, NO_PARAMETERS),
                    state(path, settings, NO_PARAMETERS, NO_ESCAPES),
                    lexical(prepared, dialect != Dialect.POSTGRESQL),
                    limited,
                    meaning,
                    isolation,
                    identity);
        }

        private static List<String> lexical(SessionState prepared, boolean named) {
            return Stream.concat(named ? prepared.searchPath().stream() : Stream.empty(), prepared.settings().stream())
                    // A table of the session's own changes names, which the server looks up when it runs the
                    // statement.
                    .filter(setting -> !setting.startsWith(TEMPORARY) && !setting.startsWith(TEMPORARY_SCHEMA))
                    .filter(setting -> named || !setting.startsWith(SessionState.USER))
                    .toList();
        }

        private static SessionState state(List<String> path, List<String> settings, String... more) {
            var all = new ArrayList<>(settings);
            all.addAll(List.of(more));
            all.sort(null);
            return new SessionState(path, all);
        }
    }
}
