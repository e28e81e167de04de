package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.Row;

/**
 * In which order rows are used, and up to which they were {@linkplain Row#approach approached}: most programs go
 * through rows in the order of their keys.
 */
final class RowOrder {

    private long last = -1;
    private long approachedTo;

    /**
     * A row is used next; returns whether it and those behind it, {@link Row#AT_ONCE} together, are to be approached:
     * they were not, and it comes soon behind the one before.
     */
    boolean isTimeToApproach(long key) {
        boolean goesOn = key > last && key - last <= Row.AT_ONCE;
        last = key;
        if (!goesOn || key < approachedTo && key >= approachedTo - Row.AT_ONCE) {
            return false;
        }
        approachedTo = key + Row.AT_ONCE;
        return true;
    }
}
