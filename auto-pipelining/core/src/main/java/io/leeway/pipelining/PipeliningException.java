package io.leeway.pipelining;

import org.jspecify.annotations.Nullable;

/**
 * Something went wrong: a stable code, what happened, what to do.
 *
 * @since 0.1
 */
public final class PipeliningException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final PipeliningError error;

    PipeliningException(PipeliningError error, String detail, @Nullable Throwable cause) {
        super(error.code() + ": " + detail + " " + error.remedy(), cause);
        this.error = error;
    }

    /** What went wrong. */
    public PipeliningError error() {
        return error;
    }
}
