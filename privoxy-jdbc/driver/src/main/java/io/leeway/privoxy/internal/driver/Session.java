package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.model.StatementPlan.Held;
import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.ConnectionScope;
import io.leeway.privoxy.internal.request.ContextValues;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.schema.LiveSchemas;
import io.leeway.privoxy.internal.schema.SchemaChanges;
import io.leeway.privoxy.internal.schema.SchemaMark;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
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

    private final Connection raw;
    private final ServerSession server;
    private final DatabaseErrors errors;
    private final SessionStates states;
    private final ConnectionScope scope;
    private final RequestChoice requests;
    private final SessionTransaction transaction;
    private final TransactionTrace trace;
    private final SessionSchema schema;
    private final TransactionControl control;
    private final Turn turn = new Turn();

    Session(
            Connection raw,
            Target target,
            Map<String, Value> context,
            ServerSession server,
            SessionStates states,
            SessionSchema.Retargeting targets,
            ChosenIsolation chosen) {
        this.raw = raw;
        this.server = server;
        this.errors = new DatabaseErrors(target);
        this.states = states;
        this.scope = new ConnectionScope(context);
        this.requests = new RequestChoice(scope);
        this.transaction = new SessionTransaction(raw, target.dialect(), server, chosen);
        this.trace = transaction.trace();
        this.schema = new SessionSchema(raw, target, server, states, transaction, targets);
        this.control = new TransactionControl(target.dialect(), server, states, transaction, schema);
    }

    /**
     * Before the first statement: makes certain, as far as that can be, what earlier handles have left, and takes note of the
     * transaction that they have.
     */
    void begin(Beginning beginning) throws SQLException {
        if (target().config().mode() == PrivoxyMode.OFF) {
            return;
        }
        boolean isOpen = beginning.isHandle() ? beginning.wasOpen() : transaction.isOpen();
        if (isOpen && !beginning.isInBranch()) {
            // Somebody has written in it, of whom nobody here knows.
            trace.foundOpen();
            trace.writtenByOthers();
        }
        if (isOpen || beginning.isInBranch()) {
            states.beganWithin();
        }
        transaction.settle(beginning, isOpen);
    }

    /** Before anybody else can have the physical connection: what is known of it stays with it. */
    void leave() {
        states.leave();
    }

    /** The real connection. */
    Connection raw() {
        return raw;
    }

    Target target() {
        return schema.target();
    }

    /** The context given to the connection. */
    ConnectionScope scope() {
        return scope;
    }

    TransactionTrace transaction() {
        return trace;
    }

    SessionStates states() {
        return states;
    }

    /** What the session knows of changes of the schema. */
    SessionSchema schema() {
        return schema;
    }

    /** Takes in what methods say of the trace. */
    TransactionControl control() {
        return control;
    }

    /** From a check to the end of what was checked no other thread changes settings or trace. */
    Turn turn() {
        return turn;
    }

    /** What the application may see of the database's errors. */
    DatabaseErrors errors() {
        return errors;
    }

    long stateVersion() throws SQLException {
        return states.isStale() ? transaction.read(states::version) : states.version();
    }

    /** A question of the driver's own, which begins no trace. */
    <R> R ownRead(Call<Connection, R> question) throws SQLException {
        return transaction.read(() -> question.on(raw));
    }

    /** Before anything else: what the last answer says of the transaction, and whether this is still the connection. */
    private void observe() throws SQLException {
        states.age();
        observeAnswer();
    }

    private void observeAnswer() throws SQLException {
        if (target().config().mode() == PrivoxyMode.OFF) {
            return;
        }
        // Nothing is known of the transaction on the connection of before, and the new one has settings and perhaps
        // a database of its own.
        if (states.isConnectionChanged()) {
            trace.rolledBack();
            transaction.connectionChanged();
            schema.connectionChanged();
        }
        switch (server.state()) {
            case IDLE -> {
                // Some ends are seen only here: in a text of several statements, by a deadlock.
                boolean isOver = trace.hasBegun() ? trace.wasOpen() : states.isChangedInTransaction();
                if (isOver && !trace.isBranch()) {
                    trace.lapsed();
                    control.ended();
                }
            }
            // A transaction that no method and no text has begun: what it has done before is not known, so it
            // counts as written in by others.
            case OPEN, FAILED -> {
                trace.isOpen();
                if (!trace.begunOtherwise() && !trace.isBranch() && raw.getAutoCommit()) {
                    trace.foundOpen();
                    trace.writtenByOthers();
                }
            }
            case UNKNOWN -> {
                // Then methods and texts have to tell.
            }
        }
    }

    /** Whether the transaction in progress can only be rolled back, whatever is called. */
    boolean hasFailed() {
        return transaction.hasFailed();
    }

    /**
     * A driver may answer this with another physical connection; if it does not tell, the settings are read again.
     *
     * <p>MariaDB's {@code replication:} goes to another server for that. A driver that tells its connection's
     * number needs no such guess.
     */
    void readOnlyChanges() {
        if (target().dialect() == Dialect.MARIADB && server.id() == ServerSession.UNKNOWN_ID) {
            states.invalidate();
        }
    }

    /** Has the guard read a text. */
    PreparedText read(String sql, ReadingMode mode) throws SQLException {
        return turn.alone(() -> {
            // First what the last answer says: names may mean something else since.
            observe();
            return transaction.read(() -> readBy(sql, mode));
        });
    }

    private PreparedText readBy(String sql, ReadingMode mode) throws SQLException {
        long version = states.version();
        Gate gate = target().gate();
        boolean past = schema.readingThePast();
        GuardedStatement statement = gate.prepare(sql, states.of(mode), raw, past);
        // Keys that are asked back are columns that are read (GeneratedKeys).
        if (!mode.generatedKeys().isEmpty() && statement.kind() == Kind.WRITE) {
            statement = target().dialect().has(DialectRule.GENERATED_KEYS_ARE_NUMBERS)
                    ? gate.prepare(sql, states.of(mode).askingNumbers(), raw, past)
                    : GeneratedKeys.read(
                            target().dialect(),
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
        if (target().config().mode() == PrivoxyMode.OFF) {
            return;
        }
        long present = states.isStale() ? transaction.read(states::lexicalVersion) : states.lexicalVersion();
        if (present != text.lexicalVersion()) {
            states.refuse("changed how SQL is read since a statement was prepared");
        }
    }

    /** Has the guard decide; nothing is sent if this throws. */
    Passage check(PreparedText text, Parameters parameters) throws SQLException {
        // Before anything is looked at: a change that is sent from here on may come between.
        SchemaChanges changes = LiveSchemas.shared().changes();
        observe();
        schema.goBackInTime();
        // If it failed after the statement that changed the schema, it has to succeed now, or nothing is decided.
        schema.beOwn();
        demandCurrentNow(text);
        SchemaMark mark = target().gate().schemaMark();
        GuardedStatement statement = text.current(this);
        if (target().gate().schemaMark().version() != mark.version()) {
            // This look has found a change; the statement is surely of what is known now, or of later.
            mark = target().gate().schemaMark();
            statement = text.current(this);
        }
        schema.demandSchemaOfTheTransaction();
        // Behind a COMMIT in the text the rest would be read under other settings than it was (SettingsCasesIT).
        if (endOfTransactionChangesReading() && SqlScan.of(text.original()).hasSeveralStatements()) {
            throw UnsupportedQueryException.call(
                    "several statements in one text, of which one may end the transaction and with it a setting,",
                    "Run them one by one.");
        }
        Request request = placed(requests.request(target()), statement);
        Target others = schema.others();
        if (others != null) {
            schema.forgetAtTheEnd(requests.request(others).trace());
        }
        Permit permit = target().gate().check(statement, request, parameters);
        return new Passage(text, statement, permit, request, server.id(), changes, mark);
    }

    /** The request as it is seen from this connection, in its transaction, with its settings. */
    private Request placed(Request request, GuardedStatement statement) throws SQLException {
        if (target().config().mode() == PrivoxyMode.OFF) {
            return request;
        }
        SchemaMark mark = target().gate().schemaMark();
        // What was read under another schema need not go together with what this one says.
        // Not each statement of such a text runs under the settings of before it.
        boolean changes = statement.changesMeaning() && statement.kind() != Kind.SESSION;
        String settings = changes ? states.meaningOfItsOwn() : states.meaning();
        String meaning = mark.version() == 0 ? settings : mark.version() + ";" + settings;
        var nature = new TransactionTrace.Nature(
                isWrite(statement.kind()), statement.held() == Held.ALL, statement.outsideSnapshots());
        return request.from(
                trace.standpoint(transaction.isWithin(), nature, states.isolation(), meaning, mark, request.trace()));
    }

    private static boolean isWrite(Kind kind) {
        return kind == Kind.WRITE || kind == Kind.DDL;
    }

    /** Whether settings that change the reading of SQL go back to others when the transaction ends. */
    private boolean endOfTransactionChangesReading() throws SQLException {
        return states.isStale() || (states.isChangedInTransaction() && transaction.isWithin());
    }

    /** A permitted statement is about to be sent. */
    void before(Passage passage) throws SQLException {
        // Before the text leaves, as the server makes a change before its answer is here, and others decide
        // meanwhile.
        schema.sending(passage);
        if (isWrite(passage.statement().kind()) && transaction.isWithin()) {
            trace.writing(passage.request().trace());
            trace.writing(passage.statement().writes());
        } else {
            // Also a read: after a write it may see what is taken back later.
            trace.reading(passage.request().trace());
        }
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
        if (schema.isOvertaken(passage)) {
            // An error that says "try again" would have the application write twice.
            boolean isDone = isWrite(passage.statement().kind()) && !transaction.isWithin();
            throw new PrivoxyFailureException(
                    isDone ? PrivoxyErrorCode.SCHEMA_OF_WRITE : PrivoxyErrorCode.SCHEMA_OF_STATEMENT, "");
        }
    }

    /** A permitted statement was run. */
    void after(Passage passage) throws SQLException {
        after(passage, null);
    }

    /** A permitted statement was run, or has failed. */
    private void after(Passage passage, @Nullable Throwable failure) throws SQLException {
        GuardedStatement statement = passage.statement();
        target().gate().executed(passage.permit(), passage.request());
        // A failed statement within a transaction may have taken back more than itself.
        if (failure != null) {
            trace.doubt();
        }
        // DDL as well: DROP SCHEMA changes what the search path means.
        if (statement.changesSession() || statement.kind() == Kind.DDL) {
            states.changedBy(passage.text().original());
        }
        if (statement.changesMeaning()) {
            states.ownSetting(passage.text().original(), transaction.isWithin(), failure == null);
        }
        SessionEffects effects =
                target().config().mode() == PrivoxyMode.OFF ? SessionEffects.NONE : statement.effects();
        states.ownSettings(effects, failure == null && !transaction.isWithin());
        if (statement.kind() == Kind.DDL) {
            schema.changed();
        }
        control.text(passage, effects, failure == null);
        schema.answered(failure);
        // The answer tells whether the transaction is over, whatever the text said.
        observeAnswer();
        schema.beOwn();
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
                trace.rolledBack();
                states.invalidate();
                error.addSuppressed(also);
            }
        }
        schema.answered(error);
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
        leave();
        schema.closed();
        trace.closed();
        control.ended();
        scope.end();
    }
}
