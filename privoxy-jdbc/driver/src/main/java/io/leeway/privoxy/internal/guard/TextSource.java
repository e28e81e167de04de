package io.leeway.privoxy.internal.guard;

/**
 * Where a text that was read comes from. Thread-safe.
 *
 * <p>Without looking, as it is asked under no loan of a connection.
 */
@FunctionalInterface
interface TextSource {

    /** Whether what was derived in an epoch still counts, as far as is known without looking. */
    boolean isInForce(Epoch epoch);
}
