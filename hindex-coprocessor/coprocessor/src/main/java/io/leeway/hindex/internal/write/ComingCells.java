package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import java.io.IOException;
import java.util.List;

/**
 * Cells that come into a region without being written: those of files that are being loaded.
 *
 * <p>The write path asks it, the bulk loads of the region answer. Most regions have no load on its way, so that the
 * answer is nearly always empty and has to cost nothing.
 */
public interface ComingCells {

    /**
     * What files that are on their way say about the columns of an index in a row: the first file with cells of it, the
     * first two, and so on; empty if no file has any. Who has asked under the row's lock knows of every load that asks
     * for the lock later.
     */
    List<List<Fact>> of(IndexPlan index, byte[] row) throws IOException;

    /**
     * How many loads have ended.
     *
     * <p>Only to be compared with an earlier answer: a difference says that files may have come in between.
     */
    long ended();
}
