package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * Where an obligation's argument comes from, in terms of the statement's slots (JDBC parameters and lifted literals in
 * textual order). Several alternatives mean: check the obligation once for each.
 */
public sealed interface Slot {

    /** Slot number {@code slot}, 0-based. */
    record One(int slot) implements Slot {}

    /** Each of these slots in turn: an {@code IN} list. */
    record Each(List<Integer> slots) implements Slot {
        public Each {
            slots = List.copyOf(slots);
        }
    }

    /** Each element of the array bound to this slot: {@code = ANY(?)}. */
    record Elements(int slot) implements Slot {}

    /** Each of these constants in turn (an {@code IN} list of literals that were not lifted). */
    record Literals(List<Value> values) implements Slot {
        public Literals {
            values = List.copyOf(values);
        }
    }
}
