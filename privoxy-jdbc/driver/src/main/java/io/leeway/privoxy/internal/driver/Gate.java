package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.UndecidedQueryException;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.guard.Audit;
import io.leeway.privoxy.internal.guard.Guard;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.metrics.MetricsTrackers;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.schema.SchemaMark;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Asks the guard, and closes when the guard breaks: in enforce mode whatever it throws is a refusal, in audit mode it is
 * logged and the statement passes. Thread-safe.
 */
final class Gate {

    private final Guard guard;
    private final PrivoxyMode mode;
    private final PrivoxyMetricsTracker tracker;
    private final Audit audit;

    Gate(Guard guard, PrivoxyConfig config) {
        this.guard = guard;
        this.mode = config.mode();
        this.tracker = MetricsTrackers.of(config);
        this.audit = new Audit(tracker);
    }

    /** The guard's reading of a text. */
    GuardedStatement prepare(String sql, SessionState state, Connection connection) throws SQLException {
        return prepare(sql, state, connection, false);
    }

    /** The same, perhaps of a transaction that reads what was committed when it began. */
    GuardedStatement prepare(String sql, SessionState state, Connection connection, boolean past) throws SQLException {
        long start = System.nanoTime();
        try {
            return past ? guard.prepareInThePast(sql, state, connection) : guard.prepare(sql, state, connection);
        } catch (SQLException refusal) {
            pass(refusal, start);
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError fault) {
            pass(failure(fault), start);
        }
        return UnreadStatement.INSTANCE;
    }

    /** The guard's permission. */
    Permit check(GuardedStatement statement, Request request, Parameters parameters) throws SQLException {
        if (mode == PrivoxyMode.OFF) {
            return new UncheckedPermit(request);
        }
        long start = System.nanoTime();
        try {
            return statement.check(request, parameters);
        } catch (PolicyViolationException | UndecidedQueryException decided) {
            // The guard knows the modes of the tables; what it refuses is refused.
            throw decided;
        } catch (SQLException refusal) {
            pass(refusal, start);
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError fault) {
            pass(failure(fault), start);
        }
        return new UncheckedPermit(request);
    }

    /** How far the guard knows changes of the schema. */
    SchemaMark schemaMark() {
        return guard.schemaMark();
    }

    /** Whether the guard finds the schema to be that of then; not where that cannot be found out. */
    boolean isSchemaStill(SchemaMark then, Connection connection) {
        try {
            return guard.isSchemaStill(then, connection);
        } catch (SQLException | RuntimeException unknown) {
            return false;
        }
    }

    /** Tells the guard that the schema may be another one now. */
    void schemaMayHaveChanged() {
        guard.schemaMayHaveChanged();
    }

    /** Tells the guard that a statement was run; what the guard cannot take in is forgotten. */
    void executed(Permit permit, Request request) {
        try {
            permit.executed();
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError fault) {
            request.trace().forgetAll();
            audit.failed(failure(fault), mode);
        }
    }

    /** Returns if the mode lets the statement pass. What the guard could not decide on is measured here. */
    private void pass(SQLException refusal, long start) throws SQLException {
        if (mode != PrivoxyMode.OFF) {
            tracker.checked(Stage.NONE, Audit.outcome(refusal), System.nanoTime() - start);
        }
        audit.pass(refusal, mode);
    }

    private static PrivoxyFailureException failure(Throwable fault) {
        String detail = "An internal error (" + fault.getClass().getName() + "); nothing was sent to the database.";
        return new PrivoxyFailureException(PrivoxyErrorCode.INTERNAL, detail, fault);
    }
}
