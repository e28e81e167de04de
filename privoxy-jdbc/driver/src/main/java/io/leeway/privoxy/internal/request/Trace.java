package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a request has read so far from one database: for each result the query it answers and its rows.
 *
 * <p>Thread-safe: every method holds the trace's lock, so a request may read over several connections and threads.
 */
public final class Trace {

    /*
     * Model. Forgetting is always sound (dropping a fact only makes more databases possible), believing a stale fact is
     * not. So every doubt is answered by forgetting, and every bound too.
     *
     * A result is opened before its statement is sent and becomes visible with its first row or its end. A write that
     * was made meanwhile, by another thread or between two rows, makes what is still to come doubtful. Instead of keeping a
     * register of all open results, the trace stamps events with a rising number: opening a result takes a number, a
     * write stamps its tables, a rollback stamps everything. A result whose number is older than a stamp that concerns
     * it takes no more rows. What it has is kept as far as the write leaves it true. That costs one comparison a row as long as nothing was written.
     *
     * Rows are kept in one flat array per result; snapshots share it, because the prefix that a snapshot shows never
     * changes. A snapshot is made once per change, so that deciding without a change in between costs nothing.
     */

    /**
     * How much is remembered.
     *
     * @param entries results
     * @param rows rows of one result
     * @param cells values in all
     */
    public record Bounds(int entries, int rows, int cells) {

        /** Remembers nothing. */
        public static final Bounds NOTHING = new Bounds(0, 0, 0);
    }

    private final ArrayDeque<Result> results = new ArrayDeque<>();
    private final IdentityHashMap<ConjunctiveQuery, List<Result>> byQuery = new IdentityHashMap<>();
    private final Map<String, Long> writes = new HashMap<>();

    private Bounds bounds;
    private int cells;
    private long clock;
    private long lastWrite;
    private long lastDoubt;
    private long version;
    private long epoch;
    private @Nullable List<TraceEntry> snapshot = List.of();
    private @Nullable TraceWatcher watcher;

    public Trace(Bounds bounds) {
        this.bounds = bounds;
    }

    /** Changes the bounds; what exceeds them is forgotten, oldest first. */
    public synchronized void limit(Bounds wanted) {
        if (!bounds.equals(wanted)) {
            bounds = wanted;
            makeRoom(null);
        }
    }

    /** Rises with every change. */
    public synchronized long version() {
        return version;
    }

    /** Rises when something is forgotten: between two equal epochs, entries and rows were only added. */
    public synchronized long epoch() {
        return epoch;
    }

    /** Everything known, oldest first. */
    public synchronized List<TraceEntry> entries() {
        List<TraceEntry> known = snapshot;
        if (known == null) {
            known = snapshot(results);
            snapshot = known;
        }
        return known;
    }

    /** What is known of one query, by identity of the query object, oldest first. */
    public synchronized List<TraceEntry> entriesOf(ConjunctiveQuery query) {
        List<Result> known = byQuery.get(query);
        return known == null ? List.of() : snapshot(known);
    }

    /** Opens a result before its statement is sent; nothing is remembered until it has a row or has ended. */
    public synchronized Result open(Recording.Part part, List<Value> arguments) {
        return new Result(++clock, part, List.copyOf(arguments));
    }

    /** Forgets all that mentions one of the tables, and what is still to come of open results that do. */
    public synchronized void forgetTables(Set<String> tables) {
        if (tables.isEmpty()) {
            return;
        }
        if (tables.contains(StatementPlan.ANYTHING)) {
            forgetAll();
            return;
        }
        lastWrite = ++clock;
        for (String table : tables) {
            writes.put(table, lastWrite);
        }
        forget(result -> result.mentionsAny(tables));
    }

    /**
     * A statement was run: forgets what may be untrue or incomplete after it. Open results that mention its table take no
     * more rows, whatever it did.
     *
     * @param slots values of the statement's slots
     */
    public synchronized void written(Change change, IntFunction<Value> slots) {
        String table = change.table();
        if (change instanceof Change.Any) {
            forgetTables(Set.of(table));
            return;
        }
        lastWrite = ++clock;
        writes.put(table, lastWrite);
        boolean lost = false;
        for (Result result : List.copyOf(results)) {
            if (result.mentionsAny(Set.of(table)) && result.loses(change, slots)) {
                lost = true;
                if (result.rows == 0) {
                    results.remove(result);
                    drop(result);
                }
            }
        }
        if (lost) {
            epoch++;
            changed();
        }
    }

    /** Forgets everything, and what is still to come of open results. */
    public synchronized void forgetAll() {
        lastDoubt = ++clock;
        forget(result -> true);
        if (watcher != null) {
            watcher.forgottenSince(TraceWatcher.BEGINNING);
        }
    }

    /** A point in time for {@link #forgetSince}. */
    public synchronized long mark() {
        long now = ++clock;
        if (watcher != null) {
            watcher.marked(now);
        }
        return now;
    }

    /** Forgets what was read since a mark, and what is still to come of all open results: a rollback. */
    public synchronized void forgetSince(long mark) {
        lastDoubt = ++clock;
        forget(result -> result.touched >= mark);
        if (watcher != null) {
            watcher.forgottenSince(mark);
        }
    }

    /** Remembers nothing from now on: the request has ended. */
    synchronized void end() {
        // What is still read finds no room.
        bounds = Bounds.NOTHING;
        results.clear();
        byQuery.clear();
        cells = 0;
        epoch++;
        changed();
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
        return results.size();
    }

    /** Number of values remembered. */
    public synchronized int cells() {
        return cells;
    }

