package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.request.Invalidation;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.schema.LiveSchemas;
import io.leeway.privoxy.internal.schema.SchemaChanges;
import io.leeway.privoxy.internal.schema.SchemaMark;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The schema that a session decides on, and what it knows of changes of it: its own, which nobody else sees before they
 * are committed, those of others while a statement is under way, and those that came after a transaction of the past
 * had begun. Not thread-safe, but for what {@link SentChange} says.
 *
 * <p>Rows of one schema with keys of another prove what is not so; that is why a transaction with a schema of its own
 * has a guard of its own.
 */
final class SessionSchema {

    private static final String PREPARE = "prepare";

    /**
     * TRUNCATE takes rows and no columns; a temporary table is nobody else's. To count them as changes would have
     * each statement of the process look at the schema anew.
     */
    private static final Pattern ONLY_OWN = Pattern.compile(
            "\\s*(TRUNCATE|CREATE\\s+TEMP(ORARY)?\\s+TABLE|DROP\\s+TEMPORARY\\s+TABLE)\\s", Pattern.CASE_INSENSITIVE);

    private final Connection raw;
    private final Retargeting targets;
    private final ServerSession server;
    private final SessionStates states;
    private final SessionTransaction transaction;
    private final SentChange sent;
    /** The traces that have to forget what a transaction with its own schema has written. */
    private final Set<Trace> shared = Collections.newSetFromMap(new IdentityHashMap<>());

    private Target target;
    /**
     * That of all others, as long as a transaction has changed the schema and is not committed.
     *
     * <p>Names may mean other tables in a transaction that has changed the schema than to everybody else, so it is
     * decided on by a guard of its own ({@code SchemaMomentsIT}).
     */
    private @Nullable Target others;

    /** Whether this transaction has changed the schema. */
    private boolean inDoubt;

    /**
     * Whether a text was read in a transaction of the past: it may be another one afterwards.
     *
     * <p>What was read of an earlier catalogue may not be used once the transaction is over.
     */
    private boolean readOfThePast;

    SessionSchema(
            Connection raw,
            Target target,
            ServerSession server,
            SessionStates states,
            SessionTransaction transaction,
            Retargeting targets) {
        this.raw = raw;
        this.target = target;
        this.targets = targets;
        this.server = server;
        this.states = states;
        this.transaction = transaction;
        this.sent = new SentChange(raw, server);
    }

    /**
     * Finds the target when the driver has gone over to another physical connection.
     *
     * <p>A driver with several hosts may end up on another server in the middle of a session; its database need not
     * be the one that the guard knows ({@code ConnectionCasesIT}).
     */
    @FunctionalInterface
    interface Retargeting {
        /**
         * The target of what the server says it is.
         *
         * @param own whether it is a new one that nobody else has, which reads what is not committed
         */
        Target target(String identity, boolean own) throws SQLException;
    }

    /** Who decides now. */
    Target target() {
        return target;
    }

    /** Who decides for all others; null if that is the same. */
    @Nullable
    Target others() {
        return others;
    }

    /** Facts of the others about tables that this transaction writes have to be forgotten when it ends. */
    void forgetAtTheEnd(Trace facts) {
        shared.add(facts);
    }

    /** The driver has gone over to another connection, perhaps with a database of its own. */
    void connectionChanged() throws SQLException {
        others = null;
        target = targets.target(transaction.read(states::identity), false);
    }

    // --- schemas of the past -----------------------------------------------------------------------------------------

    /** Whether a text is to be read under the catalogue of the transaction's beginning; if so, that is noted. */
    boolean readingThePast() {
        boolean past = readsThePast();
        readOfThePast |= past;
        return past;
    }

    /**
     * Whether the database shows this transaction the catalogue as it was when that began. On MariaDB and H2 catalogues are
     * always of the moment.
     */
    private boolean readsThePast() {
        return target.dialect().has(DialectRule.SNAPSHOTS_SHOW_THEIR_CATALOGUE)
                && others == null
                && transaction.trace().schemaOfThePast() != null;
    }

    /**
     * A transaction that reads what was committed when it began is decided on with the schema of then. If somebody may have
     * changed that meanwhile, it is read anew for this transaction alone.
     */
    void goBackInTime() throws SQLException {
        SchemaMark then = transaction.trace().schemaOfThePast();
        if (then != null
                && readsThePast()
                && !transaction.hasFailed()
                // Any doubt is enough: the schema that is known may be of after the beginning.
                && !then.equals(target.gate().schemaMark())) {
            own();
        }
    }

