package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.StatementPlan.Held;
import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.ConnectionScope;
import io.leeway.privoxy.internal.request.ContextValues;
import io.leeway.privoxy.internal.request.Invalidation;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.RequestScope;
import io.leeway.privoxy.internal.request.ThreadScope;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.schema.LiveSchemas;
import io.leeway.privoxy.internal.schema.SchemaChange;
import io.leeway.privoxy.internal.schema.SchemaChanges;
import io.leeway.privoxy.internal.schema.SchemaMark;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a checked connection and its statements share: the way of a text through the gate, and the bookkeeping of
 * request, transaction and session settings around it. Whatever looks at these and acts on it does so in its
 * {@link #turn()}.
 *
 * <p>The contract of the design page ("what is checked is what runs") is kept here: a decision is taken on a text,
 * with values, under settings, on a physical connection and in a state of the database, and this class sees to it
 * that all five are the same when the text runs. Not thread-safe by itself, hence the turn.
 */
final class Session {

    private static final String AUTO_COMMIT = "autocommit";
    private static final String PREPARE = "prepare";
    private static final String ISOLATION = "isolation";
    private static final String SNAPSHOT = "snapshot";
    /** Begins the states of errors of the connection. */
    private static final String CONNECTION_EXCEPTION = "08";

    /**
     * TRUNCATE takes rows and no columns; a temporary table is nobody else's. To count them as changes would have
     * each statement of the process look at the schema anew.
     */
    private static final Pattern ONLY_OWN = Pattern.compile(
            "\\s*(TRUNCATE|CREATE\\s+TEMP(ORARY)?\\s+TABLE|DROP\\s+TEMPORARY\\s+TABLE)\\s", Pattern.CASE_INSENSITIVE);

    private final Connection raw;
    private final Retargeting targets;
    private final ServerSession server;
    private final DatabaseErrors errors;
    private final SessionStates states;
    private final ConnectionScope scope;
    private final TransactionTrace transaction = new TransactionTrace();
    private final Turn turn = new Turn();
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

    private boolean schemaInDoubt;

    /**
     * The change that is under way; whoever ends the connection meanwhile is another thread.
     *
     * <p>A change whose connection is aborted meanwhile is waited for by others ({@code UnansweredChangesIT}).
     */
    private volatile @Nullable SchemaChange change;
    /** Number of the physical connection that it was sent through. */
    private long sentThrough;

    /**
     * Whether a text was read in a transaction of the past: it may be another one afterwards.
     *
     * <p>What was read of an earlier catalogue may not be used once the transaction is over.
     */
    private boolean readOfThePast;

    Session(
            Connection raw,
            Target target,
            Map<String, Value> context,
            ServerSession server,
            SessionStates states,
            Retargeting targets) {
        this.raw = raw;
        this.target = target;
        this.targets = targets;
        this.server = server;
        this.errors = new DatabaseErrors(target);
        this.states = states;
        this.scope = new ConnectionScope(context);
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

    /** The real connection. */
    Connection raw() {
        return raw;
    }

    Target target() {
        return target;
    }

    /** The context given to the connection. */
    ConnectionScope scope() {
        return scope;
    }

    TransactionTrace transaction() {
        return transaction;
    }

    SessionStates states() {
        return states;
    }

    /** From a check to the end of what was checked no other thread changes settings or transaction. */
    Turn turn() {
        return turn;
    }

    /** What the application may see of the database's errors. */
    DatabaseErrors errors() {
        return errors;
    }

    long stateVersion() throws SQLException {
        return states.isStale() ? read(states::version) : states.version();
    }

    /** A question of the driver's own, which begins no transaction. */
    <R> R ownRead(Call<Connection, R> question) throws SQLException {
        return read(() -> question.on(raw));
    }

    /**
     * Reads for the driver itself. That must not begin a transaction that the application has not begun: on PostgreSQL
     * it could then no longer choose the isolation level, and would hold the snapshot of an earlier moment. On MariaDB
     * and H2 reading the catalogue begins nothing that can be noticed.
     */
    private <T> T read(Read<T> read) throws SQLException {
        boolean isUnbegun = target.dialect() == Dialect.POSTGRESQL && !transaction.isBranch() && server.isUnbegun();
        try {
            return read.now();
        } finally {
            // Only what this has begun is taken back, so an application's own transaction is never ended by a look
            // at the catalogue. A branch cannot be rolled back on its connection at all.
            if (isUnbegun && !server.isUnbegun()) {
                raw.rollback();
            }
        }
    }

    /** Something to read. */
    @FunctionalInterface
    private interface Read<T> {
        T now() throws SQLException;
    }

    /** Before anything else: what the last answer says of the transaction, and whether this is still the connection. */
    private void observe() throws SQLException {
        states.age();
        observeAnswer();
    }

    private void observeAnswer() throws SQLException {
        if (target.config().mode() == PrivoxyMode.OFF) {
            return;
        }
        // Nothing is known of the transaction on the connection of before, and the new one has settings and perhaps
        // a database of its own.
        if (states.isConnectionChanged()) {
            transaction.rolledBack();
            others = null;
            target = targets.target(read(states::identity), false);
        }
        switch (server.state()) {
            case IDLE -> {
                // Some ends are seen only here: in a text of several statements, by a deadlock.
                boolean isOver = transaction.hasBegun() ? transaction.wasOpen() : states.isChangedInTransaction();
                if (isOver && !transaction.isBranch()) {
                    transaction.lapsed();
                    transactionEnded();
                }
            }
            // A transaction that no method and no text has begun: what it has done before is not known, so it
            // counts as written in by others.
            case OPEN, FAILED -> {
                transaction.isOpen();
                if (!transaction.begunOtherwise() && !transaction.isBranch() && raw.getAutoCommit()) {
                    transaction.foundOpen();
                    transaction.writtenByOthers();
                }
            }
            case UNKNOWN -> {
                // Then methods and texts have to tell.
            }
        }
    }

    /**
     * Whether the transaction in progress can only be rolled back, whatever is called.
     *
     * <p>On PostgreSQL a commit after an error is answered with a rollback, and says so only here.
     */
    boolean hasFailed() {
        return server.state() == ServerSession.State.FAILED;
    }

    /**
     * A driver may answer this with another physical connection; if it does not tell, the settings are read again.
     *
     * <p>MariaDB's {@code replication:} goes to another server for that. A driver that tells its connection's
     * number needs no such guess.
     */
    void readOnlyChanges() {
        if (target.dialect() == Dialect.MARIADB && server.id() == ServerSession.UNKNOWN_ID) {
            states.invalidate();
        }
    }

    /** The isolation was chosen by method. */
    void isolationChosen(int level) throws SQLException {
        Isolation chosen = Isolation.of(level, target.dialect());
        states.isolation(chosen);
        isolationChosen(new IsolationChoice.Lasting(chosen), true);
    }

    private void isolationChosen(IsolationChoice choice, boolean isDone) throws SQLException {
        boolean isWithin = isWithinTransaction();
        // H2 commits what is open.
        boolean isIdle = server.state() == ServerSession.State.IDLE || target.dialect() == Dialect.H2 || !isWithin;
        // PostgreSQL's level is that of the transaction that is open, and it takes none once that has read. MariaDB's
        // is
        // that of the next one, and it takes none while one is open.
        boolean isForThis = isWithin && (target.dialect() == Dialect.POSTGRESQL || isIdle);
        if (choice instanceof IsolationChoice.Lasting && isDone && isIdle) {
            transaction.usualIsolationChosen();
        } else if (choice instanceof IsolationChoice.Once && isDone && isForThis && !hasFailed()) {
            transaction.isolationChosen(choice.level());
        } else {
            transaction.isolationChosen(Isolation.unknown(target.dialect()));
        }
    }

    /** Has the guard read a text. */
    PreparedText read(String sql, ReadingMode mode) throws SQLException {
        return turn.alone(() -> {
            // First what the last answer says: names may mean something else since.
            observe();
            return read(() -> readBy(sql, mode));
        });
    }

    private PreparedText readBy(String sql, ReadingMode mode) throws SQLException {
        long version = states.version();
        Gate gate = target.gate();
        boolean past = readsThePast();
        readOfThePast |= past;
        GuardedStatement statement = gate.prepare(sql, states.of(mode), raw, past);
        // Keys that are asked back are columns that are read (GeneratedKeys).
        if (!mode.generatedKeys().isEmpty() && statement.kind() == Kind.WRITE) {
            statement = target.dialect().has(DialectRule.GENERATED_KEYS_ARE_NUMBERS)
                    ? gate.prepare(sql, states.of(mode).askingNumbers(), raw, past)
                    : GeneratedKeys.read(
                            target.dialect(),
                            sql,
                            mode,
                            statement,
                            text -> gate.prepare(text, states.of(mode), raw, past));
        }
        // With the versions from before the reading: what changes while it is read makes it stale.
        return new PreparedText(sql, mode, statement, version, states.lexicalVersion());
    }

    /**
     * Refuses a text that the real driver took apart under other settings than the present ones: it keeps its places of
     * parameters, and a server its names, while the guard reads anew.
     */
    void demandCurrent(PreparedText text) throws SQLException {
        states.age();
        demandCurrentNow(text);
    }

    /**
     * A server that has prepared a text under one {@code sql_mode} runs it so under another one, while the guard
     * reads it as of now ({@code AttackerCasesIT.aPlaceOfAParameterDoesNotOutliveTheModeInWhichItWasFound}).
     */
    private void demandCurrentNow(PreparedText text) throws SQLException {
        if (target.config().mode() == PrivoxyMode.OFF) {
            return;
        }
        long present = states.isStale() ? read(states::lexicalVersion) : states.lexicalVersion();
        if (present != text.lexicalVersion()) {
            states.refuse("changed how SQL is read since a statement was prepared");
        }
    }

    /** Has the guard decide; nothing is sent if this throws. */
    Passage check(PreparedText text, Parameters parameters) throws SQLException {
        // Before anything is looked at: a change that is sent from here on may come between.
        SchemaChanges changes = LiveSchemas.shared().changes();
        observe();
        goBackInTime();
        // If it failed after the statement that changed the schema, it has to succeed now, or nothing is decided.
        beOfOwnSchema();
        demandCurrentNow(text);
        SchemaMark schema = target.gate().schemaMark();
        GuardedStatement statement = text.current(this);
        if (target.gate().schemaMark().version() != schema.version()) {
            // This look has found a change; the statement is surely of what is known now, or of later.
            schema = target.gate().schemaMark();
            statement = text.current(this);
        }
        demandSchemaOfTheTransaction();
        // Behind a COMMIT in the text the rest would be read under other settings than it was (SettingsCasesIT).
        if (endOfTransactionChangesReading() && SqlScan.of(text.original()).hasSeveralStatements()) {
            throw UnsupportedQueryException.call(
                    "several statements in one text, of which one may end the transaction and with it a setting,",
                    "Run them one by one.");
        }
        Request request = placed(request(), statement);
        // Facts of the others' trace about tables that this transaction writes have to be forgotten when it ends.
        if (others != null) {
            shared.add(request(others).trace());
        }
        Permit permit = target.gate().check(statement, request, parameters);
        return new Passage(text, statement, permit, request, server.id(), changes, schema);
    }

    /**
     * Whether the database shows this transaction the catalogue as it was when that began. On MariaDB and H2 catalogues are
     * always of the moment.
     */
    private boolean readsThePast() {
        return target.dialect().has(DialectRule.SNAPSHOTS_SHOW_THEIR_CATALOGUE)
                && others == null
                && transaction.schemaOfThePast() != null;
    }

    /**
     * A transaction that reads what was committed when it began is decided on with the schema of then. If somebody may have
     * changed that meanwhile, it is read anew for this transaction alone.
     */
    private void goBackInTime() throws SQLException {
        SchemaMark then = transaction.schemaOfThePast();
        if (then != null
                && readsThePast()
                && !hasFailed()
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
    private void demandSchemaOfTheTransaction() throws SQLException {
        SchemaMark then = transaction.schemaOfThePast();
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

    /** The request as it is seen from this connection, in its transaction, with its settings. */
    private Request placed(Request request, GuardedStatement statement) throws SQLException {
        if (target.config().mode() == PrivoxyMode.OFF) {
            return request;
        }
        SchemaMark schema = target.gate().schemaMark();
        // What was read under another schema need not go together with what this one says.
        String meaning = schema.version() == 0 ? states.meaning() : schema.version() + ";" + states.meaning();
        var nature = new TransactionTrace.Nature(isWrite(statement.kind()), statement.held() == Held.ALL);
        return request.from(transaction.standpoint(
                isWithinTransaction(), nature, states.isolation(), meaning, schema, request.trace()));
    }

    private boolean isWithinTransaction() throws SQLException {
        return transaction.begunOtherwise() || !raw.getAutoCommit();
    }

    private static boolean isWrite(Kind kind) {
        return kind == Kind.WRITE || kind == Kind.DDL;
    }

    /** Whether settings that change the reading of SQL go back to others when the transaction ends. */
    private boolean endOfTransactionChangesReading() throws SQLException {
        return states.isStale() || (states.isChangedInTransaction() && isWithinTransaction());
    }

    /** A permitted statement is about to be sent. */
    void before(Passage passage) throws SQLException {
        // Before the text leaves, as the server makes a change before its answer is here, and others decide
        // meanwhile.
        beginChange(mayChangeSchema(passage));
        if (isWrite(passage.statement().kind()) && isWithinTransaction()) {
            transaction.writing(passage.request().trace());
            transaction.writing(passage.statement().writes());
        } else {
            // Also a read: after a write it may see what is taken back later.
            transaction.reading(passage.request().trace());
        }
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
        boolean isOfPrepared = (schemaInDoubt || schemas.mayBeLeftOpen())
                && passage.text().original().toLowerCase(Locale.ROOT).contains(PREPARE);
        if (schemaInDoubt && isOfPrepared) {
            // Others can commit it before its answer is here.
            schemas.leaveOpen();
        }
        return schemaInDoubt || isOfPrepared;
    }

    /**
     * Refuses what was run elsewhere than it was decided for: a driver may have gone over to another server, or to a new
     * session with other settings, in the middle of a statement.
     */
    void verify(Passage passage) throws SQLException {
        // The result is of a session with other settings, maybe of another database: not shown, although a write
        // may have been done.
        if (passage.connectionId() != server.id()) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.SESSION,
                    "The driver has gone over to another connection while the statement was run; try it again.");
        }
        if (isOvertaken(passage)) {
            // An error that says "try again" would have the application write twice.
            boolean isDone = isWrite(passage.statement().kind()) && !isWithinTransaction();
            throw new PrivoxyFailureException(
                    isDone ? PrivoxyErrorCode.SCHEMA_OF_WRITE : PrivoxyErrorCode.SCHEMA_OF_STATEMENT, "");
        }
    }

    /**
     * Whether a change of the schema, made through a checked connection, may have come between a decision and what was run
     * on it: a statement can wait in the server for the end of the change. What was changed and changed back is seen by the
     * decision on the second change, unless that was sent before the first one was answered.
     */
    private boolean isOvertaken(Passage passage) throws SQLException {
        SchemaChanges now = LiveSchemas.shared().changes();
        // Its own change does not overtake a statement. Nearly always this is zero, and nothing more is asked.
        long possible = now.possibleSince(passage.changes()) - (change == null ? 0 : 1);
        if (possible == 0
                || target.config().mode() != PrivoxyMode.ENFORCE
                || !passage.statement().asks()) {
            return false;
        }
        boolean isOfThePast = target.dialect().has(DialectRule.SNAPSHOTS_SHOW_THEIR_CATALOGUE)
                && transaction.schemaOfThePast() != null;
        return isOfThePast
                // One can have taken back what another made: a look finds nothing changed although the statement
                // ran in between.
                || now.hasOverlappedSince(passage.changes())
                || !read(() -> target.gate().isSchemaStill(passage.schema(), raw));
    }

    /** What may change the schema, or make a change of it everybody's, is about to be sent. */
    void beginChange(boolean changes) {
        if (changes && change == null && target.config().mode() != PrivoxyMode.OFF) {
            sentThrough = server.id();
            // With the session's number at the server, so that others can ask whether it still works on it.
            change = LiveSchemas.shared().beginChange(states.sessionId());
        }
    }

    /** Its answer is here, or will not come. */
    void endChange(@Nullable Throwable failure) {
        SchemaChange ended = change;
        if (ended == null) {
            return;
        }
        change = null;
        // Without an answer the server may make the change yet.
        if (isAnswer(failure)) {
            ended.answered();
        } else {
            ended.lost();
        }
    }

    /**
     * Whether the server has said how it went, and does not go on with it.
     *
     * <p>An error of class 08 is the driver's word that the connection is lost, not the server's about the change.
     */
    private boolean isAnswer(@Nullable Throwable failure) {
        try {
            return !raw.isClosed()
                    && server.id() == sentThrough
                    && (failure == null || failure instanceof SQLException error && !isOfConnection(error));
        } catch (SQLException unknown) {
            return false;
        }
    }

    private static boolean isOfConnection(SQLException error) {
        String state = error.getSQLState();
        return state != null && state.startsWith(CONNECTION_EXCEPTION);
    }

    /** Whether this transaction has changed the schema. */
    boolean hasChangedSchema() {
        return schemaInDoubt;
    }

    /** A permitted statement was run. */
    void after(Passage passage) throws SQLException {
        after(passage, null);
    }

    /** A permitted statement was run, or has failed. */
    private void after(Passage passage, @Nullable Throwable failure) throws SQLException {
        GuardedStatement statement = passage.statement();
        target.gate().executed(passage.permit(), passage.request());
        // A failed statement within a transaction may have taken back more than itself.
        if (failure != null) {
            transaction.doubt();
        }
        // DDL as well: DROP SCHEMA changes what the search path means.
        if (statement.changesSession() || statement.kind() == Kind.DDL) {
            states.changedBy(passage.text().original(), isWithinTransaction());
        }
        if (statement.changesMeaning()) {
            states.ownSetting(passage.text().original(), isWithinTransaction());
        }
        if (statement.kind() == Kind.DDL) {
            changedSchema();
        }
        afterControl(passage, statement.kind(), failure == null);
        endChange(failure);
        // The answer tells whether the transaction is over, whatever the text said.
        observeAnswer();
        beOfOwnSchema();
    }

    /** If that fails nothing else is decided in this transaction: names may mean other tables in it than to others. */
    private void beOfOwnSchema() throws SQLException {
        if (schemaInDoubt && others == null && isSchemaOwn()) {
            own();
        }
    }

    private void changedSchema() {
        Gate gate = target.gate();
        SchemaMark before = gate.schemaMark();
        // A transaction of the past goes on with the schema that it has made itself, if nobody else has changed
        // anything.
        boolean isKnown = before.equals(transaction.schemaOfThePast());
        gate.schemaMayHaveChanged();
        SchemaMark after = gate.schemaMark();
        if (isKnown && after.doubts() <= before.doubts() + 1) {
            transaction.changedSchema(after);
        }
        // MariaDB commits at a change, but for tables of the session; the next statement is in another transaction.
        if (target.dialect() == Dialect.MARIADB && server.state() == ServerSession.State.IDLE) {
            transaction.committedByChange();
        }
        schemaInDoubt = true;
    }

    /**
     * Whether the schema is one that only this transaction sees. What is read of it then is nobody else's, and what the
     * others know is not the transaction's: it has a target of its own until its end.
     */
    private boolean isSchemaOwn() throws SQLException {
        return target.dialect().has(DialectRule.SCHEMA_CHANGES_ARE_TRANSACTIONAL)
                && target.config().mode() != PrivoxyMode.OFF
                && isWithinTransaction()
                && !hasFailed();
    }

    /** What texts say of transactions. What they may have done otherwise, the database's answer says. */
    private void afterControl(Passage passage, Kind kind, boolean isDone) throws SQLException {
        String text = passage.text().original();
        boolean isControl = kind == Kind.TRANSACTION || kind == Kind.SESSION;
        boolean isSeveral = text.indexOf(';') >= 0 && SqlScan.of(text).hasSeveralStatements();
        String lower = isControl || isSeveral ? text.toLowerCase(Locale.ROOT) : "";
        if (isSeveral && passage.statement().controlsTransaction()) {
            // Which of its statements was in which transaction is not followed.
            transaction.rolledBack();
            states.mayBeTakenBack();
            if (server.state() != ServerSession.State.IDLE) {
                transaction.foundOpen();
                transaction.writing(passage.request().trace());
                transaction.writing(Set.of(StatementPlan.ANYTHING));
            }
        } else if (kind == Kind.TRANSACTION) {
            transaction.text(text);
            states.mayBeTakenBack();
            if (server.state() == ServerSession.State.OPEN || hasFailed()) {
                partTakenBack();
            } else {
                schemaMayBeTakenBack();
            }
        }
        if (lower.contains(PREPARE)) {
            // A prepared transaction may have had a change in it, of whichever session.
            LiveSchemas.shared().endedElsewhere();
        }
        // SET AUTOCOMMIT commits on H2, whose driver does not tell of transactions.
        if (target.dialect() == Dialect.H2 && lower.contains(AUTO_COMMIT)) {
            // Commits what is open; others are told by the server's answer.
            transaction.lapsed();
            transactionEnded();
        }
        if (lower.contains(ISOLATION) || lower.contains(SNAPSHOT)) {
            if (target.dialect() == Dialect.POSTGRESQL && lower.contains(SNAPSHOT)) {
                transaction.tookSnapshotOver();
            }
            states.invalidate();
            isolationChosen(IsolationChoice.of(text, target.dialect()), isDone);
        }
    }

    /** A transaction has ended: what was changed in it may have been taken back. */
    void transactionEnded() {
        transactionEnded(false);
    }

    /** The same when it is known whether it was committed. */
    void transactionEnded(boolean committed) {
        states.transactionEnded(committed);
        schemaMayBeTakenBack();
    }

    /** Part of a transaction was taken back. */
    void partTakenBack() {
        states.mayBeTakenBack();
        if (schemaInDoubt) {
            // The change may be among what was taken back.
            target.gate().schemaMayHaveChanged();
        }
    }

    private void schemaMayBeTakenBack() {
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
        if (schemaInDoubt) {
            schemaInDoubt = false;
            if (transaction.isBranch()) {
                LiveSchemas.shared().leaveOpen();
            }
            target.gate().schemaMayHaveChanged();
        }
    }

    /** Sends several permitted statements at once. */
    <R> R run(List<Passage> passages, Turn.Step<R> send) throws SQLException {
        R result;
        try {
            for (Passage passage : passages) {
                before(passage);
            }
            result = send.now();
            for (Passage passage : passages) {
                verify(passage);
            }
        } catch (BatchUpdateException error) {
            throw failed(passages, errors.safe(verified(passages, error)));
        } catch (SQLException error) {
            throw failed(passages, errors.safe(error));
        } catch (RuntimeException error) {
            throw failed(passages, error);
        } catch (Error error) {
            throw failed(passages, error);
        }
        for (Passage passage : passages) {
            after(passage);
        }
        return result;
    }

    /** The error itself only if the counts in it may be shown: they are answers of those that were run. */
    private SQLException verified(List<Passage> passages, BatchUpdateException error) {
        try {
            for (Passage passage : passages) {
                verify(passage);
            }
            return error;
        } catch (SQLException withheld) {
            return withheld;
        }
    }

    /** What the database said is told, also where the connection has ended with it and the bookkeeping finds that. */
    <E extends Throwable> E failed(List<Passage> passages, E error) {
        for (Passage passage : passages) {
            try {
                after(passage, error);
            } catch (SQLException also) {
                transaction.rolledBack();
                states.invalidate();
                error.addSuppressed(also);
            }
        }
        endChange(error);
        return error;
    }

    /** Does what a context command says. */
    void apply(ContextCommand command) throws SQLException {
        if (command.name().isEmpty()) {
            scope.end();
        } else if (command.value() == null) {
            scope.remove(command.name());
        } else {
            scope.set(command.name(), contextValue(command.name(), command.value()));
        }
    }

    /**
     * The canonical value of a context parameter.
     *
     * <p>Its message names the parameter and never the value.
     */
    static Value contextValue(String name, Object value) throws SQLException {
        try {
            return ContextValues.of(name, value);
        } catch (IllegalArgumentException refused) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.CONTEXT, refused.getMessage() + ".");
        }
    }

    /**
     * The connection goes back or away: whatever was open is rolled back, and the request ends. Some drivers give out the same
     * real connection again; what is checked by this session would not know what is done by the next one.
     */
    void close() {
        // One that is closed says so itself.
        // First: whoever still has the old handle must not run anything on a connection that is somebody else's by
        // now (DriverLeftoversIT).
        turn.end(() -> !raw.isClosed());
        SchemaChange unanswered = change;
        if (unanswered != null) {
            // Who has sent it may hear the answer yet.
            unanswered.lost();
        }
        if (schemaInDoubt && transaction.isBranch()) {
            LiveSchemas.shared().leaveOpen();
        }
        transaction.closed();
        transactionEnded();
        scope.end();
    }

    /**
     * The thread's request wins, as it was begun by method; a connection's own context is for applications that
     * have nothing else.
     */
    private Request request() throws SQLException {
        return request(target);
    }

    private Request request(Target asked) throws SQLException {
        RequestScope ofThread = ThreadScope.current();
        if (ofThread != null) {
            return of(ofThread, isContradicted(ofThread), asked);
        }
        RequestScope own = scope.use();
        return own == null ? Request.NOBODY : of(own, false, asked);
    }

    /** Two identities at once: which one is meant is not for us to guess. */
    private boolean isContradicted(RequestScope ofThread) {
        return !scope.isEmpty() && ofThread.contradicts(scope.context());
    }

    private static Request of(@Nullable RequestScope request, boolean contradicted, Target asked) throws SQLException {
        // A statement after the end of its request is a fault of the application, and must not run as nobody's.
        if (request == null || request.ended()) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.REQUEST_ENDED, "");
        }
        if (contradicted) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.CONTEXT_CONTRADICTION, "");
        }
        return request.of(asked.guard(), asked.bounds(), asked.database());
    }
}
