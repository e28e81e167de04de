package io.leeway.privoxy.internal.guard;

import org.jspecify.annotations.Nullable;

/**
 * Permission to run one statement once. Not thread-safe.
 *
 * <p>For one execution: values and facts may be others the next time.
 */
public non-sealed interface Permit extends Ruling {

    /** Where to tell the rows that the application reads, or null if nothing is learnt from them. */
    @Nullable
    RowRecorder recorder();

    /**
     * To be called once the database has run the statement or has failed to: facts that a write makes doubtful are
     * forgotten.
     */
    void executed();
}