    /**
     * Where the schema of then cannot be read any more, the transaction has to be begun anew.
     *
     * <p>MariaDB's catalogue is of the moment while its rows are of the snapshot: keys of now would be used with
     * rows of then ({@code SchemaMomentsIT}).
     */
    void demandSchemaOfTheTransaction() throws SQLException {
        SchemaMark then = transaction.trace().schemaOfThePast();
        if (then != null
                && !target.dialect().has(DialectRule.SNAPSHOTS_SHOW_THEIR_CATALOGUE)
                && then.version() != target.gate().schemaMark().version()) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.SCHEMA_OF_TRANSACTION, "");
        }
    }

    private void own() throws SQLException {
        Target own = targets.target(states.identity(), true);
        others = target;
        target = own;
        // Texts that were read by the other guard are not this one's.
        states.readAnew();
    }

    // --- changes of this session -------------------------------------------------------------------------------------

    /** A statement is about to be sent, which may change the schema or make a change of it everybody's. */
    void sending(Passage passage) {
        if (mayChangeSchema(passage)) {
            begin();
        }
    }

    /** A commit is about to be sent, which makes a change of the schema everybody's. */
    void committing() {
        if (inDoubt) {
            begin();
        }
    }

    private void begin() {
        if (target.config().mode() != PrivoxyMode.OFF) {
            sent.begin(states.sessionId());
        }
    }

    /** The answer to what was sent is here, or will not come. */
    void answered(@Nullable Throwable failure) {
        sent.end(failure);
    }

    /** Whether a change is certainly none to others: applications make such ones all day. */
    private boolean isOnlyOwn(String sql) {
        return target.dialect() != Dialect.H2
                && sql.indexOf(';') < 0
                && ONLY_OWN.matcher(sql).lookingAt();
    }

    private boolean mayChangeSchema(Passage passage) {
        GuardedStatement statement = passage.statement();
        if (statement.kind() == Kind.DDL) {
            return !isOnlyOwn(passage.text().original());
        }
        // A COMMIT may be what makes a change everybody's; COMMIT PREPARED even one of another session's.
        if (!statement.controlsTransaction()) {
            return false;
        }
        LiveSchemas schemas = LiveSchemas.shared();
        boolean isOfPrepared = (inDoubt || schemas.mayBeLeftOpen())
                && passage.text().original().toLowerCase(Locale.ROOT).contains(PREPARE);
        if (inDoubt && isOfPrepared) {
            // Others can commit it before its answer is here.
            schemas.leaveOpen();
        }
        return inDoubt || isOfPrepared;
    }

    /** A statement that changes the schema was run. */
    void changed() {
        Gate gate = target.gate();
        SchemaMark before = gate.schemaMark();
        // A transaction of the past goes on with the schema that it has made itself, if nobody else has changed
        // anything.
        boolean isKnown = before.equals(transaction.trace().schemaOfThePast());
        gate.schemaMayHaveChanged();
        SchemaMark after = gate.schemaMark();
        if (isKnown && after.doubts() <= before.doubts() + 1) {
            transaction.trace().changedSchema(after);
        }
        // MariaDB commits at a change, but for tables of the session; the next statement is in another transaction.
        if (target.dialect() == Dialect.MARIADB && server.state() == ServerSession.State.IDLE) {
            transaction.trace().committedByChange();
        }
        inDoubt = true;
    }

    /** If that fails nothing else is decided in this transaction: names may mean other tables in it than to others. */
    void beOwn() throws SQLException {
        if (inDoubt && others == null && isSchemaOwn()) {
            own();
        }
    }

    /**
     * Whether the schema is one that only this transaction sees. What is read of it then is nobody else's, and what the
     * others know is not the transaction's: it has a target of its own until its end.
     */
    private boolean isSchemaOwn() throws SQLException {
        return target.dialect().has(DialectRule.SCHEMA_CHANGES_ARE_TRANSACTIONAL)
                && target.config().mode() != PrivoxyMode.OFF
                && transaction.isWithin()
                && !transaction.hasFailed();
    }

    /** Part of a transaction was taken back. */
    void partTakenBack() {
        if (inDoubt) {
            // The change may be among what was taken back.
            target.gate().schemaMayHaveChanged();
        }
    }

    /** The transaction is over, and a change in it may have been taken back. */
    void mayBeTakenBack() {
        Target known = others;
        if (known != null) {
            target = known;
            others = null;
            // Whether it was committed does not matter: the others' facts are of another schema, or of rows that
            // were written meanwhile.
            shared.forEach(trace -> Invalidation.afterUnknown().in(trace, null));
            shared.clear();
        }
        if (known != null || readOfThePast) {
            readOfThePast = false;
            states.readAnew();
        }
        if (inDoubt) {
            inDoubt = false;
            if (transaction.trace().isBranch()) {
                LiveSchemas.shared().leaveOpen();
            }
            target.gate().schemaMayHaveChanged();
        }
    }

    /** The connection goes away. */
    void closed() {
        sent.lost();
        if (inDoubt && transaction.trace().isBranch()) {
            LiveSchemas.shared().leaveOpen();
        }
    }

    // --- changes of others -------------------------------------------------------------------------------------------

    /**
     * Whether a change of the schema, made through a checked connection, may have come between a decision and what was run
     * on it: a statement can wait in the server for the end of the change. What was changed and changed back is seen by the
     * decision on the second change, unless that was sent before the first one was answered.
     */
    boolean isOvertaken(Passage passage) throws SQLException {
        SchemaChanges now = LiveSchemas.shared().changes();
        // Its own change does not overtake a statement. Nearly always this is zero, and nothing more is asked.
        long possible = now.possibleSince(passage.changes()) - (sent.isUnderWay() ? 1 : 0);
        if (possible == 0
                || target.config().mode() != PrivoxyMode.ENFORCE
                || !passage.statement().asks()) {
            return false;
        }
        boolean isOfThePast = target.dialect().has(DialectRule.SNAPSHOTS_SHOW_THEIR_CATALOGUE)
                && transaction.trace().schemaOfThePast() != null;
        return isOfThePast
                // One can have taken back what another made: a look finds nothing changed although the statement
                // ran in between.
                || now.hasOverlappedSince(passage.changes())
                || !transaction.read(() -> target.gate().isSchemaStill(passage.schema(), raw));
    }
}
