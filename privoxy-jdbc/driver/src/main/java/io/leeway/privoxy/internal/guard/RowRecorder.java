package io.leeway.privoxy.internal.guard;

import org.jspecify.annotations.Nullable;

/**
 * Takes the rows of one result as the application reads them. Not thread-safe.
 *
 * <p>Told while the application reads: results are streamed, and what nobody has seen is no fact of the request.
 */
public interface RowRecorder {

    /** JDBC indexes (from 1) of the result columns that matter; the others need not be read. Not to be changed. */
    int[] columns();

    /**
     * A row was read.
     *
     * @param cells one object for each of {@link #columns()}, as the driver's {@code getObject} gave it; the array is
     *     not kept
     * @return false when no more rows need to be told (the bound is reached)
     */
    boolean row(@Nullable Object[] cells);

    /** The application has seen the end of the result: the recorded rows are all. */
    void exhausted();
}
