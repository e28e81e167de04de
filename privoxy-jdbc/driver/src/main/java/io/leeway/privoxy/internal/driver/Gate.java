package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.guard.Audit;
import io.leeway.privoxy.internal.guard.Denial;
import io.leeway.privoxy.internal.guard.Guard;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.guard.Ruling;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.metrics.MetricsTrackers;
import io.leeway.privoxy.internal.request.Invalidation;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.schema.SchemaMark;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Asks the guard, and closes when the guard breaks: in enforce mode whatever it throws is a refusal, in audit mode it
 * is logged and the statement passes. Thread-safe.
 *
 * <p>A guard that throws, overflows its stack or lacks a class has decided nothing, and nothing decided is a refusal:
 * this is where "fails closed" is kept. An OutOfMemoryError is let through, as nothing is sent then either.
 */
final class Gate {

    private final Guard guard;
    private final PrivoxyMode mode;
    private final PrivoxyMetricsTracker tracker;
    private final Audit audit;

    Gate(Guard guard, PrivoxyConfig config) {
        this(guard, config.mode(), MetricsTrackers.of(config));
    }

    /** The mode is that of the connection; the guard has those of tables. */
    Gate(Guard guard, PrivoxyMode mode, PrivoxyMetricsTracker tracker) {
        this.guard = guard;
        this.mode = mode;
        this.tracker = tracker;
        this.audit = new Audit(tracker);
    }

    /** The guard's reading of a text, perhaps of a transaction that reads what was committed when it began. */
    GuardedStatement prepare(String sql, SessionState state, Connection connection, boolean past) throws SQLException {
        long start = System.nanoTime();
        try {
            return past ? guard.prepareInThePast(sql, state, connection) : guard.prepare(sql, state, connection);
        } catch (SQLException thrown) {
            pass(measured(Denial.of(thrown), start));
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError fault) {
            pass(measured(Denial.of(failure(fault)), start));
        }
        // In audit and off mode only: what is not understood passes, and makes its request forget everything.
        return UnreadStatement.INSTANCE;
    }

    /** The guard's permission. */
    Permit check(GuardedStatement statement, Request request, Parameters parameters) throws SQLException {
        if (mode == PrivoxyMode.OFF) {
            return new UncheckedPermit(request);
        }
        Ruling ruling = rule(statement, request, parameters);
        if (ruling instanceof Permit permit) {
            return permit;
        }
        Denial denial = (Denial) ruling;
        // The guard has asked the modes of the tables, which may be stricter than that of the connection.
        if (denial.isFinal()) {
            throw denial.exception();
        }
        pass(denial);
        return new UncheckedPermit(request);
    }

    /**
     * What the guard says, and has measured; that it breaks is no permission.
     *
     * <p>Not measured twice: the guard counts its own decisions.
     */
    private Ruling rule(GuardedStatement statement, Request request, Parameters parameters) {
        long start = System.nanoTime();
        try {
            return statement.check(request, parameters);
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError fault) {
            return measured(Denial.of(failure(fault)), start);
        }
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
            // Not found out is "no": the result is withheld.
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
            Invalidation.afterUnknown().in(request.trace(), request.standpoint().transaction());
            audit.failed(Denial.of(failure(fault)), mode);
        }
    }

    /** What the guard did not come to measure, as it threw something. */
    private Denial measured(Denial denial, long start) {
        if (mode != PrivoxyMode.OFF) {
            tracker.checked(Stage.NONE, denial.outcome(), System.nanoTime() - start);
        }
        return denial;
    }

    /**
     * Returns if the mode lets the statement pass.
     *
     * <p>Who lets pass what is refused is {@link Audit} alone.
     */
    private void pass(Denial denial) throws SQLException {
        if (!audit.passes(denial, mode)) {
            throw denial.exception();
        }
    }

    /** The class of the fault only: its message may quote the text. */
    private static PrivoxyFailureException failure(Throwable fault) {
        String detail = "An internal error (" + fault.getClass().getName() + "); nothing was sent to the database.";
        return new PrivoxyFailureException(PrivoxyErrorCode.INTERNAL, detail, fault);
    }
}
