package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a statement, or the taking back of one, makes doubtful of what its request has read.
 *
 * <p>A fact that is no longer true proves too much, so whatever is not known to leave a fact alone invalidates it:
 *
 * <ul>
 *   <li>a query, transaction control, a setting: nothing;
 *   <li>a write: of the results that mention its tables what {@link Survivors} does not keep. A write that failed
 *       counts as one that was done: not every table takes its rows back, and of a batch some statements may have been
 *       run;
 *   <li>a change of the schema, a text that was not read, a statement that the guard could not take in, the end of a
 *       transaction in a schema of its own: everything;
 *   <li>a rollback, and a failed statement within a transaction that has written: besides, what was read since then, as
 *       it may have been read of rows that were never committed. An end that nobody has seen counts as a rollback.
 * </ul>
 *
 * <p>Templates are not among it, whatever happens: they are theorems about the policy and the schema, and say nothing
 * of rows. With another schema they go, as all that belongs to the epoch of the old one.
 */
public sealed interface Invalidation {

    /**
     * Forgets it.
     *
     * @param transaction in which it happened; null if there is none
     */
    void in(Trace trace, @Nullable Object transaction);

    /** By a statement that was run, or has failed. */
    static Invalidation after(StatementPlan plan, IntFunction<Value> slots) {
        return switch (plan.kind()) {
            case WRITE -> new OfRows(plan.changes(), slots);
            // Rows and keys go together only if they are of one schema; a unique index that comes after the rows
            // have gone would otherwise prove from both.
            case DDL -> new OfAll();
            case QUERY, TRANSACTION, SESSION -> new OfNothing();
        };
    }

    /** By something of which it is not known what it did. */
    static Invalidation afterUnknown() {
        return new OfAll();
    }

    /**
     * By a rollback, or what may be one, of all that was written since a moment.
     *
     * <p>What was read before the transaction's first write and outlived it is true before and after it, so only what
     * came later goes.
     */
    static Invalidation afterRollback(long mark) {
        return new OfLater(mark);
    }

    /** No fact. */
    record OfNothing() implements Invalidation {
        @Override
        public void in(Trace trace, @Nullable Object transaction) {
            // Nothing that the trace says becomes doubtful.
        }
    }

    /** Facts about rows that may be others now. */
    record OfRows(List<Change> changes, IntFunction<Value> slots) implements Invalidation {
        @Override
        public void in(Trace trace, @Nullable Object transaction) {
            // The changes are of the statement's own tables and of those that the database changes with them.
            trace.tellAll(told -> changes.forEach(change -> told.written(change, slots, transaction)));
        }
    }

    /** Every fact. */
    record OfAll() implements Invalidation {
        @Override
        public void in(Trace trace, @Nullable Object transaction) {
            trace.tellAll(Trace::forgetAll);
        }
    }

    /** What was read since a moment. */
    record OfLater(long mark) implements Invalidation {
        @Override
        public void in(Trace trace, @Nullable Object transaction) {
            trace.forgetSince(mark);
        }
    }
}
