package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a request has read so far from one database: for each result the query it answers and its rows.
 *
 * <p>Thread-safe: every public method holds the trace's lock, those of its results too, so a request may read over
 * several connections and threads.
 */
public final class Trace {

    /*
     * Model. Forgetting is always sound (dropping a fact only makes more databases possible), believing a stale fact is
     * not. So every doubt is answered by forgetting, and every bound too.
     *
     * A result is opened before its statement is sent and becomes visible with its first row or its end. A write that
     * was made meanwhile, by another thread or between two rows, makes what is still to come doubtful (TraceWrites).
     * What it has is kept as far as the write leaves it true.
     *
     * All traces count on one clock, so that the beginning of a transaction can be told from that of a request. What a
     * transaction reads for itself is marked with it, and is everybody's once it has committed. Two answers that say
     * different things of the row with one key are not both kept: the older goes, by the moment of the state that it was
     * read in, or both if neither is older.
     */

    /**
     * How much is remembered.
     *
     * <p>Every bound is kept by forgetting: an application that reads a million rows gets refusals, not an error of
     * memory. Cells are counted as well as rows, since a row may have thousands of columns ({@code SixthAttackIT}).
     *
     * @param entries results
     * @param rows rows of one result
     * @param cells values in all
     */
    public record Bounds(int entries, int rows, int cells) {

        /** Remembers nothing. */
        public static final Bounds NOTHING = new Bounds(0, 0, 0);
    }

    /** Before all moments. */
    public static final long BEGINNING = 0;

    /** Counted, not timed: two events of one millisecond have an order, and no clock is set back. */
    private static final AtomicLong CLOCK = new AtomicLong();

    /** When the request began. */
    private final long born = now();

    private final KeptResults kept;
    private final TraceWrites writes = new TraceWrites();

    /** The request's traces of what may be the same database. */
    private final Ways ways;

    private @Nullable TraceWatcher watcher;

    public Trace(Bounds bounds) {
        this(bounds, new Ways());
    }

    Trace(Bounds bounds, Ways ways) {
        this.kept = new KeptResults(bounds);
        this.ways = ways;
    }

    /** Tells this trace, and those of other ways to its database. */
    void tellAll(Consumer<Trace> news) {
        news.accept(this);
        ways.tellOthers(this, news);
    }

    synchronized TraceWrites.Open openWrites() {
        return writes.open();
    }

    /** The same was written, by somebody else. */
    synchronized void alsoOpen(TraceWrites.Open others) {
        writes.alsoOpen(others);
    }

    /** The results; used under the lock. */
    KeptResults kept() {
        return kept;
    }

    /** The writes; used under the lock. */
    TraceWrites writes() {
        return writes;
    }

    /** When the request began. */
    long born() {
        return born;
    }

    /** A moment later than all before, on the clock of all traces. */
    public static long now() {
        return CLOCK.incrementAndGet();
    }

    /** The last moment that there was. */
    static long lastMoment() {
        return CLOCK.get();
    }

    /** Changes the bounds; what exceeds them is forgotten, oldest first. */
    public synchronized void limit(Bounds wanted) {
        kept.limit(wanted);
    }

    /** Rises with every change. */
    public synchronized long version() {
        return kept.version();
    }

    /** Rises when something is forgotten: between two equal epochs, entries and rows were only added. */
    public synchronized long epoch() {
        return kept.epoch();
    }

    /** Everything known, oldest first. */
    public synchronized List<TraceEntry> entries() {
        return kept.entries();
    }

    /** What is known of one query, by identity of the query object, oldest first. */
    public synchronized List<TraceEntry> entriesOf(ConjunctiveQuery query) {
        return kept.entriesOf(query);
    }

    /**
     * What may be used from a standpoint, oldest first.
     *
     * <p>Kept for who asked last: a transaction with a snapshot may leave something out, and asks for each statement.
     */
    public synchronized List<TraceEntry> entries(Standpoint from) {
        return kept.entries(from);
    }

    /** What is known of one query and may be used from a standpoint, by identity of the query object, oldest first. */
    public synchronized List<TraceEntry> entriesOf(ConjunctiveQuery query, Standpoint from) {
        return kept.entriesOf(query, from);
    }

    /** Opens a result before its statement is sent; nothing is remembered until it has a row or has ended. */
    public TraceResult open(Recording.Part part, List<Value> arguments) {
        return open(part, arguments, Imprint.NONE, Standpoint.ANYWHERE);
    }

    /**
     * The same for a statement that reads from a standpoint.
     *
     * <p>The number is taken before the statement is sent: a write that comes between is older than the rows in truth,
     * yet it makes them doubtful, which is safe.
     *
     * @param imprint of the part's query
     */
    public synchronized TraceResult open(Recording.Part part, List<Value> arguments, Imprint imprint, Standpoint from) {
        Standpoint seenFrom = from;
        if (writes.isLeftOpen(part.query())) {
            seenFrom = new Standpoint(
                    from.transaction(), Standpoint.Ownership.NOBODY, from.meaning(), from.moment(), from.states());
        }
        return new TraceResult(this, part, arguments, imprint, seenFrom);
    }

