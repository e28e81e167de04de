package io.leeway.hindex.internal.repair;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/*
 * Counts fade: every ten minutes they are halved. So a share is that of the last minutes, and a region that is hardly read never
 * comes to the number.
 *
 * A compaction that was asked for does not help where entries become obsolete as fast as reads meet them. Then the pause until
 * the next is doubled, until reads have met few obsolete entries for once.
 */
/** Whether the entries that reads met are reason enough for a compaction. Thread-safe. */
final class StaleReads {

    /** Who may not have a compaction now, or would find nothing, does not ask for each row that is read. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long FADE_NANOS = TimeUnit.MINUTES.toNanos(10);
    /** The longest pause, in times of the one that is set. */
    private static final int MOST_PAUSES = 16;

    private final AskedCompactions.Limits limits;
    private final LongSupplier nanoTime;
    private long fresh;
    private long stale;
    private long fadedAt;
    /** Whether it ever was, so that the first need not wait for a pause. */
    private boolean asked;

    private long askedAt;
    /** Whether it was just said that one is due. */
    private boolean due;

    private long dueAt;
    /** How many pauses must lie between two. */
    private long pauses = 1;
    /** Whether reads have met few since it was asked: then that one has helped. */
    private boolean calm = true;

    StaleReads(AskedCompactions.Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.fadedAt = nanoTime.getAsLong();
    }

    /** Reads have met these; whether a compaction is due now, which is said once a second at most. */
    synchronized boolean met(long moreFresh, long moreStale) {
        fade();
        fresh += moreFresh;
        stale += moreStale;
        long all = fresh + stale;
        // Fewer than half of what would be reason enough.
        if (all >= limits.stale() && 200 * stale < limits.percent() * all) {
            calm = true;
        }
        if (!isDue()) {
            due = false;
            return false;
        }
        long now = nanoTime.getAsLong();
        if (due && now - dueAt < RETRY_NANOS) {
            return false;
        }
        due = true;
        dueAt = now;
        return true;
    }

    private boolean isDue() {
        return limits.stale() > 0
                && stale >= limits.stale()
                && 100 * stale >= limits.percent() * (fresh + stale)
                && (!asked
                        || nanoTime.getAsLong() - askedAt
                                >= pauses * limits.pause().toNanos());
    }

    /** How many obsolete entries were met lately. */
    synchronized long stale() {
        return stale;
    }

    /** A compaction is asked for, if it is still due; whether it is. */
    synchronized boolean ask() {
        if (!isDue()) {
            return false;
        }
        pauses = asked && !calm ? Math.min(2 * pauses, MOST_PAUSES) : 1;
        asked = true;
        askedAt = nanoTime.getAsLong();
        calm = false;
        fresh = 0;
        stale = 0;
        return true;
    }

    /** By whole steps of time, however rarely this is called; one that was not read for long begins anew. */
    private void fade() {
        long now = nanoTime.getAsLong();
        while (now - fadedAt >= FADE_NANOS && fresh + stale > 0) {
            fresh /= 2;
            stale /= 2;
            fadedAt += FADE_NANOS;
        }
        if (now - fadedAt >= FADE_NANOS) {
            fadedAt = now;
        }
    }
}
