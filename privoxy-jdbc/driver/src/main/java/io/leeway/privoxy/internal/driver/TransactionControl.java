package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.schema.LiveSchemas;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What methods and texts say of a session's transaction, and what that means for its facts, its settings and its
 * schema: the three go together, as what a transaction has changed is taken back with it. Not thread-safe.
 */
final class TransactionControl {

    private final Dialect dialect;
    private final ServerSession server;
    private final SessionStates states;
    private final SessionTransaction transaction;
    private final TransactionTrace trace;
    private final SessionSchema schema;

    TransactionControl(
            Dialect dialect,
            ServerSession server,
            SessionStates states,
            SessionTransaction transaction,
            SessionSchema schema) {
        this.dialect = dialect;
        this.server = server;
        this.states = states;
        this.transaction = transaction;
        this.trace = transaction.trace();
        this.schema = schema;
    }

    /** Client info that a driver gives the database as settings, which go with the transaction as others do. */
    void clientInfo(Map<String, @Nullable String> info, Turn.Deed deed) throws SQLException {
        boolean isWithin = transaction.isWithin();
        // Before the call, so that a failure leaves them in doubt and not believed.
        info.keySet().forEach(name -> states.doubt(ClientInfo.setting(name, dialect), isWithin));
        deed.now();
        info.forEach((name, value) ->
                states.ownSetting(ClientInfo.setting(name, dialect), Objects.requireNonNullElse(value, ""), isWithin));
    }

    /** What texts say of transactions. What they may have done otherwise, the database's answer says. */
    void text(Passage passage, SessionEffects effects, boolean isDone) throws SQLException {
        String text = passage.text().original();
        boolean isSeveral = text.indexOf(';') >= 0 && SqlScan.of(text).hasSeveralStatements();
        if (isSeveral && passage.statement().controlsTransaction()) {
            // Which of its statements was in which transaction is not followed.
            trace.rolledBack();
            states.mayBeTakenBack();
            if (server.state() != ServerSession.State.IDLE) {
                trace.foundOpen();
                trace.writing(passage.request().trace());
                trace.writing(Set.of(StatementPlan.ANYTHING));
            }
        } else if (passage.statement().kind() == Kind.TRANSACTION) {
            trace.text(text);
            states.mayBeTakenBack();
            if (server.state() == ServerSession.State.OPEN || transaction.hasFailed()) {
                partTakenBack();
            } else {
                schema.mayBeTakenBack();
            }
        }
        if (effects.may(SessionEffects.Kind.PREPARES)) {
            // A prepared transaction may have had a change in it, of whichever session.
            LiveSchemas.shared().endedElsewhere();
        }
        // H2's driver does not tell of transactions; others are told by the server's answer.
        if (dialect == Dialect.H2 && effects.may(SessionEffects.Kind.COMMITS)) {
            trace.lapsed();
            ended();
        }
        if (effects.may(SessionEffects.Kind.CHOOSES_ISOLATION)) {
            if (dialect == Dialect.POSTGRESQL && effects.may(SessionEffects.Kind.TAKES_SNAPSHOT_OVER)) {
                trace.tookSnapshotOver();
            }
            states.invalidate();
            isolationChosen(IsolationChoice.of(effects.level(), dialect), isDone);
        }
    }

    /** A transaction has ended: what was changed in it may have been taken back. */
    void ended() {
        ended(false);
    }

    /** The same when it is known whether it was committed. */
    void ended(boolean committed) {
        states.transactionEnded(committed);
        schema.mayBeTakenBack();
    }

    /** Part of a transaction was taken back. */
    void partTakenBack() {
        states.mayBeTakenBack();
        schema.partTakenBack();
    }

    /** The isolation was chosen by method. */
    void isolationChosen(int level) throws SQLException {
        Isolation chosen = Isolation.of(level, dialect);
        states.isolation(chosen);
        isolationChosen(new IsolationChoice.Lasting(chosen), true);
    }

    private void isolationChosen(IsolationChoice choice, boolean isDone) throws SQLException {
        boolean isWithin = transaction.isWithin();
        // H2 commits what is open; a branch may have begun without the driver's noticing.
        boolean isIdle =
                dialect == Dialect.H2 || !trace.isBranch() && (server.state() == ServerSession.State.IDLE || !isWithin);
        // PostgreSQL's level is that of the transaction that is open, and it takes none once that has read. MariaDB's
        // is that of the next one, and it takes none while one is open.
        boolean isForThis = isWithin && (dialect == Dialect.POSTGRESQL || isIdle);
        if (choice instanceof IsolationChoice.Lasting && isDone && isIdle) {
            trace.usualIsolationChosen();
        } else if (choice instanceof IsolationChoice.Once && isDone && isForThis && !transaction.hasFailed()) {
            trace.isolationChosen(choice.level());
        } else {
            trace.isolationChosen(Isolation.unknown(dialect));
        }
    }
}
