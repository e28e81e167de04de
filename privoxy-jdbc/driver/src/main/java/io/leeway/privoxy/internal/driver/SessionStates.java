package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.guard.GuardFactory;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.schema.LiveSchema;
import io.leeway.privoxy.internal.schema.SessionId;
import io.leeway.privoxy.internal.sql.Dialect;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one database session, and what the server says it is: read when the session begins
 * ({@link SettingsReader}), and again after whatever may have moved them. Not thread-safe, as the connection.
 */
final class SessionStates {

    /** PostgreSQL's state of a transaction in which a statement has failed. */
    private static final String IN_FAILED_TRANSACTION = "25P02";

    /** PostgreSQL's default, with which a backslash in a literal is one. */
    private static final String CONFORMING = "standard_conforming_strings=on";

    private static final List<String> USUAL = List.of(CONFORMING);

    private static final int DIGEST_BYTES = 16;
    /** How long what a name means may stay unnoticed to have changed elsewhere, as for the schema itself. */
    private static final long KEPT_NANOS = LiveSchema.REFRESH_INTERVAL_NANOS;

    private final Connection raw;
    private final Dialect dialect;
    private final PrivoxyMode mode;
    private final ServerSession server;
    private final LongSupplier clock;
    private OwnSettings own;
    private final OwnTables ownTables = new OwnTables();
    private final SettingsReader reader;
    private final SessionRefusal refusal;

    private @Nullable SettingsReading current;
    private @Nullable Isolation isolation;
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

    SessionStates(
            Connection raw,
            Dialect dialect,
            PrivoxyMode mode,
            ServerSession server,
            OwnSettings own,
            LongSupplier clock) {
        this.own = own;
        this.clock = clock;
        this.raw = raw;
        this.dialect = dialect;
        this.mode = mode;
        this.server = server;
        this.reader = new SettingsReader(raw, dialect, mode, ownTables);
        this.refusal = new SessionRefusal(mode);
    }

    /**
     * What the server says it is: where the names of a policy are looked up, and behind that database, user, and whatever
     * tells it from other servers.
     *
     * <p>Without temporary schemas, as these differ from session to session of one database.
     */
    String identity() throws SQLException {
        SettingsReading known = reading();
        List<String> path = known.prepared().searchPath().stream()
                .filter(schema -> !schema.startsWith(OwnTables.TEMPORARY_SCHEMA))
                .toList();
        return known.identity().isEmpty() ? "" : path + GuardFactory.END_OF_PATH + known.identity();
    }

    /** The isolation of transactions that begin now. */
    Isolation isolation() throws SQLException {
        Isolation chosen = isolation;
        return chosen == null ? reading().isolation() : chosen;
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
        String meaning = reading().meaning();
        return own.text().isEmpty() ? meaning : meaning + own.text();
    }

    /** A meaning that nothing else has: of a text that changes it on the way. */
    String meaningOfItsOwn() throws SQLException {
        return meaning() + OwnSettings.unlikeAll();
    }

    /** A setting may have any value. */
    void doubt(String name, boolean within) {
        own.doubt(name, within);
    }

    /** A method has given a setting a text. */
    void ownSetting(String name, String value, boolean within) {
        own.set(name, value, within);
    }

    /**
     * An application's own setting may have been changed by a text.
     *
     * <p>What it sets is for views of the database to ask ({@link OwnSettings}).
     */
    void ownSetting(String sql, boolean within, boolean isDone) {
        if (isDone) {
            own.set(sql, within);
        } else {
            own.forget();
        }
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
        List<String> lexical = reading().lexical();
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
            byte[] text = String.join(String.valueOf(SettingsReader.SEPARATOR), lexical)
                    .getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256.", impossible);
        }
    }

    /** The state in which a text is read. */
    SessionState of(ReadingMode mode) throws SQLException {
        return reading().state(mode);
    }

    /**
     * Whether the session itself cuts results short.
     *
     * <p>{@code sql_select_limit}: a result that was cut is no complete one.
     */
    boolean cutsResults() throws SQLException {
        return reading().limited();
    }

    /** The session has begun in the middle of a transaction, and what holds for that only has been read with the rest. */
    void beganWithin() {
        changedInTransaction = true;
    }

    /**
     * The session ends, and what is known of the physical connection stays with it.
     *
     * <p>Its own knowledge from here on is its own: somebody else may have the connection.
     */
    void leave() {
        own.takenBack();
        own.ended();
        own = OwnSettings.unknown(dialect);
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
    void changedBy(String sql) {
        invalidate();
        ownTables.changedBy(sql);
    }

    /**
     * A text may have reset the application's own settings, or changed them.
     *
     * @param isCertain whether it has done what it says, and nothing takes that back
     */
    void ownSettings(SessionEffects effects, boolean isCertain) {
        boolean resets = effects.may(SessionEffects.Kind.RESETS_ALL);
        if (resets && isCertain) {
            own.reset();
        } else if (resets || effects.may(SessionEffects.Kind.MAY_SET_OWN)) {
            own.forget();
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
        return reader.sessionId();
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

    private SettingsReading reading() throws SQLException {
        SettingsReading known = current;
        if (stale || known == null) {
            SettingsReading fresh;
            try {
                fresh = reader.read();
            } catch (SQLException failed) {
                // In a failed transaction the server answers nothing; only its end is sent, and then it is read
                // anew.
                if (known != null && IN_FAILED_TRANSACTION.equals(failed.getSQLState())) {
                    return known;
                }
                throw failed;
            }
            if (known == null || !known.lexical().equals(fresh.lexical())) {
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

    /** Refuses what was prepared before the session did something. */
    void refuse(String done) throws PrivoxyFailureException {
        refusal.ofPrepared(done);
    }
}
