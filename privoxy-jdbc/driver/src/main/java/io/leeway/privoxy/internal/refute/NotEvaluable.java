package io.leeway.privoxy.internal.refute;

/** What a database would say cannot be told from what the checker knows: a collation's order, an unknown function … */
final class NotEvaluable extends RuntimeException {

    NotEvaluable(String what) {
        super(what, null, false, false);
    }
}
