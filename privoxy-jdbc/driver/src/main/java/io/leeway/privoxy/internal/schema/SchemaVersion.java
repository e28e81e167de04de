package io.leeway.privoxy.internal.schema;

/**
 * Tells whether what was derived from a schema is still right. Thread-safe.
 *
 * <p>Compared and never listened to: a listener could be late by one decision.
 */
@FunctionalInterface
public interface SchemaVersion {

    /** Of a schema that does not change. */
    SchemaVersion FIXED = () -> 0;

    /** Grows whenever an answer given before is no longer right. Whatever was derived from older answers is void. */
    long version();
}