    /**
     * A transaction has committed, as the database says: what it read for itself is the request's now. What others read
     * of its tables after it had written them, they read as it was before.
     *
     * <p>Only when the database has said so: a commit can fail (a deferred constraint, a serialisation), and what was
     * read of own writes was then never so.
     */
    public void committed(Object transaction) {
        tellAll(trace -> trace.hasCommitted(transaction));
    }

    private synchronized void hasCommitted(Object transaction) {
        TraceWrites.Uncommitted done = writes.committed(transaction);
        if (done != null) {
            boolean all = done.tables().contains(StatementPlan.ANYTHING);
            // Others read these tables as they were before, although the writes were done already: their facts are
            // older than they look.
            kept.forget(result -> !result.isOf(transaction)
                    && result.touched() >= done.since()
                    && (all || result.mentionsAny(done.tables())));
        }
        kept.share(transaction);
        forgetOwnedBy(transaction);
    }

    /**
     * A transaction goes on without its connection, as a branch or prepared: what it has written may become so at any
     * time, so that nothing is believed of these tables any more.
     *
     * <p>A prepared transaction or a branch outlives its connection; whoever commits it does not tell us
     * ({@code XaBranch}).
     */
    public void leftOpen(Object transaction) {
        tellAll(trace -> trace.isLeftOpen(transaction));
    }

    private synchronized void isLeftOpen(Object transaction) {
        forgetTables(writes.leftOpen(transaction), null);
        forgetOwnedBy(transaction);
    }

    /** It was committed or taken back. */
    public void leftIsOver(Object transaction) {
        tellAll(trace -> trace.isLeftNoMore(transaction));
    }

    private synchronized void isLeftNoMore(Object transaction) {
        // What was read meanwhile may have been read on either side of the end.
        forgetTables(writes.leftIsOver(transaction), null);
    }

    /** A transaction is over: what it read for itself goes with it, and what it may still read. */
    public void ended(Object transaction) {
        tellAll(trace -> trace.hasEnded(transaction));
    }

    private synchronized void hasEnded(Object transaction) {
        writes.ended(transaction);
        forgetOwnedBy(transaction);
    }

    /** What a transaction read for itself may not be so any more. */
    public synchronized void forgetOwnedBy(Object transaction) {
        kept.forget(result -> result.isOf(transaction) && !result.isShared());
    }

    /** Forgets all that mentions one of the tables, and what is still to come of open results that do. */
    public void forgetTables(Set<String> tables) {
        forgetTables(tables, null);
    }

    private synchronized void forgetTables(Set<String> tables, @Nullable Object by) {
        if (tables.isEmpty()) {
            return;
        }
        if (tables.contains(StatementPlan.ANYTHING)) {
            // Noted also as what the transaction has written: its commit is then a change of everything.
            writes.written(Set.of(StatementPlan.ANYTHING), by);
            forgetAll();
            return;
        }
        writes.written(tables, by);
        kept.forget(result -> result.mentionsAny(tables));
    }

    /**
     * Takes in one of the changes of an {@link Invalidation}. Open results that mention its table take no more rows,
     * whatever it did.
     *
     * @param slots values of the statement's slots
     * @param by the transaction that the statement was run in, or null
     */
    synchronized void written(Change change, IntFunction<Value> slots, @Nullable Object by) {
        Set<String> table = Set.of(change.table());
        if (change instanceof Change.Any) {
            forgetTables(table, by);
            return;
        }
        writes.written(table, by);
        kept.outlive(change, slots);
    }

    /** Forgets results, whatever was added to them since they were asked for. */
    public synchronized void forget(List<TraceEntry> entries) {
        Set<Long> ids = new HashSet<>();
        entries.forEach(entry -> ids.add(entry.id()));
        kept.forget(result -> ids.contains(result.id()));
    }

    /** Forgets everything, and what is still to come of open results. */
    public synchronized void forgetAll() {
        writes.doubt();
        kept.forget(result -> true);
        if (watcher != null) {
            watcher.forgottenSince(TraceWatcher.BEGINNING);
        }
    }

    /** A point in time for {@link #forgetSince}. */
    public synchronized long mark() {
        long now = now();
        if (watcher != null) {
            watcher.marked(now);
        }
        return now;
    }

    /**
     * Forgets what was read since a mark, and what is still to come of all open results: a rollback.
     *
     * <p>By the moment at which a result was last added to, not at which it was opened: a row that was read after the
     * first write may be one of the writes.
     */
    public synchronized void forgetSince(long mark) {
        writes.doubt();
        kept.forget(result -> result.touched() >= mark);
        if (watcher != null) {
            watcher.forgottenSince(mark);
        }
    }

    /** Remembers nothing from now on: the request has ended. */
    synchronized void end() {
        kept.end();
        if (watcher != null) {
            watcher.ended();
            watcher = null;
        }
    }

    /** Who watches this trace: the one already there, or a new one. */
    public synchronized TraceWatcher watchedBy(Supplier<? extends TraceWatcher> newcomer) {
        TraceWatcher present = watcher;
        if (present == null) {
            present = newcomer.get();
            watcher = present;
        }
        return present;
    }

    /** Number of results remembered. */
    public synchronized int size() {
        return kept.size();
    }

    /** Number of values remembered. */
    public synchronized int cells() {
        return kept.cells();
    }
}
