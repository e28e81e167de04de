package io.leeway.hindex.internal.collect;

/**
 * What a run over a store's files may drop.
 *
 * @param maxVersions how many versions of a cell the family keeps
 * @param minVersions how many it keeps though they are expired
 * @param expiredBefore cells with lower timestamps are expired; {@link Long#MIN_VALUE} if none ever is
 * @param keepDeleted whether the family keeps masked versions and tombstones: then none is dropped here but by its age
 * @param complete whether the run reads all files of the store, a major compaction: only then tombstones may go
 * @param purgeBefore tombstones with lower timestamps may go in a complete run
 * @param readPoint the lowest sequence id that an open scanner reads at: what went out of sight later stays
 * @param repairedUpTo the sequence id up to which an earlier complete run has removed all obsolete entries
 * @param repair what is done about entries that are obsolete
 */
public record Retention(
        int maxVersions,
        int minVersions,
        long expiredBefore,
        boolean keepDeleted,
        boolean complete,
        long purgeBefore,
        long readPoint,
        long repairedUpTo,
        Repair repair) {

    /**
     * For a family without expiry that keeps one version and no deleted cells: a complete, strict run over quiet data.
     */
    public static Retention strictMajor(int maxVersions) {
        return new Retention(
                maxVersions, 0, Long.MIN_VALUE, false, true, Long.MAX_VALUE, Long.MAX_VALUE, -1, Repair.STRICT);
    }

    /** What is done about entries that are obsolete. */
    public enum Repair {
        /** Nothing: versions stay until another run has repaired their entries. */
        NONE,
        /** Entries are removed; their versions stay until the next complete run. */
        LAZY,
        /**
         * Entries are removed and their versions dropped: the run must not end before all removals are acknowledged.
         */
        STRICT
    }
}
