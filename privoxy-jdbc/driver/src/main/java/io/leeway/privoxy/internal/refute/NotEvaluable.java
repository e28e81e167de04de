package io.leeway.privoxy.internal.refute;

/**
 * What a database would say cannot be told from what the checker knows: a collation's order, an unknown function …
 *
 * <p>Without a stack trace, as it is thrown for pair after pair in a search.
 */
final class NotEvaluable extends RuntimeException {

    NotEvaluable(String what) {
        super(what, null, false, false);
    }
}
