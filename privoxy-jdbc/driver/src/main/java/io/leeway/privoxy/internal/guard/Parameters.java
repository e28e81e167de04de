package io.leeway.privoxy.internal.guard;

import org.jspecify.annotations.Nullable;

/**
 * The values bound to a statement's parameters.
 *
 * <p>Read lazily, at the moment of the check and under the statement's turn, so that no other thread changes a value
 * between check and run.
 */
public interface Parameters {

    /** Stands for a value that the driver cannot show, as a stream. It equals nothing. */
    Object UNKNOWN = new Object() {
        @Override
        public String toString() {
            return "unknown";
        }
    };

    /** For statements without parameters. */
    Parameters NONE = index -> UNKNOWN;

    /**
     * The Java object given to a {@code setXxx} method, null for SQL null, or {@link #UNKNOWN}.
     *
     * @param index JDBC index, from 1
     */
    @Nullable
    Object get(int index);
}
