package io.leeway.hindex.internal.silence;

import java.io.IOException;

/**
 * What a compaction does when the removals that it has found are not acknowledged. Whether it may go on depends on
 * whether anybody would find the entries again.
 */
public enum CompactionRemovals implements SilentIndex {
    /** Nobody would find these entries again. */
    OF_DROPPED("a compaction, for the removal of entries of versions that it drops", 3, true),
    /** These are found again by their versions. */
    OF_KEPT("a compaction, for the removal of entries of versions that it keeps", 3, false),
    /** Removed before the compaction reads, which reads for hours: no second time. */
    BEFORE_STRICT("a compaction with `hindex.repair` = `strict`, for removals before it reads", 1, true),
    /** The compaction tries again itself. */
    BEFORE_LAZY("a compaction with `hindex.repair` = `lazy`, for removals before it reads", 1, false);

    private final String who;
    /** Each takes as long as a call may; a compaction that fails has read for nothing. */
    private final int attempts;

    private final boolean fails;

    CompactionRemovals(String who, int attempts, boolean fails) {
        this.who = who;
        this.attempts = attempts;
        this.fails = fails;
    }

    /** Sends removals; more than once does no harm. */
    @FunctionalInterface
    public interface Removal {
        /** Returns when they are acknowledged. */
        void send() throws IOException;
    }

    /** Is told why something is put off. */
    @FunctionalInterface
    public interface PutOff {
        /** It is. */
        void because(IOException e);
    }

    /**
     * Has entries removed.
     *
     * <p>Without a pause: HBase's client has tried for its whole limit before it failed.
     *
     * @throws IOException if the compaction must fail; else they are put off
     */
    public void remove(Removal removal, PutOff putOff) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                removal.send();
                return;
            } catch (IOException e) {
                if (attempt == attempts && fails) {
                    throw e;
                }
                if (attempt == attempts) {
                    putOff.because(e);
                    return;
                }
            }
        }
    }

    @Override
    public String who() {
        return who;
    }

    @Override
    public String limit() {
        return attempts == 1 ? "one attempt" : attempts + " attempts";
    }

    @Override
    public String then() {
        return fails
                ? "it fails, the old files stay, and HBase compacts again"
                : "it goes on; a later compaction finds them again";
    }
}
