package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import java.lang.System.Logger.Level;
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
     * Whether a mode lets the statement pass; if so it is counted and logged.
     *
     * @param mode of what was asked: of the tables where the guard knows them, else of the connection
     */
    public boolean passes(Denial denial, PrivoxyMode mode) {
        if (!letsPass(mode)) {
            return false;
        }
        // Who has switched checks off does not ask what they would have said.
        if (mode == PrivoxyMode.AUDIT) {
            tracker.audited(denial.outcome());
            log(Level.WARNING, mode, denial);
        }
        return true;
    }

    /** Logs a fault after which the statement is done: there is nothing left to refuse. */
    public void failed(Denial fault, PrivoxyMode mode) {
        log(Level.ERROR, mode, fault);
    }

    /** The first time at the level, repeats for debugging only. */
    private void log(Level level, PrivoxyMode mode, Denial denial) {
        String message = denial.logged();
        boolean isFirst = logged.size() < REMEMBERED_MESSAGES && logged.add(message);
        LOG.log(isFirst ? level : Level.DEBUG, "{0} mode: {1}", mode.name().toLowerCase(Locale.ROOT), message);
    }
}