    private void forget(Predicate<Result> which) {
        if (results.removeIf(result -> which.test(result) && drop(result))) {
            epoch++;
            changed();
        }
    }

    private boolean drop(Result result) {
        result.dead = true;
        cells -= result.rows * result.width;
        result.forgetRows();
        List<Result> same = byQuery.get(result.part.query());
        if (same != null) {
            same.remove(result);
            if (same.isEmpty()) {
                byQuery.remove(result.part.query());
            }
        }
        return true;
    }

    /** Drops the oldest results until the bounds hold, never {@code keep}. */
    private void makeRoom(@Nullable Result keep) {
        boolean dropped = false;
        var all = results.iterator();
        while (all.hasNext() && (results.size() > bounds.entries || cells > bounds.cells)) {
            Result oldest = all.next();
            if (oldest != keep) {
                all.remove();
                dropped = drop(oldest);
            }
        }
        if (dropped) {
            epoch++;
            changed();
        }
    }

    private void changed() {
        version++;
        snapshot = null;
    }

    private static List<TraceEntry> snapshot(Iterable<Result> results) {
        var entries = new ArrayList<TraceEntry>();
        for (Result result : results) {
            entries.add(result.entry());
        }
        return List.copyOf(entries);
    }

    /** One result while it is read. */
    public final class Result {

        /** Room for more than one row: the first is usually the only one. */
        private static final int SECOND_ROOM = 8;

        private final long opened;
        private final Recording.Part part;
        private final List<Value> arguments;
        private final int width;

        private @Nullable Value[] values = new Value[0];
        private int rows;
        private boolean visible;
        private boolean complete;
        private boolean full;
        private boolean dead;
        private long touched;
        private @Nullable TraceEntry entry;

        private Result(long opened, Recording.Part part, List<Value> arguments) {
            this.opened = opened;
            this.part = part;
            this.arguments = arguments;
            this.width = part.query().head().size();
        }

        /**
         * Remembers a row.
         *
         * @param row a value for each head term, null where it is not known; the array is not kept
         * @return false if this and later rows are not remembered
         */
        public boolean add(@Nullable Value[] row) {
            synchronized (Trace.this) {
                if (!isCurrent() || !hasRoom()) {
                    full = true;
                    return false;
                }
                if (width == 0 && rows == 1) {
                    // That there is a row is all that can be learnt.
                    return true;
                }
                if ((rows + 1) * width > values.length) {
                    values = Arrays.copyOf(values, (rows == 0 ? 1 : Math.max(SECOND_ROOM, rows * 2)) * width);
                }
                System.arraycopy(row, 0, values, rows * width, width);
                rows++;
                cells += width;
                touch();
                makeRoom(this);
                return !dead;
            }
        }

        /** The rows were all; without effect if one was not remembered. */
        public void complete() {
            synchronized (Trace.this) {
                if (!complete && !full && isCurrent() && bounds.entries > 0) {
                    complete = true;
                    touch();
                    makeRoom(this);
                }
            }
        }

        private boolean hasRoom() {
            return bounds.entries > 0 && rows < bounds.rows && (long) (rows + 1) * width <= bounds.cells;
        }

        /** Whether no write or rollback since the opening makes this result doubtful. */
        private boolean isCurrent() {
            if (!dead && (opened < lastDoubt || (opened < lastWrite && isOverwritten()))) {
                dead = true;
            }
            return !dead;
        }

        private boolean isOverwritten() {
            for (Atom atom : part.query().atoms()) {
                Long written = writes.get(atom.table());
                if (written != null && opened < written) {
                    return true;
                }
            }
            return false;
        }

        private void touch() {
            touched = ++clock;
            entry = null;
            if (!visible) {
                visible = true;
                results.addLast(this);
                byQuery.computeIfAbsent(part.query(), query -> new ArrayList<>())
                        .add(this);
            }
            changed();
        }

        /** Whether something was lost by a change: rows, or that they are all. */
        private boolean loses(Change change, IntFunction<Value> slots) {
            var survivors = new Survivors(part.query(), arguments, change.table());
            boolean lost = complete;
            if (change instanceof Change.Updated updated) {
                if (!survivors.looksAt(updated.columns())) {
                    return false;
                }
                lost |= keep(survivors.tests(updated.where(), slots));
            } else if (change instanceof Change.Removed removed) {
                lost |= keep(survivors.tests(removed.where(), slots));
            }
            complete = false;
            entry = null;
            return lost;
        }

        /** Keeps the rows for which each list has a test that holds. Snapshots have the old array, so this makes a new. */
        private boolean keep(List<List<Survivors.Test>> tests) {
            @Nullable Value[] kept = new Value[rows * width];
            int count = 0;
            for (int row = 0; row < rows; row++) {
                int start = row * width;
                if (tests.stream().allMatch(all -> all.stream().anyMatch(test -> test.isOther(values, start)))) {
                    System.arraycopy(values, start, kept, count * width, width);
                    count++;
                }
            }
            boolean lost = count < rows;
            cells -= (rows - count) * width;
            values = kept;
            rows = count;
            return lost;
        }

        private boolean mentionsAny(Set<String> tables) {
            for (Atom atom : part.query().atoms()) {
                if (tables.contains(atom.table())) {
                    return true;
                }
            }
            return false;
        }

        private void forgetRows() {
            values = new Value[0];
            rows = 0;
            entry = null;
        }

        private TraceEntry entry() {
            TraceEntry known = entry;
            if (known == null) {
                known = new TraceEntry(opened, part, arguments, values, rows, complete);
                entry = known;
            }
            return known;
        }
    }
}
