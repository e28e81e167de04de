package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Value;

/**
 * A value that a slot must have for the statement to be allowed.
 *
 * @param value the only one allowed
 * @param construct what is refused otherwise, for the message
 */
public record Demand(int slot, Value value, String construct) {}
