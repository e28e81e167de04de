package io.leeway.privoxy;

import java.sql.SQLNonTransientException;
import org.jspecify.annotations.Nullable;

/**
 * Privoxy cannot work: wrong options, an unreadable policy, a contradiction in the context, an internal error. Nothing
 * was sent to the database, or, where the message says so, its answer is withheld.
 *
 * @since 0.1
 */
public final class PrivoxyFailureException extends SQLNonTransientException implements PrivoxyException {

    private static final long serialVersionUID = 1L;

    private final PrivoxyErrorCode code;

    /** A failure with what happened in this case; never with data values. */
    public PrivoxyFailureException(PrivoxyErrorCode code, String detail) {
        this(code, detail, null);
    }

    /** A failure with its cause. */
    public PrivoxyFailureException(PrivoxyErrorCode code, String detail, @Nullable Throwable cause) {
        super(code.message(detail), code.sqlState(), code.number(), cause);
        this.code = code;
    }

    @Override
    public PrivoxyErrorCode code() {
        return code;
    }
}
