package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.request.TraceEntry;

/**
 * Says whether rows that fit a template's premises can hold together: from what cannot be everything follows.
 *
 * <p>The store knows templates and no engine, so the guard lends it this test ({@code Facts.canHold}).
 */
public interface PremiseCheck {

    /** For facts of which it is known. */
    PremiseCheck NONE = new PremiseCheck() {
        @Override
        public boolean needsAssertions(Template template) {
            return false;
        }

        @Override
        public boolean canHold(TraceEntry[] entries, int[] rows) {
            return true;
        }
    };

    /**
     * Whether a template's proof needs an assertion: only then it matters whether rows break one. Asked once.
     *
     * <p>Keys and foreign keys are the database's own, and its rows fulfil them. Assertions are not checked by it: a
     * row that breaks one may exist.
     */
    boolean needsAssertions(Template template);

    /**
     * Whether rows that a template stands on are such as assertions allow, each by itself.
     *
     * @param entries for each premise the result that has its row
     * @param rows for each premise the row in that result
     */
    boolean canHold(TraceEntry[] entries, int[] rows);
}
