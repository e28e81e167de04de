package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * A value that a slot must have for the statement to be allowed.
 *
 * <p>Literals are lifted out of texts and parameters bound later, so a statement is read before its values are known.
 * Where it is harmless for some values only ({@code SET foreign_key_checks = ?}) it is read as if it had one of these,
 * and the guard holds the value against the demand each time.
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
