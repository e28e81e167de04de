package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One result while it is read: what is remembered of its rows, and who may use it. Thread-safe: the methods that users
 * of a request call hold the trace's lock, and all others are called under it.
 */
public final class TraceResult {

    private final Trace trace;
    private final KeptResults kept;
    private final TraceWrites writes;
    private final long opened = Trace.now();
    private final Recording.Part part;
    private final List<Value> arguments;
    private final FlatRows rows;

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

    TraceResult(Trace trace, Recording.Part part, List<Value> arguments, Imprint imprint, Standpoint from) {
        this.trace = trace;
        this.kept = trace.kept();
        this.writes = trace.writes();
        this.part = part;
        this.arguments = List.copyOf(arguments);
        this.rows = new FlatRows(part.query().head().size());
        this.imprint = imprint;
        this.reader = from.transaction();
        this.meaning = from.meaning();
        this.moment = Math.min(opened, from.moment());
        this.isOfMoment = from.moment() != Standpoint.NOW
                && part.query().atoms().stream().noneMatch(atom -> from.states().mayDiffer(atom.table()));
        this.ownership = ownership(from);
    }

    /**
     * A transaction's own results are for itself only; and a value means what it meant only under the same settings (a
     * time under another zone is another one, {@code SettingsCasesIT}).
     */
    boolean isVisibleFrom(Standpoint from) {
        boolean isOwn = isShared() || reader == from.transaction();
        return isOwn && meaning.equals(from.meaning()) && !isLaterThan(from);
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
        boolean isOld =
                moment < opened && (moment < trace.born() || writes.isChangedSince(moment, part.query(), reader));
        return isOld && from.ownership() != Standpoint.Ownership.NOBODY
                ? Standpoint.Ownership.TRANSACTION
                : from.ownership();
    }

    Imprint imprint() {
        return imprint;
    }

    /** Names the result within its trace. */
    long id() {
        return opened;
    }

    ConjunctiveQuery query() {
        return part.query();
    }

    List<Value> arguments() {
        return arguments;
    }

    /** Whether it was read in a transaction. */
    boolean isOf(Object transaction) {
        return reader == transaction;
    }

    String meaning() {
        return meaning;
    }

    long moment() {
        return moment;
    }

    /** When it was last added to. */
    long touched() {
        return touched;
    }

    int rows() {
        return rows.size();
    }

    int cells() {
        return rows.size() * rows.width();
    }

    /** What an answer says of a row behind it. */
    @Nullable
    Value[] values(Imprint.Row row, int answer) {
        return row.values(rows.cells(), answer * rows.width(), arguments);
    }

    /** Whether everybody may use it. */
    boolean isShared() {
        return ownership == Standpoint.Ownership.REQUEST;
    }

    /** Its transaction has committed; whether that makes it everybody's. */
    boolean share() {
        if (ownership != Standpoint.Ownership.UNTIL_COMMIT) {
            return false;
        }
        ownership = Standpoint.Ownership.REQUEST;
        return true;
    }

    /** Whether somebody may use both. */
    boolean standsWith(TraceResult other) {
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
        synchronized (trace) {
            if (!isCurrent() || !hasRoom()) {
                // A gap: what comes later may be remembered only if nothing before it was passed over, or the
                // result would look complete.
                full = true;
                return false;
            }
            if (rows.width() == 0 && rows.size() == 1) {
                // That there is a row is all that can be learnt.
                return true;
            }
            rows.add(row);
            kept.count(rows.width());
            touch();
            if (!kept.stands(this, row)) {
                full = true;
                // If the answer contradicts itself, and was the only one, it is gone already with the result.
                if (!dead) {
                    rows.removeLast();
                    kept.count(-rows.width());
                    entry = null;
                    kept.settle(this);
                }
                return false;
            }
            kept.makeRoom(this);
            return !dead;
        }
    }

    /** The rows were all; without effect if one was not remembered. */
    public void complete() {
        synchronized (trace) {
            if (!complete
                    && !full
                    && isCurrent()
                    && kept.bounds().entries() > 0
                    && ownership != Standpoint.Ownership.NOBODY) {
                complete = true;
                touch();
                kept.makeRoom(this);
            }
        }
    }

    private boolean hasRoom() {
        Trace.Bounds bounds = kept.bounds();
        return bounds.entries() > 0
                && ownership != Standpoint.Ownership.NOBODY
                && rows.size() < bounds.rows()
                && (long) (rows.size() + 1) * rows.width() <= bounds.cells();
    }

    /** Whether no write or rollback since the opening makes this result doubtful. */
    private boolean isCurrent() {
        if (!dead && writes.isDoubtful(opened, part.query(), reader)) {
            dead = true;
        }
        return !dead;
    }

    private void touch() {
        touched = Trace.lastMoment();
        entry = null;
        if (!visible) {
            visible = true;
            seenFirst = touched;
            kept.enter(this);
        }
        kept.changed();
    }

    /** Takes out the rows that say other things of a row than an answer of another query does. */
    void removeContradicting(TraceResult other, @Nullable Value[] answer) {
        retain(row -> !contradicts(row, other, answer));
        // It lacks rows now that it had.
        complete = false;
        full = true;
        entry = null;
    }

    private boolean contradicts(int answer, TraceResult other, @Nullable Value[] otherAnswer) {
        for (Imprint.Row mine : imprint.rows()) {
            @Nullable Value[] left = values(mine, answer);
            for (Imprint.Row row : other.imprint.rows()) {
                if (Coherence.contradict(mine, left, row, row.values(otherAnswer, 0, other.arguments))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether something was lost by a change: rows, or that they are all. */
    boolean loses(Change change, IntFunction<Value> slots) {
        var survivors = new Survivors(part.query(), arguments, change.table());
        if (!survivors.mayBeChanged(change)) {
            return false;
        }
        boolean lost = complete;
        complete = false;
        entry = null;
        return keep(survivors.tests(change, slots)) || lost;
    }

    /** Keeps the rows for which each list has a test that holds. */
    private boolean keep(List<List<Survivors.Test>> tests) {
        if (tests.isEmpty()) {
            return false;
        }
        @Nullable Value[] cells = rows.cells();
        return retain(row -> {
            int start = row * rows.width();
            return tests.stream().allMatch(all -> all.stream().anyMatch(test -> test.isOther(cells, start)));
        });
    }

    private boolean retain(IntPredicate which) {
        int gone = rows.retain(which);
        kept.count(-gone * rows.width());
        return gone > 0;
    }

    boolean mentionsAny(Set<String> tables) {
        for (Atom atom : part.query().atoms()) {
            if (tables.contains(atom.table())) {
                return true;
            }
        }
        return false;
    }

    /** It is forgotten, and takes no more rows. */
    void die() {
        dead = true;
        rows.clear();
        entry = null;
    }

    TraceEntry entry() {
        TraceEntry known = entry;
        if (known == null) {
            known = new TraceEntry(opened, part, arguments, rows.cells(), rows.size(), complete);
            entry = known;
        }
        return known;
    }
}
