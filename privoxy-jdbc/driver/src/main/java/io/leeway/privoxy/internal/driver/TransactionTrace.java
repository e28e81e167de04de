package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.request.Trace;
import java.sql.Savepoint;
import java.util.IdentityHashMap;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the traces owe to a transaction: facts read after its first write are forgotten when the write is taken back.
 * Not thread-safe, as the connection; the traces are.
 *
 * <p>Everything that may be a rollback counts as one: forgetting too much is sound.
 */
final class TransactionTrace {

    /** For each trace that read or wrote in this transaction since its first write: when that was. */
    private final IdentityHashMap<Trace, Long> marks = new IdentityHashMap<>();

    /** For each savepoint: when it was set, for the traces known then. */
    private final IdentityHashMap<Savepoint, IdentityHashMap<Trace, Long>> savepoints = new IdentityHashMap<>();

    private boolean begunOtherwise;

    /** Whether others may have written in this transaction before. */
    private boolean writtenByOthers;

    /** Whether a transaction was begun of which the connection's auto-commit flag knows nothing. */
    boolean begunOtherwise() {
        return begunOtherwise;
    }

    /** The connection works on a branch of a distributed transaction from now on. */
    void begunAsBranch() {
        begunOtherwise = true;
    }

    /** The transaction is one in which others may have written: what is read may be taken back from the beginning. */
    void writtenByOthers() {
        writtenByOthers = true;
    }

    /** A write is about to be sent within a transaction. */
    void writing(Trace trace) {
        marks.computeIfAbsent(trace, Trace::mark);
    }

    /** A statement is about to be sent; after a write it may read what is taken back later. */
    void reading(Trace trace) {
        if (writtenByOthers || !marks.isEmpty()) {
            writing(trace);
        }
    }

    /** The transaction's writes stay. */
    void committed() {
        marks.clear();
        savepoints.clear();
        begunOtherwise = false;
        writtenByOthers = false;
    }

    /** The transaction's writes are taken back. */
    void rolledBack() {
        doubt();
        committed();
    }

    /** The transaction's writes may have been taken back, all or some: a statement failed, a rollback by text. */
    void doubt() {
        marks.forEach(Trace::forgetSince);
    }

    /** A savepoint was set. */
    void savepoint(Savepoint savepoint) {
        var now = new IdentityHashMap<Trace, Long>();
        marks.keySet().forEach(trace -> now.put(trace, trace.mark()));
        savepoints.put(savepoint, now);
    }

    /** Writes after a savepoint are taken back. */
    void rolledBackTo(Savepoint savepoint) {
        @Nullable IdentityHashMap<Trace, Long> then = savepoints.get(savepoint);
        marks.forEach((trace, mark) -> {
            Long known = then == null ? null : then.get(trace);
            trace.forgetSince(known == null ? mark : known);
        });
    }

    /** A savepoint is needed no more. */
    void released(Savepoint savepoint) {
        savepoints.remove(savepoint);
    }

    /** Transaction control came as SQL text. Only what is certainly no rollback leaves the facts alone. */
    void text(String sql) {
        String words = words(sql);
        switch (words) {
            case "begin", "begin work", "begin transaction", "start transaction" -> begunOtherwise = true;
            // A commit too: after an error PostgreSQL answers it with a rollback.
            case "commit", "commit work", "end", "rollback", "rollback work", "abort" -> rolledBack();
            default -> {
                if (!words.startsWith("savepoint ") && !words.startsWith("release ")) {
                    doubt();
                }
                begunOtherwise = true;
            }
        }
    }

    private static String words(String sql) {
        String text = sql.strip();
        if (text.endsWith(";")) {
            text = text.substring(0, text.length() - 1).strip();
        }
        return text.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
    }
}
