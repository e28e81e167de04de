package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.UndecidedQueryException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides whether a statement passes that is refused, whether that is counted and logged, and what is remembered of it: no
 * more than the messages, so that a page that is loaded all day does not fill the log. Thread-safe.
 */
public final class Audit {

    private static final System.Logger LOG = System.getLogger(Audit.class.getName());

    /** Messages name queries, of which applications that build their texts have any number. */
    private static final int REMEMBERED_MESSAGES = 1_000;

    private final PrivoxyMetricsTracker tracker;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** Of nothing so far. */
    public Audit(PrivoxyMetricsTracker tracker) {
        this.tracker = tracker;
    }

    /** Whether a mode lets pass what is refused. */
    public static boolean letsPass(PrivoxyMode mode) {
        // A mode that this switch does not know does not compile: none lets anything pass by omission.
        return switch (mode) {
            case ENFORCE -> false;
            case AUDIT, OFF -> true;
        };
    }

    /**
     * Returns if a mode lets the statement pass.
     *
     * @param mode of what was asked: of the tables where the guard knows them, else of the connection
     * @throws SQLException the refusal, if not
     */
    public void pass(SQLException refusal, PrivoxyMode mode) throws SQLException {
        if (!letsPass(mode)) {
            throw refusal;
        }
        // Who has switched checks off does not ask what they would have said.
        if (mode == PrivoxyMode.AUDIT) {
            tracker.audited(outcome(refusal));
            log(Level.WARNING, mode, refusal);
        }
    }

    /** Logs a fault after which the statement is done: there is nothing left to refuse. */
    public void failed(SQLException fault, PrivoxyMode mode) {
        log(Level.ERROR, mode, fault);
    }

    /** What a refusal counts as. What no refusal of ours is, is a fault. */
    public static Outcome outcome(SQLException refusal) {
        if (refusal instanceof PolicyViolationException) {
            return Outcome.DENY;
        }
        if (refusal instanceof UndecidedQueryException) {
            return Outcome.UNDECIDED;
        }
        return refusal instanceof UnsupportedQueryException ? Outcome.UNSUPPORTED : Outcome.ERROR;
    }

    /** The first time at the level, repeats for debugging only. Only our own messages are known to have no data. */
    private void log(Level level, PrivoxyMode mode, SQLException refusal) {
        String message = refusal instanceof PrivoxyException
                ? String.valueOf(refusal.getMessage())
                : refusal.getClass().getName() + ", SQLState " + refusal.getSQLState();
        boolean isFirst = logged.size() < REMEMBERED_MESSAGES && logged.add(message);
        LOG.log(isFirst ? level : Level.DEBUG, "{0} mode: {1}", mode.name().toLowerCase(Locale.ROOT), message);
    }
}
