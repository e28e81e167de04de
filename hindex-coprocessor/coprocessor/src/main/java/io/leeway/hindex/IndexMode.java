package io.leeway.hindex;

/**
 * How an index follows its table.
 *
 * @since 0.1
 */
public enum IndexMode {
    /** Writes only add entries; obsolete ones are removed when the base table is compacted. */
    DEFERRED,
    /** Every write reads the old value and removes its entry. */
    SYNC,
    /**
     * Entries follow after the write, also after a crash. A query may miss a row that was written just now; what it
     * returns is right.
     */
    ASYNC,
    /**
     * For rows that are written once: compactions look for nothing. If rows are overwritten or deleted all the same,
     * queries stay right, but the obsolete entries stay.
     */
    IMMUTABLE
}
