package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.request.Invalidation;
import io.leeway.privoxy.internal.request.Standpoint;
import io.leeway.privoxy.internal.request.Standpoint.Ownership;
import io.leeway.privoxy.internal.request.States;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.schema.SchemaMark;
import java.sql.Savepoint;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of one connection as the traces see it: whose the facts are that are read in it, and what becomes of
 * them at its end.
 *
 * <p>Thread-safe: who aborts or closes a connection does so beside a statement that hangs, whose thread hears of the
 * same end from the driver. Only traces are called with the lock held, which never call back.
 *
 * <p>Everything that may be a rollback counts as one: forgetting too much is sound.
 *
 * <p>It does not know by which method or text something happened; {@link Session} tells it what the server's answer
 * says. So there is one place that turns "a transaction has ended, perhaps" into what traces forget.
 */
final class TransactionTrace {

    /**
     * For each trace that read or wrote in this transaction since its first write: when that was.
     *
     * <p>From the first write on: what was read before it and outlived it is true whatever becomes of the
     * transaction.
     */
    private final IdentityHashMap<Trace, Long> marks = new IdentityHashMap<>();

    /** For each savepoint: when it was set, for the traces known then. */
    private final IdentityHashMap<Savepoint, IdentityHashMap<Trace, Long>> savepoints = new IdentityHashMap<>();

    /** The traces of which some request may have read in this transaction. */
    private final Set<Trace> readers = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * Whether a text may have set, released or gone back to any: which is there then is not followed.
     *
     * <p>By text a savepoint may be set again under the same name; then it is another one.
     */
    private boolean savepointsMoved;

    private boolean begunOtherwise;

    /** Whether others may have written in this transaction before. */
    private boolean writtenByOthers;

    /** Whether it is a branch of a distributed transaction, which the connection itself must not end. */
    private @Nullable XaBranch branch;

    /** Whether the connection is still where a branch was, which anybody may take back. */
    private boolean detached;

    /**
     * Names the transaction to the traces; null if none has begun.
     *
     * <p>An object and not a number: it is compared by identity, and two connections can never have the same.
     */
    private @Nullable Object token;

    private boolean open;

    /**
     * Before its first statement.
     *
     * <p>Of a snapshot the facts are of this moment, whenever they are read.
     */
    private long begun;

    private Isolation isolation = Isolation.UNKNOWN;
    /** Whether a statement of it may have read without a lock, with which MariaDB takes the snapshot. */
    private boolean hasRead;

    private boolean hasEarlierSnapshot;

    /** Tables that it has written since. */
    private final Set<String> written = new HashSet<>();

    private final ChosenIsolation chosen;

    /** How far changes of the schema were known when it began; null if none has begun that reads what was there then. */
    private @Nullable SchemaMark schema;

    /**
     * Whether the database has ended it by itself, so that the next statement begins another one.
     *
     * <p>MariaDB commits at a change of the schema, and says nothing of it but in its status.
     */
    private boolean endedByItself;

    private Standpoint last = Standpoint.ANYWHERE;

    /**
     * The transactions of a session.
     *
     * @param chosen what was chosen on its physical connection
     */
    TransactionTrace(ChosenIsolation chosen) {
        this.chosen = chosen;
    }

    /** What was chosen for the transaction that is open or comes next. */
    ChosenIsolation chosen() {
        return chosen;
    }

    /** Whether a transaction was begun of which the connection's auto-commit flag knows nothing. */
    synchronized boolean begunOtherwise() {
        return begunOtherwise;
    }

    /** The connection works on a branch of a distributed transaction from now on. */
    synchronized void begunAsBranch(XaBranch begun) {
        begunOtherwise = true;
        branch = begun;
        detached = false;
    }

    /** Whether the connection works on a branch, or still sees one: then it must not end the transaction. */
    synchronized boolean isBranch() {
        return branch != null || detached;
    }

    /** The database says that it is open. */
    synchronized void isOpen() {
        open = token != null;
    }

