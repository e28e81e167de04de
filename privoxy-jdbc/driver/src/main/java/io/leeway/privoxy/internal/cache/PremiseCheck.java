package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.TraceEntry;
import org.jspecify.annotations.Nullable;

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

        @Override
        public boolean canBeAnswered(Template template, @Nullable Value[] arguments) {
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

    /**
     * Whether a template's goal can have an answer for some arguments, by what assertions say: where it can have none, the
     * template would accept it by that, and with it whatever rows break them.
     *
     * @param arguments of the goal, null where one is unknown
     */
    boolean canBeAnswered(Template template, @Nullable Value[] arguments);
}
