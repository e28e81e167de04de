package io.leeway.hindex.internal.upkeep;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.IOException;
import java.util.List;

/** What the base table says about a row, as entries. Whoever needs it to stay so holds the row's lock. */
public interface RowEntries {

    /** The entries that the index must have: those of what readers see. */
    List<NewEntry> fresh(byte[] row, IndexPlan index) throws IOException;

    /** Whether readers see a value that no entry can speak of. */
    boolean isMalformed(byte[] row, IndexPlan index) throws IOException;

    /** The entries of all that readers may see when writes are lost that were acknowledged, and of more. */
    List<NewEntry> afterALoss(byte[] row, IndexPlan index) throws IOException;

    /** Whether the row stores what the entry speaks of. */
    Stored stored(byte[] row, Entry entry) throws IOException;

    /** How something is stored. */
    enum Stored {
        /** No delete hides it, though something later may supersede it. */
        VISIBLE,
        /** A delete hides it. */
        HIDDEN,
        /** It is not stored. */
        NOT
    }
}
