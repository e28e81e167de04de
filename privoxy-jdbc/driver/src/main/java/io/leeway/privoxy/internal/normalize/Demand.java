package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * A value that a slot must have for the statement to be allowed.
 *
 * @param value the only one allowed; null for any of which is known what it is
 * @param construct what is refused otherwise, for the message
 */
public record Demand(int slot, @Nullable Value value, String construct) {

    /** Whether the slot has such a value. */
    public boolean isMetBy(Value actual) {
        return value == null ? actual.kind() != ValueKind.OPAQUE : value.equals(actual);
    }
}
