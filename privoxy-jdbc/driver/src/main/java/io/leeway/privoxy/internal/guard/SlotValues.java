package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of a statement's slots in one execution. */
interface SlotValues {

    /** The value in a slot. */
    Value value(int slot);

    /**
     * Whether nothing is known of what is in a slot, not even that it is a value: it may be NULL too.
     *
     * <p>For such a slot each decision is made twice ({@link Alternatives}), and its rows are no facts.
     */
    boolean mayBeNull(int slot);

    /** The distinct elements of the array in a slot, or null if they are not known. */
    @Nullable
    List<Value> elements(int slot);
}
