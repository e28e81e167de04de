package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;

/**
 * An entry to be written.
 *
 * @param timeToLive milliseconds from the entry's timestamp on, as of the base cell; {@code Long.MAX_VALUE} for ever
 */
public record NewEntry(Entry entry, long timeToLive) {

    /** One that lives as long as the index's family says. */
    static NewEntry of(Entry entry) {
        return new NewEntry(entry, Long.MAX_VALUE);
    }
}
