package io.leeway.hindex.internal.silence;

import java.util.concurrent.TimeUnit;

/**
 * What a region that closes still waits for; not for indexes of which one kept another region waiting in vain just now.
 *
 * <p>A server stops when all of its regions are closed: what one waits in vain for an index, many would, one after the
 * other.
 */
public enum Close implements SilentIndex {
    /** Before it closes, while it still serves. */
    FAILED("a region about to close, for a look at entries of writes that failed", Long.MAX_VALUE, false),
    /** The next life reads the rows since the last mark. */
    FOLLOWING("a region that closes, for entries that follow after their writes", 1_000, true),
    /** The same, if it does not know that they are all there. */
    MARK("a region that closes, for the mark that they are all there", 1_000, true),
    /** The next life looks at more than it would have to. */
    UNCERTAIN("a region that closes in peace, for the mark that nothing is uncertain", 500, true);

    /** How long an index that was silent once is spared. */
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String who;
    private final long mostMillis;
    /** Whether it does not wait at all while an index is silent. */
    private final boolean sparesOthers;

    Close(String who, long mostMillis, boolean sparesOthers) {
        this.who = who;
        this.mostMillis = mostMillis;
        this.sparesOthers = sparesOthers;
    }

    /** A moment at which an index was silent, so long ago that it does not count. */
    public static long longAgo() {
        return System.nanoTime() - 2 * SILENT_NANOS;
    }

    /** Whether an index may answer now, if one has kept a region waiting in vain at that moment. */
    public static boolean mayBeAnswered(long silentAt) {
        return System.nanoTime() - silentAt > SILENT_NANOS;
    }

    /** How long the region waits at most. */
    public long millis() {
        return mostMillis;
    }

    /** How long it waits for what calls may take so long for, and may be answered or not. */
    public long millis(long timeoutMillis, boolean mayBeAnswered) {
        return mayBeAnswered || !sparesOthers ? Math.min(timeoutMillis, mostMillis) : 0;
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public String limit() {
        return sparesOthers
                ? mostMillis + " ms; not at all within " + TimeUnit.NANOSECONDS.toMillis(SILENT_NANOS)
                        + " ms after an index kept another region waiting in vain"
                : Limit.LEAST.text(0);
    }

    @Override
    public String then() {
        return "it gives up; the region's next life does it";
    }
}