    /** Whether the database has said so; it need not, before a table was read. */
    synchronized boolean wasOpen() {
        return open;
    }

    /**
     * How far changes of the schema were known when the transaction began, if it may read what was committed then; null if
     * it has not begun, or reads what is there now.
     */
    @Nullable
    synchronized SchemaMark schemaOfThePast() {
        return isolation.mayReadThePast() ? schema : null;
    }

    /**
     * The transaction has changed the schema itself, and nobody else has.
     *
     * <p>Its own change is not one that came between.
     */
    synchronized void changedSchema(SchemaMark own) {
        if (schema != null) {
            schema = own;
        }
    }

    /** A change of the schema has committed it, which the connection knows nothing of: what follows reads what is there then. */
    synchronized void committedByChange() {
        schema = null;
        endedByItself = token != null;
    }

    /** Whether a statement was sent in it. */
    synchronized boolean hasBegun() {
        return token != null;
    }

    /** The transaction is one in which others may have written: what is read may be taken back from the beginning. */
    synchronized void writtenByOthers() {
        writtenByOthers = true;
    }

    /**
     * The work on a branch has ended, and the connection still sees what was done in it.
     *
     * <p>After {@code end} anybody may commit or roll back the branch, and this connection still sees what was done
     * in it ({@code StateCasesIT.whatIsReadBetweenTheEndAndTheRollbackOfABranchIsNoFact}).
     */
    synchronized void detach() {
        XaBranch of = branch;
        if (of == null) {
            leftOpen();
        } else {
            closed();
            of.left();
        }
        detached = true;
    }

    /** It goes on without its connection, and anybody may commit it, at any time. */
    private void leftOpen() {
        endsChosen();
        doubt();
        Object left = token;
        if (left != null) {
            readers.forEach(trace -> trace.leftOpen(left));
        }
        clear();
    }

    /** The connection goes away: a branch goes on without it, everything else is taken back. */
    synchronized void closed() {
        XaBranch of = branch;
        if (of == null) {
            rolledBack();
            return;
        }
        // The branch goes on with it, and other handles may go on with the branch.
        chosen.maybeUsedUp();
        doubt();
        isPartOf(of);
        reset();
    }

    private void isPartOf(XaBranch of) {
        Object part = token;
        if (part != null) {
            readers.forEach(trace -> of.hadPart(trace, part));
        }
    }

    /** The branch was committed, taken back or prepared. */
    synchronized void attach() {
        detached = false;
    }

    /** A level was chosen for the transaction that has begun and has not read, or begins with the next statement. */
    synchronized void isolationChosen(Isolation level) {
        isolation = level;
        chosen.chosen(level);
    }

    /** The session's isolation was chosen, and no transaction is open. */
    synchronized void usualIsolationChosen() {
        // A level for the next transaction may wait still: drivers do not send what they take for the level of before.
        chosen.maybeUsedUp();
    }

    /**
     * What matters of a statement here.
     *
     * @param writes whether it writes
     * @param isHeld whether it locks or writes all that it reads
     * @param outsideSnapshots the tables that it reads as they are now, whatever snapshot there is
     */
    record Nature(boolean writes, boolean isHeld, Set<String> outsideSnapshots) {}

