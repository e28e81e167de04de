package io.leeway.privoxy.internal.traffic;

import io.leeway.privoxy.internal.request.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes what is decided and read, to be looked at later. Implementations are thread-safe, quick, and never throw.
 *
 * <p>To be called on the application's thread, in this order: {@link #decided}, then for each row {@link Rows#row},
 * then {@link Rows#exhausted} if the end was seen.
 *
 * <p>The guard tells it the values that it believes itself, cells and parameters, so that a replay decides from the
 * same.
 */
public interface TrafficSink {

    /** Takes nothing. */
    TrafficSink NONE = (request, statement) -> Rows.NONE;

    /** Whether anything is taken, so that it is worth describing. */
    default boolean isActive() {
        return this != NONE;
    }

    /**
     * A policy comes into force.
     *
     * @param dialect of the database
     * @param policy hash of the policy
     */
    default void policy(String dialect, String policy) {}

    /**
     * A statement was decided on, and has not been sent yet.
     *
     * @param request whose it is
     * @return where to tell the rows that the request's trace is told
     */
    Rows decided(Request request, Statement statement);

    /**
     * A statement and what was decided.
     *
     * @param sql the text
     * @param session the settings under which it was read
     * @param parameters what was bound, in order; {@link TypedValues#UNKNOWN} where that is not known
     * @param decision what was decided
     * @param columns JDBC indexes of the result columns of which cells will be told; empty if none
     */
    record Statement(
            String sql,
            TrafficRecord.Session session,
            List<@Nullable Object> parameters,
            TrafficRecord.Decision decision,
            List<Integer> columns) {}

    /** Takes the rows of one statement. Not thread-safe. */
    interface Rows {

        /** Takes none. */
        Rows NONE = new Rows() {};

        /** A row was read: one cell for each recorded column; the array is not kept. */
        default void row(@Nullable Object[] cells) {}

        /** There are no more rows. */
        default void exhausted() {}
    }
}
