package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.UndecidedQueryException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.guard.Guard;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.metrics.MetricsTrackers;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.schema.SchemaMark;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks the guard, and closes when the guard breaks: in enforce mode whatever it throws is a refusal, in audit mode it is
 * logged and the statement passes. Thread-safe.
 */
final class Gate {

    private static final System.Logger LOG = System.getLogger(Gate.class.getName());
    private static final int REMEMBERED_MESSAGES = 1_000;

    private final Guard guard;
    private final PrivoxyMode mode;
    private final PrivoxyMetricsTracker tracker;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    Gate(Guard guard, PrivoxyConfig config) {
        this.guard = guard;
        this.mode = config.mode();
        this.tracker = MetricsTrackers.of(config);
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
            log(Level.ERROR, failure(fault));
        }
    }

    /** Returns if the mode lets the statement pass. What the guard could not decide on is measured here. */
    private void pass(SQLException refusal, long start) throws SQLException {
        if (mode != PrivoxyMode.OFF) {
            tracker.checked(Stage.NONE, outcome(refusal), System.nanoTime() - start);
        }
        if (mode == PrivoxyMode.ENFORCE) {
            throw refusal;
        }
        if (mode == PrivoxyMode.AUDIT) {
            tracker.audited(outcome(refusal));
            log(Level.WARNING, refusal);
        }
    }

    private static PrivoxyFailureException failure(Throwable fault) {
        String detail = "An internal error (" + fault.getClass().getName() + "); nothing was sent to the database.";
        return new PrivoxyFailureException(PrivoxyErrorCode.INTERNAL, detail, fault);
    }

    private static Outcome outcome(SQLException refusal) {
        if (refusal instanceof PolicyViolationException) {
            return Outcome.DENY;
        }
        if (refusal instanceof UndecidedQueryException) {
            return Outcome.UNDECIDED;
        }
        return refusal instanceof UnsupportedQueryException ? Outcome.UNSUPPORTED : Outcome.ERROR;
    }

    /** The first time at the level, repeats for debugging only. Only our own messages are known to have no data. */
    private void log(Level level, SQLException refusal) {
        String message = refusal instanceof PrivoxyException
                ? String.valueOf(refusal.getMessage())
                : refusal.getClass().getName() + ", SQLState " + refusal.getSQLState();
        boolean isFirst = logged.size() < REMEMBERED_MESSAGES && logged.add(message);
        LOG.log(isFirst ? level : Level.DEBUG, "{0} mode: {1}", mode, message);
    }
}
