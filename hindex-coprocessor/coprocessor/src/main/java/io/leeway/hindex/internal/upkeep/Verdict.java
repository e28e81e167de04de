package io.leeway.hindex.internal.upkeep;

/**
 * What an entry is worth, decided under the lock of its row.
 *
 * <p>Names go over the wire. What a repair does: it writes what is missing, and removes what is superseded or dangling.
 * What is deleted it leaves to compactions, which have the delete and what it hides before them.
 */
public enum Verdict {
    /**
     * It is there and says what the table says, or will say without another write, when cells with a time to live of
     * their own have expired; or it is not there, and need not be.
     */
    RIGHT,
    /** The row has that value now, and the entry is not there. */
    MISSING,
    /** The row had that value; newer versions superseded it. */
    SUPERSEDED,
    /** The row had that value; a delete hides it. */
    DELETED,
    /** The row stores no such value. */
    DANGLING,
    /** The row is not of this region any more. */
    ELSEWHERE
}
