package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides whether a statement passes that is refused, whether that is counted and logged, and what is remembered of it:
 * no more than the messages, so that a page that is loaded all day does not fill the log. Thread-safe.
 *
 * <p>One class, since a mode that one of several places forgot would let statements pass.
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

    /**
     * Whether a mode lets pass what is refused.
     *
     * <p>The mode of a connection; for what the guard has decided on, the modes of its tables count instead.
     */
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

    /**
     * Logs a fault after which the statement is done: there is nothing left to refuse.
     *
     * <p>In audit mode, too, a fault of ours is an error in the log: operators have to see it before they enforce.
     */
    public void failed(Denial fault, PrivoxyMode mode) {
        log(Level.ERROR, mode, fault);
    }

    /** The first time at the level, repeats for debugging only. */
    private void log(Level level, PrivoxyMode mode, Denial denial) {
        String message = denial.logged();
        // Full means that everything counts as a repeat, so that the log stays bounded whatever the application
        // does.
        boolean isFirst = logged.size() < REMEMBERED_MESSAGES && logged.add(message);
        LOG.log(isFirst ? level : Level.DEBUG, "{0} mode: {1}", mode.name().toLowerCase(Locale.ROOT), message);
    }
}
