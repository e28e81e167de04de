package io.leeway.hindex.internal.upkeep;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.write.NewEntry;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What the base table says about a row, as entries. Whoever needs it to stay so holds the row's lock. */
public interface RowEntries {

    /** The entries that the index must have: those of what readers see. */
    List<NewEntry> fresh(byte[] row, IndexPlan index) throws IOException;

    /** The entries of all that readers may see when writes are lost that were acknowledged, and of more. */
    List<NewEntry> afterALoss(byte[] row, IndexPlan index) throws IOException;

    /** The entries of all that is stored, also of what is superseded or hidden. */
    Stored stored(byte[] row, IndexPlan index) throws IOException;

    /**
     * Entries of what is stored.
     *
     * @param visible those that no delete hides
     */
    record Stored(Collection<Entry> all, Set<Entry> visible) {}
}
