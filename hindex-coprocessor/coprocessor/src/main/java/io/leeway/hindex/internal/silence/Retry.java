package io.leeway.hindex.internal.silence;

/** What nobody waits for, and nobody else would do: tried again without end, after pauses. */
public enum Retry implements SilentIndex {
    /** In order, and soon: each that waits takes a place that writes need. */
    FOLLOWING("entries that follow after their writes", 500, 500, Then.NEXT_LIFE),
    /** What an earlier life left of such entries. */
    CATCHING_UP("entries that an earlier life of a region left to write", 500, 30_000, Then.NEXT_LIFE),
    /** What the index's table says of the region: from when on entries are uncertain. */
    UNCERTAIN("reading what an earlier life of a region left uncertain", 500, 30_000, Then.NEXT_LIFE),
    /** It reads much of an index. */
    SWEEP("looking at what an earlier life of a region left uncertain", 30_000, 30_000, Then.NEXT_LIFE),
    /** Under the locks of their rows. */
    FAILED("looking at entries of writes that failed", 2_000, 2_000, Then.UNCERTAIN),
    /** It reads a whole family. */
    REPAIR("a repair after an isolated compaction", 500, 300_000, Then.NEXT_COMPACTION);

    private final String who;
    private final long firstMillis;
    private final long longestMillis;
    private final String then;

    /** Pauses double from the first to the longest, so that an index that comes back is not met by all at once. */
    Retry(String who, long firstMillis, long longestMillis, String then) {
        this.who = who;
        this.firstMillis = firstMillis;
        this.longestMillis = longestMillis;
        this.then = then;
    }

    private static final class Then {
        private static final String NEXT_LIFE = "it is tried again, by the region's next life too";
        private static final String UNCERTAIN = "it is tried again; the region's next life finds them as uncertain";
        private static final String NEXT_COMPACTION = "it is tried again; the next compaction of all files does it too";
    }

    /** The pause after the first failure. */
    public long firstMillis() {
        return firstMillis;
    }

    /** The pause after the next failure. */
    public long after(long pauseMillis) {
        return Math.min(2 * pauseMillis, longestMillis);
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public String limit() {
        return firstMillis == longestMillis
                ? "every " + firstMillis + " ms"
                : "after " + firstMillis + " ms, then twice as long each time, " + longestMillis + " ms at most";
    }

    @Override
    public String then() {
        return then;
    }
}