    /**
     * Where the next statement stands; this begins the transaction if there is none.
     *
     * @param within whether the statement is part of a transaction that does not end with it
     * @param usual the isolation of the session
     * @param known how far changes of the schema are known now
     */
    synchronized Standpoint standpoint(
            boolean within, Nature nature, Isolation usual, String meaning, SchemaMark known, Trace trace) {
        // What is read here may be taken back by anybody.
        if (detached) {
            return at(null, Ownership.NOBODY, meaning, Standpoint.NOW, States.MANY);
        }
        if (!within) {
            // In READ UNCOMMITTED a row may be one that never will be.
            Isolation own = chosen.ofStatement(usual);
            Ownership ownership = own.showsUncommitted() ? Ownership.NOBODY : Ownership.REQUEST;
            return at(null, ownership, meaning, Standpoint.NOW, own.ofOneStatement());
        }
        if (token == null) {
            token = new Object();
            begun = Trace.now();
            schema = known;
        } else if (endedByItself) {
            schema = known;
            chosen.maybeUsedUp();
            isolation = isolation.or(usual);
        }
        endedByItself = false;
        if (!open) {
            // Until the server has begun it another level may be chosen.
            isolation = chosen.ofTransaction(usual);
        }
        readers.add(trace);
        Ownership ownership = ownership(nature.writes);
        if (isolation == Isolation.LATE_SNAPSHOT && nature.isHeld && !writtenByOthers) {
            return at(token, ownership, meaning, Standpoint.NOW, States.ONE);
        }
        boolean isFirst = !hasRead;
        if (isFirst && isolation == Isolation.LATE_SNAPSHOT) {
            begun = Trace.now();
        }
        hasRead = true;
        // Of one that others have begun it is not known when.
        long past = writtenByOthers || hasEarlierSnapshot ? Trace.BEGINNING : begun;
        Set<String> mixed = writtenByOthers ? Set.of(StatementPlan.ANYTHING) : later(nature);
        long moment = isolation.mayReadThePast() ? past : Standpoint.NOW;
        return at(token, ownership, meaning, moment, isolation.states(isFirst, mixed));
    }

    /** The tables of which a statement reads a later state than that of the snapshot. */
    private Set<String> later(Nature nature) {
        if (nature.outsideSnapshots.isEmpty() || !isolation.mayReadThePast()) {
            return written;
        }
        Set<String> later = new HashSet<>(written);
        later.addAll(nature.outsideSnapshots);
        return later;
    }

    private Ownership ownership(boolean writes) {
        // Where it may show what is not committed, a row may be one that never will be.
        if (isolation.showsUncommitted()) {
            return Ownership.NOBODY;
        }
        // A commit says nothing about what was read before others' writes, or in an unknown state.
        if (writtenByOthers || isolation.isUnknown()) {
            return Ownership.TRANSACTION;
        }
        // Before the first write everything that is read is committed data.
        return marks.isEmpty() && !writes ? Ownership.REQUEST : Ownership.UNTIL_COMMIT;
    }

    @SuppressWarnings("ReferenceEquality") // Tokens are compared by identity.
    private Standpoint at(
            @Nullable Object transaction, Ownership ownership, String meaning, long moment, States states) {
        boolean same = last.transaction() == transaction
                && last.ownership() == ownership
                && last.moment() == moment
                && last.meaning().equals(meaning)
                && last.states().equals(states);
        // The same object again, as each statement asks and nearly all get the same answer.
        last = same ? last : new Standpoint(transaction, ownership, meaning, moment, states);
        return last;
    }

    /** A write is about to be sent within a transaction. */
    synchronized void writing(Trace trace) {
        marks.computeIfAbsent(trace, Trace::mark);
    }

    /** A text took over a snapshot that somebody else has taken, at any time before. */
    synchronized void tookSnapshotOver() {
        hasEarlierSnapshot = true;
    }

    /** It writes these tables: where it has a snapshot, rows of later stand beside those of that from now on. */
    synchronized void writing(Set<String> tables) {
        if (hasRead || isolation != Isolation.LATE_SNAPSHOT) {
            written.addAll(tables);
        }
    }

    /** A statement is about to be sent; after a write it may read what is taken back later. */
    synchronized void reading(Trace trace) {
        if (writtenByOthers || !marks.isEmpty()) {
            writing(trace);
        }
    }

    /**
     * The transaction's writes stay.
     *
     * <p>Said by the server, not concluded from a call.
     */
    synchronized void committed() {
        Object ended = token;
        if (ended != null) {
            readers.forEach(trace -> trace.committed(ended));
        }
        endsChosen();
        clear();
    }

    /** It ends by the connection's mode, with which MariaDB's server does not go over to the session's level. */
    synchronized void mayKeepItsLevel() {
        open = false;
    }

