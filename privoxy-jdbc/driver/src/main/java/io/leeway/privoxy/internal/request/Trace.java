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
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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
     * All traces count on one clock, so that the beginning of a transaction can be told from that of a request. What a
     * transaction reads for itself is marked with it, and is everybody's once it has committed. Two answers that say
     * different things of the row with one key are not both kept: the older goes, by the moment of the state that it was
     * read in, or both if neither is older.
     *
     * Rows are kept in one flat array per result; snapshots share it, because the prefix that a snapshot shows never
     * changes. A snapshot is made once per change, so that deciding without a change in between costs nothing.
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

    private final ArrayDeque<Result> results = new ArrayDeque<>();
    private final IdentityHashMap<ConjunctiveQuery, List<Result>> byQuery = new IdentityHashMap<>();
    private final Coherence coherence = new Coherence();
    /** When tables were written. */
    private final Stamps writes = new Stamps();
    /** When transactions committed that had written tables. */
    private final Stamps commits = new Stamps();

    /** Tables that were written by transactions that went on without their connection. */
    private final IdentityHashMap<Object, Set<String>> leftOpen = new IdentityHashMap<>();

    /** The request's traces of what may be the same database. */
    private final Ways ways;

    /** What transactions in progress have written. */
    private final IdentityHashMap<Object, Uncommitted> uncommitted = new IdentityHashMap<>();

    private record Uncommitted(long since, Set<String> tables) {}

    private Bounds bounds;
    private int cells;
    /** Of writes and commits of writes. */
    private long lastChange;

    private long lastDoubt;
    private long version;
    /**
     * What was derived from facts (that they can hold together, an index) stays right as long as facts are only added.
     */
    private long epoch;
    /** How many results only one transaction may use. */
    private int narrow;
    /**
     * What all results have in common; if not, what the first had, and all of another count as narrow.
     *
     * <p>Nearly all results of a request are read under the same settings, so one text for all tells in a glance
     * whether any of them has to be passed over.
     */
    private String meaning = "";

    private @Nullable List<TraceEntry> snapshot = List.of();
    private @Nullable TraceWatcher watcher;
    /** What was visible when it was last asked for from a standpoint that does not see all. */
    private List<TraceEntry> seen = List.of();

    private @Nullable Standpoint seenFrom;
    private long seenVersion;

    public Trace(Bounds bounds) {
        this(bounds, new Ways());
    }

    Trace(Bounds bounds, Ways ways) {
        this.bounds = bounds;
        this.ways = ways;
    }

    /** Tells this trace, and those of other ways to its database. */
    void tellAll(Consumer<Trace> news) {
        news.accept(this);
        ways.tellOthers(this, news);
    }

    /** What transactions have written that are not over, each by its tables; those that were left open are told apart. */
    record OpenWrites(
            IdentityHashMap<Object, Set<String>> uncommitted, IdentityHashMap<Object, Set<String>> leftOpen) {}

    synchronized OpenWrites openWrites() {
        var written = new IdentityHashMap<Object, Set<String>>();
        uncommitted.forEach((transaction, open) -> written.put(transaction, Set.copyOf(open.tables)));
        return new OpenWrites(written, new IdentityHashMap<>(leftOpen));
    }

    /** The same was written, by somebody else. */
    synchronized void alsoOpen(OpenWrites others) {
        others.uncommitted.forEach((transaction, tables) -> tables.forEach(table -> noteOpen(table, transaction)));
        leftOpen.putAll(others.leftOpen);
    }

    /** A moment later than all before, on the clock of all traces. */
    public static long now() {
        return CLOCK.incrementAndGet();
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

    /**
     * What may be used from a standpoint, oldest first.
     *
     * <p>Kept for who asked last: a transaction with a snapshot may leave something out, and asks for each statement.
     */
    public synchronized List<TraceEntry> entries(Standpoint from) {
        if (isAllVisible(from)) {
            return entries();
        }
        if (version != seenVersion || !from.equals(seenFrom)) {
            seen = snapshot(visible(results, from));
            seenFrom = from;
            seenVersion = version;
        }
        return seen;
    }

    /** What is known of one query and may be used from a standpoint, by identity of the query object, oldest first. */
    public synchronized List<TraceEntry> entriesOf(ConjunctiveQuery query, Standpoint from) {
        List<Result> known = byQuery.get(query);
        if (known == null) {
            return List.of();
        }
        return snapshot(isAllVisible(from) ? known : visible(known, from));
    }

    /** Whether all was read from standpoints like this one, as is usual. */
    private boolean isAllVisible(Standpoint from) {
        return results.isEmpty()
                || narrow == 0
                        && from.moment() == Standpoint.NOW
                        && from.meaning().equals(meaning);
    }

    /**
     * A transaction's own results are for itself only; and a value means what it meant only under the same settings (a
     * time under another zone is another one, {@code SettingsCasesIT}).
     */
    private static List<Result> visible(Iterable<Result> all, Standpoint from) {
        List<Result> visible = new ArrayList<>();
        for (Result result : all) {
            boolean isOwn = result.isShared() || result.reader == from.transaction();
            if (isOwn && result.meaning.equals(from.meaning()) && !result.isLaterThan(from)) {
                visible.add(result);
            }
        }
        return visible;
    }

    /** Opens a result before its statement is sent; nothing is remembered until it has a row or has ended. */
    public Result open(Recording.Part part, List<Value> arguments) {
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
    public synchronized Result open(Recording.Part part, List<Value> arguments, Imprint imprint, Standpoint from) {
        Result opened = new Result(now(), part, List.copyOf(arguments), imprint, from);
        if (leftOpen.values().stream()
                .anyMatch(tables -> tables.contains(StatementPlan.ANYTHING) || opened.mentionsAny(tables))) {
            // Whenever that is committed, nobody here is told.
            var doubtful = new Standpoint(
                    from.transaction(), Standpoint.Ownership.NOBODY, from.meaning(), from.moment(), from.states());
            return new Result(now(), part, List.copyOf(arguments), imprint, doubtful);
        }
        return opened;
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
        Uncommitted done = uncommitted.remove(transaction);
        if (done != null) {
            lastChange = now();
            done.tables.forEach(table -> commits.put(table, lastChange, transaction));
            boolean all = done.tables.contains(StatementPlan.ANYTHING);
            // Others read these tables as they were before, although the writes were done already: their facts are
            // older than they look.
            forget(result -> result.reader != transaction
                    && result.touched >= done.since
                    && (all || result.mentionsAny(done.tables)));
        }
        boolean shared = false;
        for (Result result : results) {
            if (result.reader == transaction && result.ownership == Standpoint.Ownership.UNTIL_COMMIT) {
                result.share();
                shared = true;
            }
        }
        forgetOwnedBy(transaction);
        if (shared) {
            changed();
        }
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
        Uncommitted open = uncommitted.remove(transaction);
        if (open != null) {
            leftOpen.put(transaction, Set.copyOf(open.tables));
            forgetTables(open.tables, null);
        }
        forgetOwnedBy(transaction);
    }

    /** It was committed or taken back. */
    public void leftIsOver(Object transaction) {
        tellAll(trace -> trace.isLeftNoMore(transaction));
    }

    private synchronized void isLeftNoMore(Object transaction) {
        Set<String> tables = leftOpen.remove(transaction);
        if (tables != null) {
            // What was read meanwhile may have been read on either side of the end.
            forgetTables(tables, null);
        }
    }

    /** A transaction is over: what it read for itself goes with it, and what it may still read. */
    public void ended(Object transaction) {
        tellAll(trace -> trace.hasEnded(transaction));
    }

    private synchronized void hasEnded(Object transaction) {
        uncommitted.remove(transaction);
        forgetOwnedBy(transaction);
    }

    /** What a transaction read for itself may not be so any more. */
    public synchronized void forgetOwnedBy(Object transaction) {
        forget(result -> result.reader == transaction && !result.isShared());
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
            lastChange = now();
            // Noted also as what the transaction has written: its commit is then a change of everything.
            note(StatementPlan.ANYTHING, by);
            forgetAll();
            return;
        }
        lastChange = now();
        for (String table : tables) {
            note(table, by);
        }
        forget(result -> result.mentionsAny(tables));
    }

    /**
     * Takes in one of the changes of an {@link Invalidation}. Open results that mention its table take no more rows,
     * whatever it did.
     *
     * @param slots values of the statement's slots
     * @param by the transaction that the statement was run in, or null
     */
    synchronized void written(Change change, IntFunction<Value> slots, @Nullable Object by) {
        String table = change.table();
        if (change instanceof Change.Any) {
            forgetTables(Set.of(table), by);
            return;
        }
        lastChange = now();
        note(table, by);
        boolean lost = false;
        for (Result result : List.copyOf(results)) {
            // Results that keep their rows stay; what is still to come of an open one does not, as nobody knows
            // which of its rows the server had fetched before.
            if (result.mentionsAny(Set.of(table)) && result.loses(change, slots)) {
                lost = true;
                settle(result);
            }
        }
        if (lost) {
            epoch++;
            changed();
        }
    }

    private void note(String table, @Nullable Object by) {
        writes.put(table, lastChange, by);
        if (by != null) {
            noteOpen(table, by);
        }
    }

    private void noteOpen(String table, Object by) {
        uncommitted
                .computeIfAbsent(by, absent -> new Uncommitted(lastChange, new HashSet<>()))
                .tables
                .add(table);
    }

    /** Forgets results, whatever was added to them since they were asked for. */
    public synchronized void forget(List<TraceEntry> entries) {
        Set<Long> ids = new HashSet<>();
        entries.forEach(entry -> ids.add(entry.id()));
        forget(result -> ids.contains(result.opened));
    }

    /** Forgets everything, and what is still to come of open results. */
    public synchronized void forgetAll() {
        lastDoubt = now();
        forget(result -> true);
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
        lastDoubt = now();
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
        seen = List.of();
        seenFrom = null;
        narrow = 0;
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

    /** After rows were taken out of a result. */
    private void settle(Result result) {
        if (result.rows == 0) {
            results.remove(result);
            drop(result);
        } else {
            coherence.renew(result);
        }
    }

    private boolean drop(Result result) {
        result.dead = true;
        coherence.leave(result);
        narrow -= result.isNarrow() ? 1 : 0;
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

    /**
     * Drops the oldest results until the bounds hold, never {@code keep}.
     *
     * <p>The oldest first: proofs mostly need what was read shortly before.
     */
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

    /**
     * Takes out what contradicts a new answer, the older of both; false if the new one is to go.
     *
     * <p>Newer wins, as it is what the application goes on with. If neither is older both go: to choose would be to
     * guess.
     */
    private boolean displace(Result result, Set<Result> contradicted, @Nullable Value[] row) {
        boolean stays = true;
        for (Result other : contradicted) {
            if (other == result || other.moment <= result.moment) {
                other.removeContradicting(result.imprint, row, result.arguments);
                settle(other);
                epoch++;
            }
            stays &= other != result && other.moment < result.moment;
        }
        changed();
        return stays;
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
        /** When it had its first row: what it shows was so before. */
        private long seenFirst;

        private @Nullable TraceEntry entry;

        private final Imprint imprint;
        private final @Nullable Object reader;
        private final String meaning;
        /** Of the state that the rows are from. */
        private final long moment;

        /** Whether the rows are of that state, and not of a later one. */
        private final boolean isOfMoment;

        private Standpoint.Ownership ownership;
        /** Where {@link Coherence} knows the rows. */
        final List<Coherence.Seen> seen = new ArrayList<>(2);

        private Result(long opened, Recording.Part part, List<Value> arguments, Imprint imprint, Standpoint from) {
            this.opened = opened;
            this.part = part;
            this.arguments = arguments;
            this.width = part.query().head().size();
            this.imprint = imprint;
            this.reader = from.transaction();
            this.meaning = from.meaning();
            this.moment = Math.min(opened, from.moment());
            this.isOfMoment = from.moment() != Standpoint.NOW
                    && part.query().atoms().stream()
                            .noneMatch(atom -> from.states().mayDiffer(atom.table()));
            this.ownership = ownership(from);
        }

        /** Whether it may be of a later state than what is read from a standpoint: a right must not be younger than that. */
        private boolean isLaterThan(Standpoint from) {
            boolean isOfSame = isOfMoment && reader == from.transaction();
            return from.moment() != Standpoint.NOW && !isOfSame && seenFirst >= from.moment();
        }

        /**
         * An old state is the request's only if the request has seen it, and has not changed it since.
         *
         * <p>REPEATABLE READ shows what was committed when it began. If the request itself has changed the table since,
         * the row may be one that it has taken away, so such facts stay within their transaction.
         */
        private Standpoint.Ownership ownership(Standpoint from) {
            boolean isOld = moment < opened && (moment < born || isChangedSince(moment));
            return isOld && from.ownership() != Standpoint.Ownership.NOBODY
                    ? Standpoint.Ownership.TRANSACTION
                    : from.ownership();
        }

        /** By others than this transaction: its own writes are in what it reads. */
        private boolean isChangedSince(long then) {
            if (lastDoubt > then) {
                return true;
            }
            for (Atom atom : part.query().atoms()) {
                if (writes.lastByOthers(atom.table(), reader) > then
                        || commits.lastByOthers(atom.table(), reader) > then) {
                    return true;
                }
            }
            return false;
        }

        Imprint imprint() {
            return imprint;
        }

        int rows() {
            return rows;
        }

        /** What an answer says of a row behind it. */
        @Nullable
        Value[] values(Imprint.Row row, int answer) {
            return row.values(values, answer * width, arguments);
        }

        /** Whether everybody may use it. */
        boolean isShared() {
            return ownership == Standpoint.Ownership.REQUEST;
        }

        private void share() {
            boolean wasNarrow = isNarrow();
            ownership = Standpoint.Ownership.REQUEST;
            narrow -= visible && wasNarrow && !isNarrow() ? 1 : 0;
        }

        /** Whether somebody may use both. */
        boolean standsWith(Result other) {
            // Otherwise no decision ever sees both, so that they cannot prove anything together.
            return (isShared() || other.isShared() || reader == other.reader) && meaning.equals(other.meaning);
        }

        /**
         * Remembers a row.
         *
         * <p>The check for contradiction is made with each row and not at the end: rows count from the moment at which
         * the application has them.
         *
         * @param row a value for each head term, null where it is not known; the array is not kept
         * @return false if this and later rows are not remembered
         */
        public boolean add(@Nullable Value[] row) {
            synchronized (Trace.this) {
                if (!isCurrent() || !hasRoom()) {
                    // A gap: what comes later may be remembered only if nothing before it was passed over, or the
                    // result would look complete.
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
                Set<Result> contradicted = coherence.add(this, values, (rows - 1) * width, arguments);
                if (!contradicted.isEmpty() && !displace(this, contradicted, row)) {
                    full = true;
                    rows--;
                    cells -= width;
                    entry = null;
                    settle(this);
                    return false;
                }
                makeRoom(this);
                return !dead;
            }
        }

        /** The rows were all; without effect if one was not remembered. */
        public void complete() {
            synchronized (Trace.this) {
                if (!complete
                        && !full
                        && isCurrent()
                        && bounds.entries > 0
                        && ownership != Standpoint.Ownership.NOBODY) {
                    complete = true;
                    touch();
                    makeRoom(this);
                }
            }
        }

        private boolean hasRoom() {
            return bounds.entries > 0
                    && ownership != Standpoint.Ownership.NOBODY
                    && rows < bounds.rows
                    && (long) (rows + 1) * width <= bounds.cells;
        }

        /**
         * Whether no write or rollback since the opening makes this result doubtful.
         *
         * <p>Both stamps are of writes that were sent, not of those that have an answer; the server may have done them
         * before this row was fetched.
         */
        private boolean isCurrent() {
            if (!dead && (opened < lastDoubt || (opened < lastChange && isOverwritten()))) {
                dead = true;
            }
            return !dead;
        }

        private boolean isOverwritten() {
            for (Atom atom : part.query().atoms()) {
                if (opened < writes.last(atom.table()) || opened < commits.lastByOthers(atom.table(), reader)) {
                    return true;
                }
            }
            return false;
        }

        private void touch() {
            touched = CLOCK.get();
            entry = null;
            if (!visible) {
                visible = true;
                seenFirst = touched;
                if (results.isEmpty() && narrow == 0) {
                    Trace.this.meaning = meaning;
                }
                narrow += isNarrow() ? 1 : 0;
                results.addLast(this);
                byQuery.computeIfAbsent(part.query(), query -> new ArrayList<>())
                        .add(this);
                coherence.enter(this);
            }
            changed();
        }

        /** Takes out the rows that say other things of a row than an answer of another query does. */
        private void removeContradicting(Imprint other, @Nullable Value[] answer, List<Value> otherArguments) {
            @Nullable Value[] before = values;
            int count = 0;
            @Nullable Value[] kept = new Value[rows * width];
            for (int row = 0; row < rows; row++) {
                if (!contradicts(row, other, answer, otherArguments)) {
                    System.arraycopy(before, row * width, kept, count * width, width);
                    count++;
                }
            }
            cells -= (rows - count) * width;
            values = kept;
            rows = count;
            // It lacks rows now that it had.
            complete = false;
            full = true;
            entry = null;
        }

        private boolean contradicts(
                int answer, Imprint other, @Nullable Value[] otherAnswer, List<Value> otherArguments) {
            for (Imprint.Row mine : imprint.rows()) {
                @Nullable Value[] left = values(mine, answer);
                for (Imprint.Row row : other.rows()) {
                    if (Coherence.contradict(mine, left, row, row.values(otherAnswer, 0, otherArguments))) {
                        return true;
                    }
                }
            }
            return false;
        }

        /** Whether some standpoint that sees other results does not see this one. */
        private boolean isNarrow() {
            return !isShared() || !meaning.equals(Trace.this.meaning);
        }

        /** Whether something was lost by a change: rows, or that they are all. */
        private boolean loses(Change change, IntFunction<Value> slots) {
            var survivors = new Survivors(part.query(), arguments, change.table());
            if (!survivors.mayBeChanged(change)) {
                return false;
            }
            boolean lost = complete;
            complete = false;
            entry = null;
            return keep(survivors.tests(change, slots)) || lost;
        }

        /**
         * Keeps the rows for which each list has a test that holds. Snapshots have the old array, so this makes a new.
         */
        private boolean keep(List<List<Survivors.Test>> tests) {
            if (tests.isEmpty()) {
                return false;
            }
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
