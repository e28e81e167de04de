package io.leeway.hindex.internal.silence;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * Who fails, to be tried again, when an index keeps him waiting too long.
 *
 * <p>Each constant's comment says why its limit is what it is.
 */
public enum Wait implements SilentIndex {
    /** Short, since who waits keeps a handler too; long beside what an index takes that answers. */
    HANDLER(
            "a write or a bulk load, for one of the handlers that its table may keep",
            Limit.FIXED,
            100,
            Then.REFUSED,
            "as many writes and loads of %s wait for its indexes as may on this server, where others need handlers, too; try"
                    + " again",
            "other writes and loads waited for the index"),
    /** Not as many limits as there are others before: all wait for the same answer. */
    TURN(
            "a write, for another's call to the index that serves both",
            Limit.LEAST,
            0,
            Then.REFUSED,
            "other writes wait for the answer of the index; try again",
            "other writes waited for the index"),
    /** Were each to try himself, the last would wait as many limits as there are handlers. */
    SHARED_ANSWER(
            "a write whose turn comes after another's call has failed",
            Limit.FIXED,
            0,
            Then.REFUSED,
            "the index did not answer another write just now; try again",
            "another write waited for the index"),
    /** All rows of a batch together. */
    ROW(
            "a write to an index over several columns, for others of its rows",
            Limit.LEAST,
            0,
            Then.REFUSED,
            "other writes of the row wait for its index; try again",
            "other writes of the row waited for its index"),
    /** The removal that is on its way could take the entry that is written again. */
    REVIVAL(
            "a write that brings an entry back, for removals that are on their way",
            Limit.LEAST,
            0,
            Then.REFUSED,
            "obsolete index entries are being removed; try again",
            "obsolete index entries were removed"),
    /** An entry that came after its removal would stay for ever. */
    COMPACTION(
            "a compaction, for entries that follow after earlier writes",
            Limit.LEAST,
            0,
            Then.FAILED,
            Wording.NOT_WRITTEN,
            Wording.WHILE_WRITTEN),
    /** Its write is in the table by then. */
    REMOVAL(
            "a write that has obsolete entries removed, for entries that follow after earlier writes",
            Limit.LEAST,
            0,
            Then.LEFT,
            Wording.NOT_WRITTEN,
            Wording.WHILE_WRITTEN),
    /** It reads much of an index, and goes on where it ended. */
    SWEEP(
            "a sweep, for a look at some entries under the locks of their rows",
            Limit.FIXED,
            60_000,
            Then.PUT_OFF,
            "entries were not looked at in time; this is tried again",
            "entries were looked at"),
    /** Who verifies keeps no lock, and reads a whole table: it need not give up over one call. */
    VERIFICATION(
            "a verification, for entries that follow after earlier writes",
            Limit.LEAST,
            10_000,
            Then.FAILED,
            Wording.NOT_WRITTEN,
            Wording.WHILE_WRITTEN),
    /** The same for those of an earlier life, which may be of any row. */
    EARLIER_LIFE(
            "a verification, for entries that an earlier life of the region left to write",
            Limit.LEAST,
            10_000,
            Then.FAILED,
            "the region still writes entries that an earlier life of it left; try again when it has",
            Wording.WHILE_WRITTEN);

    private final String who;
    private final Limit limit;
    private final long millis;
    private final Then then;
    /** What clients are told, with what to do; may name the table. */
    private final String refusal;

    private final String interruption;

    Wait(String who, Limit limit, long millis, Then then, String refusal, String interruption) {
        this.who = who;
        this.limit = limit;
        this.millis = millis;
        this.then = then;
        this.refusal = refusal;
        this.interruption = interruption;
    }

    private static final class Wording {
        private static final String NOT_WRITTEN =
                "the entries of earlier writes are not written yet; this is tried again when they are";
        private static final String WHILE_WRITTEN = "entries of earlier writes were written";
    }

    private enum Then {
        /** HBase's clients try again by themselves, as with a region whose memory is full. */
        REFUSED,
        /** Compactions find it. */
        LEFT,
        /** See Retry. */
        PUT_OFF,
        FAILED
    }

    /**
     * What is waited for.
     *
     * <p>A lock, a latch or a queue that can be waited for with a limit.
     */
    @FunctionalInterface
    public interface Event {
        /** Whether it comes within this time. */
        boolean comesWithin(long millis) throws InterruptedException;
    }

    /**
     * Waits.
     *
     * @param timeoutMillis {@code hindex.write.timeout}, which a call to an index may take
     * @throws IOException if it does not come in time: nothing is done then
     */
    public void await(long timeoutMillis, Event event) throws IOException {
        await(timeoutMillis, "the table", event);
    }

    /** The same, telling whose indexes are waited for. */
    public void await(long timeoutMillis, Object table, Event event) throws IOException {
        try {
            if (!event.comesWithin(millis(timeoutMillis))) {
                throw failure(table);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + interruption, e);
        }
    }

    /** Waits until a moment that several waits have in common. */
    public void awaitUntil(long deadlineNanos, Event event) throws IOException {
        await(Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime())), event);
    }

    /**
     * How long is waited by who does not fail.
     *
     * @param timeoutMillis {@code hindex.write.timeout}
     */
    public long millis(long timeoutMillis) {
        return limit.millis(millis, timeoutMillis);
    }

    /**
     * What the caller is told.
     *
     * <p>As "too busy" where a client may try again by itself, for minutes, without its application noticing.
     */
    public IOException failure(Object table) {
        String message = refusal.formatted(table);
        return then == Then.REFUSED ? new RegionTooBusyException(message) : new IOException(message);
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public String limit() {
        return limit.text(millis);
    }

    @Override
    public String then() {
        return switch (then) {
            case REFUSED -> "it is refused (`RegionTooBusyException`), and clients try again";
            case LEFT -> "the write stands; compactions find what it leaves";
            case PUT_OFF -> "it ends there, and goes on later";
            case FAILED -> "it fails, and is tried again by who asked for it";
        };
    }
}
