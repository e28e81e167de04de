package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import java.util.Arrays;
import java.util.Map;

/**
 * Rows of which it was asked whether they can hold together, with all that the answer depends on. Equal only where all
 * of it is the very same object: nothing of the rows themselves is compared, so that a look-up costs little.
 *
 * <p>Immutable but for arrays that it borrows; thread-safe once {@link #kept}.
 */
public final class Combination {

    private final Object knowledge;
    private final Map<String, Value> context;
    private final TraceEntry[] entries;
    private final int[] rows;

    /**
     * Some rows.
     *
     * @param knowledge stands for the policy and the schema as they are known, another object for each state of these
     * @param context the parameters of whoever reads the trace
     * @param entries for each row the result that has it; not changed as long as this is used, see {@link #kept}
     * @param rows for each the row in that result, likewise
     */
    public Combination(Object knowledge, Map<String, Value> context, TraceEntry[] entries, int[] rows) {
        this.knowledge = knowledge;
        this.context = context;
        this.entries = entries;
        this.rows = rows;
    }

    /** The same with arrays of its own. */
    Combination kept() {
        return new Combination(knowledge, context, entries.clone(), rows.clone());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // What is equal but not the same may have changed in between.
    public boolean equals(Object other) {
        if (!(other instanceof Combination that)
                || knowledge != that.knowledge
                || context != that.context
                || entries.length != that.entries.length) {
            return false;
        }
        for (int i = 0; i < entries.length; i++) {
            if (entries[i] != that.entries[i]) {
                return false;
            }
        }
        return Arrays.equals(rows, that.rows);
    }

    @Override
    public int hashCode() {
        int hash = Arrays.hashCode(rows);
        for (TraceEntry entry : entries) {
            // By number, as entries have no equality; what is the same object has the same number.
            hash = 31 * hash + Long.hashCode(entry.id());
        }
        return hash;
    }
}
