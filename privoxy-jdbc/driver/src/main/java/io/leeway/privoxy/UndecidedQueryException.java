package io.leeway.privoxy;

import java.sql.SQLNonTransientException;

/**
 * A statement was refused because nothing could be proved within the bounds. It was not sent to the database.
 *
 * @since 0.1
 */
public final class UndecidedQueryException extends SQLNonTransientException implements PrivoxyException {

    private static final long serialVersionUID = 1L;

    private final Refusal refusal;

    /** An undecided query. */
    public UndecidedQueryException(Refusal refusal) {
        super(
                PrivoxyErrorCode.UNDECIDED.message(refusal.reason()) + refusal.details(),
                PrivoxyErrorCode.UNDECIDED.sqlState(),
                PrivoxyErrorCode.UNDECIDED.number());
        this.refusal = refusal;
    }

    @Override
    public PrivoxyErrorCode code() {
        return PrivoxyErrorCode.UNDECIDED;
    }

    /** What was tried. */
    public Refusal refusal() {
        return refusal;
    }
}
