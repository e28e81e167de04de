package io.leeway.privoxy;

import java.sql.SQLNonTransientException;

/**
 * A statement was refused because the policy does not allow it. It was not sent to the database, so a transaction in
 * progress goes on.
 *
 * @since 0.1
 */
public final class PolicyViolationException extends SQLNonTransientException implements PrivoxyException {

    private static final long serialVersionUID = 1L;

    private final PrivoxyErrorCode code;
    private final Refusal refusal;

    /** A refusal under one of the codes with SQLState 42501. */
    public PolicyViolationException(PrivoxyErrorCode code, Refusal refusal) {
        super(code.message(refusal.reason()) + refusal.details(), code.sqlState(), code.number());
        this.code = code;
        this.refusal = refusal;
    }

    /** The usual refusal: the query could reveal more than the policy shows. */
    public PolicyViolationException(Refusal refusal) {
        this(PrivoxyErrorCode.VIOLATION, refusal);
    }

    @Override
    public PrivoxyErrorCode code() {
        return code;
    }

    /** Why, and what would have been allowed. */
    public Refusal refusal() {
        return refusal;
    }
}
