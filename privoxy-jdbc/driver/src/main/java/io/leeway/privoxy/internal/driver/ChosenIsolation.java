package io.leeway.privoxy.internal.driver;

import org.jspecify.annotations.Nullable;

/**
 * What texts have chosen for the transaction that is open or comes next, beside the session's own isolation.
 * Thread-safe, as it outlives the handles of a pooled connection.
 *
 * <p>The server says neither what was chosen for the next transaction nor whether that has been used up: a commit of
 * nothing need not be sent, and a single statement of auto-commit is a transaction only where it reads a table. So where
 * a level may have been used up the transaction has it or the session's, and what holds of both is believed.
 */
final class ChosenIsolation {

    private @Nullable Isolation level;
    private boolean mayBeUsedUp;

    private ChosenIsolation() {}

    /** Nothing was chosen. */
    static ChosenIsolation none() {
        return new ChosenIsolation();
    }

    /** Anything may have been chosen. */
    static ChosenIsolation unknown() {
        var chosen = new ChosenIsolation();
        chosen.chosen(Isolation.UNKNOWN);
        return chosen;
    }

    /** Whether certainly nothing waits for a transaction. */
    synchronized boolean isNone() {
        return level == null;
    }

    /** For the transaction that has begun without a statement, or begins with the next one. */
    synchronized void chosen(Isolation chosen) {
        level = chosen;
        mayBeUsedUp = false;
    }

    /** The transaction is over, and it is known that there was one. */
    synchronized void usedUp() {
        level = null;
    }

    /** There may have been a transaction. */
    synchronized void maybeUsedUp() {
        mayBeUsedUp = true;
    }

    /**
     * Of a transaction that begins now.
     *
     * @param usual the session's
     */
    synchronized Isolation ofTransaction(Isolation usual) {
        Isolation chosen = level;
        return chosen == null ? usual : mayBeUsedUp ? chosen.or(usual) : chosen;
    }

    /** Of a statement under auto-commit, which may be a transaction of its own. */
    synchronized Isolation ofStatement(Isolation usual) {
        maybeUsedUp();
        return ofTransaction(usual);
    }
}
