package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.ConnectionScope;
import io.leeway.privoxy.internal.request.ContextValues;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.RequestScope;
import io.leeway.privoxy.internal.request.ThreadScope;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a checked connection and its statements share: the way of a text through the gate, and the bookkeeping of
 * request, transaction and session settings around it. Whatever looks at these and acts on it does so in its
 * {@link #turn()}.
 */
final class Session {

    private static final String ISOLATION = "isolation";
    private static final String SNAPSHOT = "snapshot";

    private final Connection raw;
    private final Retargeting targets;
    private final ServerSession server;
    private final DatabaseErrors errors;
    private final SessionStates states;
    private final ConnectionScope scope;
    private final TransactionTrace transaction = new TransactionTrace();
    private final Turn turn = new Turn();
    private Target target;
    private boolean schemaInDoubt;

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

    /** Finds the target when the driver has gone over to another physical connection. */
    @FunctionalInterface
    interface Retargeting {
        /** The target of what the server says it is. */
        Target target(String identity) throws SQLException;
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
        if (target.config().mode() == PrivoxyMode.OFF) {
            return;
        }
        if (states.isConnectionChanged()) {
            transaction.rolledBack();
            target = targets.target(read(states::identity));
        }
        switch (server.state()) {
            case IDLE -> {
                boolean isOver = transaction.hasBegun() ? transaction.wasOpen() : states.isChangedInTransaction();
                if (isOver && !transaction.isBranch()) {
                    transaction.lapsed();
                    transactionEnded();
                }
            }
            case OPEN, FAILED -> {
                transaction.isOpen();
                if (!transaction.begunOtherwise() && !transaction.isBranch() && raw.getAutoCommit()) {
                    transaction.foundOpen();
                }
            }
            case UNKNOWN -> {
                // Then methods and texts have to tell.
            }
        }
    }

    /** Whether the transaction in progress can only be rolled back, whatever is called. */
    boolean hasFailed() {
        return server.state() == ServerSession.State.FAILED;
    }

    /** A driver may answer this with another physical connection; if it does not tell, the settings are read again. */
    void readOnlyChanges() {
        if (target.dialect() == Dialect.MARIADB && server.id() == ServerSession.UNKNOWN_ID) {
            states.invalidate();
        }
    }

    /** The isolation was chosen by method. */
    void isolationChosen(int level) {
        states.isolation(Isolation.of(level, target.dialect() == Dialect.POSTGRESQL));
    }

    /** Has the guard read a text. */
    PreparedText read(String sql, ReadingMode mode) throws SQLException {
        return turn.alone(() -> {
            observe();
            return read(() -> readBy(sql, mode));
        });
    }

    private PreparedText readBy(String sql, ReadingMode mode) throws SQLException {
        long version = states.version();
        Gate gate = target.gate();
        GuardedStatement statement = gate.prepare(sql, states.of(mode), raw);
        if (!mode.generatedKeys().isEmpty() && statement.kind() == Kind.WRITE) {
            statement = GeneratedKeys.read(
                    target.dialect(), sql, mode, statement, text -> gate.prepare(text, states.of(mode), raw));
        }
        return new PreparedText(sql, mode, statement, version, states.lexicalVersion());
    }

    /**
     * Refuses a text that the real driver took apart under other settings than the present ones: it keeps its places of
     * parameters, and a server its names, while the guard reads anew.
     */
    void demandCurrent(PreparedText text) throws SQLException {
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
        observe();
        demandCurrent(text);
        GuardedStatement statement = text.current(this);
        if (endOfTransactionChangesReading() && SqlScan.of(text.original()).hasSeveralStatements()) {
            throw UnsupportedQueryException.call(
                    "several statements in one text, of which one may end the transaction and with it a setting,",
                    "Run them one by one.");
        }
        Request request = placed(request(), statement.kind());
        Permit permit = target.gate().check(statement, request, parameters);
        return new Passage(text, statement, permit, request, server.id());
    }

    /** The request as it is seen from this connection, in its transaction, with its settings. */
    private Request placed(Request request, Kind kind) throws SQLException {
        if (target.config().mode() == PrivoxyMode.OFF) {
            return request;
        }
        return request.from(transaction.standpoint(
                isWithinTransaction(), isWrite(kind), states.isolation(), states.meaning(), request.trace()));
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
        if (isWrite(passage.statement().kind()) && isWithinTransaction()) {
            transaction.writing(passage.request().trace());
        } else {
            transaction.reading(passage.request().trace());
        }
    }

    /**
     * Refuses what was run elsewhere than it was decided for: a driver may have gone over to another server, or to a new
     * session with other settings, in the middle of a statement.
     */
    void verify(Passage passage) throws SQLException {
        if (passage.connectionId() != server.id()) {
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.SESSION,
                    "The driver has gone over to another connection while the statement was run; try it again.");
        }
    }

    /** A permitted statement was run, or has failed. */
    void after(Passage passage, boolean failed) throws SQLException {
        GuardedStatement statement = passage.statement();
        target.gate().executed(passage.permit(), passage.request());
        if (failed) {
            transaction.doubt();
        }
        if (statement.changesSession() || statement.kind() == Kind.DDL) {
            states.changedBy(passage.text().original(), isWithinTransaction());
        }
        if (statement.changesMeaning()) {
            states.ownSetting(passage.text().original(), isWithinTransaction());
        }
        if (statement.kind() == Kind.DDL) {
            target.gate().schemaMayHaveChanged();
            schemaInDoubt = true;
        }
        afterControl(passage, statement.kind());
        observe();
    }

    /** What texts say of transactions. What they may have done otherwise, the database's answer says. */
    private void afterControl(Passage passage, Kind kind) throws SQLException {
        String text = passage.text().original();
        boolean isControl = kind == Kind.TRANSACTION || kind == Kind.SESSION;
        boolean isSeveral = text.indexOf(';') >= 0 && SqlScan.of(text).hasSeveralStatements();
        if (isSeveral && passage.statement().controlsTransaction()) {
            // Which of its statements was in which transaction is not followed.
            transaction.rolledBack();
            states.mayBeTakenBack();
            if (server.state() != ServerSession.State.IDLE) {
                transaction.foundOpen();
                transaction.writing(passage.request().trace());
            }
        } else if (kind == Kind.TRANSACTION) {
            transaction.text(text);
            states.mayBeTakenBack();
            schemaMayBeTakenBack();
        }
        String lower = isControl || isSeveral ? text.toLowerCase(Locale.ROOT) : "";
        if (lower.contains(ISOLATION) || lower.contains(SNAPSHOT)) {
            transaction.isolationChosen();
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
            target.gate().schemaMayHaveChanged();
        }
    }

    private void schemaMayBeTakenBack() {
        if (schemaInDoubt) {
            schemaInDoubt = false;
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
        } catch (SQLException error) {
            throw failed(passages, errors.safe(error));
        } catch (RuntimeException error) {
            throw failed(passages, error);
        } catch (Error error) {
            throw failed(passages, error);
        }
        for (Passage passage : passages) {
            after(passage, false);
        }
        return result;
    }

    /** What the database said is told, also where the connection has ended with it and the bookkeeping finds that. */
    <E extends Throwable> E failed(List<Passage> passages, E error) {
        for (Passage passage : passages) {
            try {
                after(passage, true);
            } catch (SQLException also) {
                transaction.rolledBack();
                states.invalidate();
                error.addSuppressed(also);
            }
        }
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

    /** The canonical value of a context parameter. */
    static Value contextValue(String name, Object value) throws SQLException {
        try {
            return ContextValues.of(name, value);
        } catch (IllegalArgumentException refused) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.CONTEXT, refused.getMessage() + ".");
        }
    }

    /** The connection goes back or away: whatever was open is rolled back, and the request ends. */
    void close() {
        transaction.rolledBack();
        transactionEnded();
        scope.end();
    }

    private Request request() throws SQLException {
        RequestScope ofThread = ThreadScope.current();
        if (ofThread != null) {
            return of(ofThread, isContradicted(ofThread));
        }
        RequestScope own = scope.use();
        return own == null ? Request.NOBODY : of(own, false);
    }

    private boolean isContradicted(RequestScope ofThread) {
        return !scope.isEmpty() && ofThread.contradicts(scope.context());
    }

    private Request of(@Nullable RequestScope request, boolean contradicted) throws SQLException {
        if (request == null || request.ended()) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.REQUEST_ENDED, "");
        }
        if (contradicted) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.CONTEXT_CONTRADICTION, "");
        }
        return request.of(target.guard(), target.bounds());
    }
}
