package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import java.util.Map;

/**
 * A row of a result of which it was asked whether assertions allow it, with all that the answer depends on. Equal only
 * where all of it is the very same object: nothing of the row itself is compared, so that a look-up costs little.
 * Immutable.
 */
public final class AssertedRow {

    private final Object knowledge;
    private final Map<String, Value> context;
    private final int row;

    /**
     * A row.
     *
     * @param knowledge stands for the policy and the schema as they are known, another object for each state of these
     * @param context the parameters of whoever reads the trace
     * @param row counted from 0 in the result that remembers the answer
     */
    public AssertedRow(Object knowledge, Map<String, Value> context, int row) {
        this.knowledge = knowledge;
        this.context = context;
        this.row = row;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // What is equal but not the same may have changed in between.
    public boolean equals(Object other) {
        return other instanceof AssertedRow that
                && knowledge == that.knowledge
                && context == that.context
                && row == that.row;
    }

    @Override
    public int hashCode() {
        return row;
    }
}
