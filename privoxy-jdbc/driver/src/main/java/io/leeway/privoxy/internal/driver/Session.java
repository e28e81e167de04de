package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a checked connection and its statements share: the way of a text through the gate, and the bookkeeping of
 * request, transaction and session settings around it. As little thread-safe as a connection.
 */
final class Session {

    private final Connection raw;
    private final Target target;
    private final Gate gate;
    private final DatabaseErrors errors;
    private final SessionStates states;
    private final ConnectionScope scope;
    private final TransactionTrace transaction = new TransactionTrace();
    private final OwnReads ownReads;
    private boolean schemaInDoubt;

    Session(Connection raw, Target target, Map<String, Value> context) throws SQLException {
        this.raw = raw;
        this.target = target;
        this.gate = target.gate();
        this.errors = new DatabaseErrors(target);
        this.states = new SessionStates(raw, target.dialect(), target.config().mode());
        this.scope = new ConnectionScope(context);
        this.ownReads = OwnReads.on(raw, target.dialect());
        states.version();
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

    /** What the application may see of the database's errors. */
    DatabaseErrors errors() {
        return errors;
    }

    long stateVersion() throws SQLException {
        return states.isStale() ? ownReads.run(states::version) : states.version();
    }

    /** Has the guard read a text. */
    PreparedText read(String sql, ReadingMode mode) throws SQLException {
        return ownReads.run(() -> readBy(sql, mode));
    }

    private PreparedText readBy(String sql, ReadingMode mode) throws SQLException {
        long version = states.version();
        GuardedStatement statement = gate.prepare(sql, states.of(mode), raw);
        if (!mode.generatedKeys().isEmpty() && statement.kind() == Kind.WRITE) {
            statement = GeneratedKeys.read(
                    target.dialect(), sql, mode, statement, text -> gate.prepare(text, states.of(mode), raw));
        }
        return new PreparedText(sql, mode, statement, version);
    }

    /** Has the guard decide; nothing is sent if this throws. */
    Passage check(PreparedText text, Parameters parameters) throws SQLException {
        GuardedStatement statement = text.current(this);
        if (endOfTransactionChangesReading() && SqlScan.of(text.original()).hasSeveralStatements()) {
            throw UnsupportedQueryException.call(
                    "several statements in one text, of which one may end the transaction and with it a setting,",
                    "Run them one by one.");
        }
        Request request = request();
        Permit permit = gate.check(statement, request, parameters);
        return new Passage(text, statement, permit, request);
    }

    /** Whether settings that change the reading of SQL go back to others when the transaction ends. */
    private boolean endOfTransactionChangesReading() throws SQLException {
        return states.isStale()
                || (states.isChangedInTransaction() && (transaction.begunOtherwise() || !raw.getAutoCommit()));
    }

    /** A permitted statement is about to be sent. */
    void before(Passage passage) throws SQLException {
        Kind kind = passage.statement().kind();
        boolean writes = kind == Kind.WRITE || kind == Kind.DDL;
        if (writes && (transaction.begunOtherwise() || !raw.getAutoCommit())) {
            transaction.writing(passage.request().trace());
        } else {
            transaction.reading(passage.request().trace());
        }
    }

    /** A permitted statement was run, or has failed. */
    void after(Passage passage, boolean failed) {
        GuardedStatement statement = passage.statement();
        gate.executed(passage.permit(), passage.request());
        if (failed) {
            transaction.doubt();
        }
        if (statement.changesSession() || statement.kind() == Kind.DDL) {
            states.invalidate();
        }
        if (statement.kind() == Kind.DDL) {
            gate.schemaMayHaveChanged();
            schemaInDoubt = true;
        }
        if (statement.kind() == Kind.TRANSACTION) {
            transaction.text(passage.text().original());
            transactionEnded();
        }
    }

    /** A transaction has ended: what was changed in it may have been taken back. */
    void transactionEnded() {
        states.transactionEnded();
        if (schemaInDoubt) {
            schemaInDoubt = false;
            gate.schemaMayHaveChanged();
        }
    }

    /** Sends several permitted statements at once. */
    <R> R run(List<Passage> passages, Send<R> send) throws SQLException {
        boolean done = false;
        try {
            for (Passage passage : passages) {
                before(passage);
            }
            R result = send.now();
            done = true;
            return result;
        } catch (SQLException error) {
            var texts = new StringBuilder();
            passages.forEach(passage -> texts.append(passage.text().original()).append('\n'));
            throw errors.safe(error, texts.toString());
        } finally {
            for (Passage passage : passages) {
                after(passage, !done);
            }
        }
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

    /** What the real driver does. */
    @FunctionalInterface
    interface Send<R> {
        R now() throws SQLException;
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
