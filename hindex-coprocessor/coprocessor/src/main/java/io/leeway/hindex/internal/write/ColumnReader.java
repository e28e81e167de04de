package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import java.io.IOException;
import java.util.List;

/**
 * Reads the base table inside a write.
 *
 * <p>Called under the row's lock, so that what it says holds until the write is done. It reads the region directly,
 * without a call.
 */
public interface ColumnReader {

    /** The newest versions of each column of the index that readers see. */
    List<Fact> readVisible(byte[] row, IndexPlan index, int versions) throws IOException;

    /** Everything that is stored about the columns of the index in a row, also what is deleted or superseded. */
    List<Fact> readAll(byte[] row, IndexPlan index) throws IOException;
}
