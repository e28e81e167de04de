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
    /** Entries follow after the write, from a queue. */
    ASYNC,
    /** Values are never overwritten nor deleted: nothing is ever removed. */
    IMMUTABLE
}
