package io.leeway.privoxy.internal.driver;

import org.jspecify.annotations.Nullable;

/**
 * What texts have chosen for the transaction that is open or comes next, beside the session's own isolation. Not
 * thread-safe.
 *
 * <p>The server says neither what was chosen for the next transaction nor whether that has been used up: a commit of
 * nothing need not be sent, and a single statement of auto-commit is a transaction only where it reads a table. So where
 * a level may have been used up the transaction has it or the session's, and what holds of both is believed.
 */
final class ChosenIsolation {

    private @Nullable Isolation level;
    private boolean mayBeUsedUp;

    /** For the transaction that has begun without a statement, or begins with the next one. */
    void chosen(Isolation chosen) {
        level = chosen;
        mayBeUsedUp = false;
    }

    /** The transaction is over, and it is known that there was one. */
    void usedUp() {
        level = null;
    }

    /** There may have been a transaction. */
    void maybeUsedUp() {
        mayBeUsedUp = true;
    }

    /**
     * Of a transaction that begins now.
     *
     * @param usual the session's
     */
    Isolation ofTransaction(Isolation usual) {
        Isolation chosen = level;
        return chosen == null ? usual : mayBeUsedUp ? chosen.or(usual) : chosen;
    }

    /** Of a statement under auto-commit, which may be a transaction of its own. */
    Isolation ofStatement(Isolation usual) {
        maybeUsedUp();
        return ofTransaction(usual);
    }
}