    /** One that the server has said to be open has used up what was chosen for it. */
    private void endsChosen() {
        if (open) {
            chosen.usedUp();
        } else {
            chosen.maybeUsedUp();
        }
    }

    /** The transaction's writes are taken back. */
    synchronized void rolledBack() {
        endsChosen();
        lapsed();
    }

    /** The transaction is over, how is not known: what was chosen for the next one may still wait for it. */
    synchronized void lapsed() {
        chosen.maybeUsedUp();
        doubt();
        Object ended = token;
        if (ended != null) {
            // It may have been committed, too: what others read meanwhile of what it wrote is as it was before.
            readers.forEach(trace -> trace.committed(ended));
        }
        clear();
    }

    private void clear() {
        Object ended = token;
        if (ended != null) {
            readers.forEach(trace -> trace.ended(ended));
        }
        reset();
    }

    private void reset() {
        marks.clear();
        savepoints.clear();
        savepointsMoved = false;
        readers.clear();
        begunOtherwise = false;
        writtenByOthers = false;
        hasRead = false;
        hasEarlierSnapshot = false;
        written.clear();
        branch = null;
        open = false;
        token = null;
        schema = null;
        endedByItself = false;
    }

    /** The transaction's writes may have been taken back, all or some: a statement failed, a rollback by text. */
    synchronized void doubt() {
        Object doubted = token;
        marks.forEach((trace, mark) -> Invalidation.afterRollback(mark).in(trace, doubted));
        if (doubted != null) {
            readers.forEach(trace -> trace.forgetOwnedBy(doubted));
        }
    }

    /** A savepoint was set, under a name that no other one has in the database. */
    synchronized void savepoint(Savepoint savepoint) {
        var now = new IdentityHashMap<Trace, Long>();
        marks.keySet().forEach(trace -> now.put(trace, trace.mark()));
        savepoints.put(savepoint, now);
    }

    /** Writes after a savepoint are taken back. */
    synchronized void rolledBackTo(Savepoint savepoint) {
        @Nullable IdentityHashMap<Trace, Long> then = savepointsMoved ? null : savepoints.get(savepoint);
        marks.forEach((trace, mark) -> {
            // A trace that was first used after the savepoint has no mark there: then all since its first write is
            // in doubt.
            Long known = then == null ? null : then.get(trace);
            Invalidation.afterRollback(known == null ? mark : known).in(trace, token);
        });
    }

    /** A savepoint is needed no more. */
    synchronized void released(Savepoint savepoint) {
        savepoints.remove(savepoint);
    }

    /** Transaction control came as SQL text. Only what is certainly no rollback leaves the facts alone. */
    synchronized void text(String sql) {
        String words = words(sql);
        // Only whole texts are recognised. Everything else that may begin or end something counts as both.
        switch (words) {
            case "begin", "begin work", "begin transaction", "start transaction" -> begun();
            // A commit too: after an error PostgreSQL answers it with a rollback.
            case "commit", "commit work", "end", "rollback", "rollback work", "abort" -> rolledBack();
            default -> {
                if (words.startsWith("prepare transaction")) {
                    leftOpen();
                    return;
                }
                if (words.startsWith("start transaction ") || words.startsWith("begin ")) {
                    begun();
                }
                // To set or release a savepoint takes nothing back.
                if (!words.startsWith("savepoint ") && !words.startsWith("release ")) {
                    doubt();
                }
                savepointsMoved = true;
                begunOtherwise = true;
            }
        }
    }

    /** Within another one: MariaDB commits that, PostgreSQL goes on with it. */
    private void begun() {
        if (token != null) {
            lapsed();
            writtenByOthers = true;
        }
        begunOtherwise = true;
    }

    /** The database says that a transaction is open of which the connection's auto-commit flag knows nothing. */
    synchronized void foundOpen() {
        begunOtherwise = true;
    }

    private static String words(String sql) {
        String text = sql.strip();
        if (text.endsWith(";")) {
            text = text.substring(0, text.length() - 1).strip();
        }
        return text.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
    }
}
