package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a statement stands: in which state of the database it reads, and under which settings its values mean
 * something. This decides which facts it may use, and whose the facts are that it reads. Immutable.
 *
 * <p>Model. A fact belongs to the request, or to one transaction of one connection. The request's may be used
 * everywhere: they were true at some moment of the request. A transaction's may be used in it alone, until the database
 * has confirmed its commit. Values that were read under other settings (time zone, date style, tenant) may mean
 * something else, so facts are used only where the settings are those under which they were read.
 *
 * <p>The four questions of the contract meet here (design page, "what is checked is what runs"): which state, which
 * settings, and for how long. It is made by {@code TransactionTrace} for each statement; the trace applies it.
 *
 * @param transaction names the transaction in progress, by identity; null if there is none
 * @param ownership whose the facts are that are read here
 * @param meaning the settings that give values their meaning, as one text
 * @param moment of the state that is read, as {@link Trace#now()} counts, or {@link #NOW}
 * @param states which tables it may read in several states
 */
public record Standpoint(
        @Nullable Object transaction, Ownership ownership, String meaning, long moment, States states) {

    /** The state in which the statement finds the database. */
    public static final long NOW = Long.MAX_VALUE;

    /** Outside transactions, with settings that nothing depends on. */
    public static final Standpoint ANYWHERE = new Standpoint(null, Ownership.REQUEST, "", NOW, States.ONE);

    /**
     * Whose a fact is.
     *
     * <p>A fact that is given too wide an owner opens rows by what was never committed, or by what somebody has undone;
     * one with too narrow an owner costs a refusal.
     */
    public enum Ownership {
        /** Committed data: the request's. */
        REQUEST,
        /** The transaction's until it commits, then the request's. */
        UNTIL_COMMIT,
        /** The transaction's, and nobody's after it. */
        TRANSACTION,
        /** Nobody's: what is read may never have been so. */
        NOBODY
    }

    /** The request's trace as it may be used from here. */
    public View of(Trace trace) {
        return new View(trace, this);
    }

    /**
     * What a request has read, as far as it may be used from one standpoint.
     *
     * @param trace all that it has read
     */
    public record View(Trace trace, Standpoint from) {

        /** Rises with every change. */
        public long version() {
            return trace.version();
        }

        /** Everything that may be used, oldest first. */
        public List<TraceEntry> entries() {
            return trace.entries(from);
        }

        /** The same of one query, by identity of the query object. */
        public List<TraceEntry> entriesOf(ConjunctiveQuery query) {
            return trace.entriesOf(query, from);
        }
    }
}
