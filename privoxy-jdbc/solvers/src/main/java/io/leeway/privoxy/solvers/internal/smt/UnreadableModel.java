package io.leeway.privoxy.solvers.internal.smt;

/**
 * A solver's model from which no databases can be read: it is incomplete, or speaks of values that cannot be written.
 *
 * <p>No stack trace: it ends one attempt at an example.
 */
final class UnreadableModel extends RuntimeException {

    UnreadableModel(String why) {
        super(why, null, false, false);
    }
}
