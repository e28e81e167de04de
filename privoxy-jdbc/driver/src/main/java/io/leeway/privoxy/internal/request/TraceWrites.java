package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.StatementPlan;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a trace knows of writes: when each table was written and when that was committed, and what transactions have
 * written that are not over. Not thread-safe: used under the trace's lock.
 *
 * <p>Instead of keeping a register of all open results, the trace stamps events with a rising number: opening a result
 * takes a number, a write stamps its tables, a rollback stamps everything. A result whose number is older than a stamp
 * that concerns it takes no more rows. That costs one comparison a row as long as nothing was written.
 */
final class TraceWrites {

    /** When tables were written. */
    private final Stamps writes = new Stamps();
    /** When transactions committed that had written tables. */
    private final Stamps commits = new Stamps();

    /** Tables that were written by transactions that went on without their connection. */
    private final IdentityHashMap<Object, Set<String>> leftOpen = new IdentityHashMap<>();

    /** What transactions in progress have written. */
    private final IdentityHashMap<Object, Uncommitted> uncommitted = new IdentityHashMap<>();

    /** From when on, and what. */
    record Uncommitted(long since, Set<String> tables) {}

    /** Of writes and commits of writes. */
    private long lastChange;

    private long lastDoubt;

    /** What transactions have written that are not over, each by its tables; those that were left open are told apart. */
    record Open(IdentityHashMap<Object, Set<String>> uncommitted, IdentityHashMap<Object, Set<String>> leftOpen) {}

    Open open() {
        var written = new IdentityHashMap<Object, Set<String>>();
        uncommitted.forEach((transaction, open) -> written.put(transaction, Set.copyOf(open.tables)));
        return new Open(written, new IdentityHashMap<>(leftOpen));
    }

    /** The same was written, by somebody else. */
    void alsoOpen(Open others) {
        others.uncommitted.forEach((transaction, tables) -> tables.forEach(table -> noteOpen(table, transaction)));
        leftOpen.putAll(others.leftOpen);
    }

    /** Anything may be another one now. */
    void doubt() {
        lastDoubt = Trace.now();
    }

    /** Tables were written, by a transaction or by none. */
    void written(Set<String> tables, @Nullable Object by) {
        lastChange = Trace.now();
        for (String table : tables) {
            writes.put(table, lastChange, by);
            if (by != null) {
                noteOpen(table, by);
            }
        }
    }

    private void noteOpen(String table, Object by) {
        uncommitted
                .computeIfAbsent(by, absent -> new Uncommitted(lastChange, new HashSet<>()))
                .tables
                .add(table);
    }

    /** A transaction has committed; what it had written, or null. */
    @Nullable
    Uncommitted committed(Object transaction) {
        Uncommitted done = uncommitted.remove(transaction);
        if (done != null) {
            lastChange = Trace.now();
            done.tables.forEach(table -> commits.put(table, lastChange, transaction));
        }
        return done;
    }

    /** A transaction goes on without its connection; returns the tables that it has written. */
    Set<String> leftOpen(Object transaction) {
        Uncommitted open = uncommitted.remove(transaction);
        if (open == null) {
            return Set.of();
        }
        leftOpen.put(transaction, Set.copyOf(open.tables));
        return open.tables;
    }

    /** One that was left open is over; returns the tables that it has written. */
    Set<String> leftIsOver(Object transaction) {
        Set<String> tables = leftOpen.remove(transaction);
        return tables == null ? Set.of() : tables;
    }

    /** A transaction was taken back. */
    void ended(Object transaction) {
        uncommitted.remove(transaction);
    }

    /** Whether a query is about tables that were left open: whenever that is committed, nobody here is told. */
    boolean isLeftOpen(ConjunctiveQuery query) {
        return leftOpen.values().stream()
                .anyMatch(tables -> tables.contains(StatementPlan.ANYTHING)
                        || query.atoms().stream().anyMatch(atom -> tables.contains(atom.table())));
    }

    /** Whether tables of a query were changed by others than this transaction: its own writes are in what it reads. */
    boolean isChangedSince(long then, ConjunctiveQuery query, @Nullable Object reader) {
        if (lastDoubt > then) {
            return true;
        }
        for (Atom atom : query.atoms()) {
            if (writes.lastByOthers(atom.table(), reader) > then || commits.lastByOthers(atom.table(), reader) > then) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a write or a rollback since its opening makes a result doubtful.
     *
     * <p>Both stamps are of writes that were sent, not of those that have an answer; the server may have done them
     * before this row was fetched.
     */
    boolean isDoubtful(long opened, ConjunctiveQuery query, @Nullable Object reader) {
        return opened < lastDoubt || (opened < lastChange && isOverwritten(opened, query, reader));
    }

    private boolean isOverwritten(long opened, ConjunctiveQuery query, @Nullable Object reader) {
        for (Atom atom : query.atoms()) {
            if (opened < writes.last(atom.table()) || opened < commits.lastByOthers(atom.table(), reader)) {
                return true;
            }
        }
        return false;
    }
}
