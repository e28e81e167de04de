package io.leeway.hindex.internal.upkeep;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.IOException;
import java.util.List;

/**
 * What the base table says about a row, as entries. Whoever needs it to stay so holds the row's lock.
 *
 * <p>Builds, checks and sweeps ask it; it reads the region directly.
 */
public interface RowEntries {

    /**
     * The entries that the index must have: those of what readers see.
     *
     * <p>With the times to live of the cells, so that entries written by it live no longer.
     */
    List<NewEntry> fresh(byte[] row, IndexPlan index) throws IOException;

    /** Whether readers see a value that no entry can speak of. */
    boolean isMalformed(byte[] row, IndexPlan index) throws IOException;

    /**
     * The entries of all that readers may see when writes are lost that were acknowledged, and of more.
     *
     * <p>More does no harm: an entry whose version stays hidden is found by a compaction.
     */
    List<NewEntry> afterALoss(byte[] row, IndexPlan index) throws IOException;

    /**
     * The entries of what readers see now, or will see without another write when newer cells have expired; of one
     * column.
     */
    List<NewEntry> comingBack(byte[] row, IndexPlan index) throws IOException;

    /** Whether the row stores what the entry speaks of. */
    Stored stored(byte[] row, Entry entry) throws IOException;

    /** How something is stored. */
    enum Stored {
        /**
         * Nothing lasting stands before it: what readers see of it, they see, or will see when newer cells have
         * expired.
         */
        COMING_BACK,
        /** No delete hides it, but something later that lasts supersedes it. */
        VISIBLE,
        /** A delete hides it. */
        HIDDEN,
        /** It is not stored. */
        NOT
    }
}
