package io.leeway.privoxy;

/**
 * What all exceptions raised by Privoxy have in common; each is also a {@link java.sql.SQLException}.
 *
 * @since 0.1
 */
public sealed interface PrivoxyException
        permits PolicyViolationException, UndecidedQueryException, UnsupportedQueryException, PrivoxyFailureException {

    /** The catalogue entry. */
    PrivoxyErrorCode code();
}
