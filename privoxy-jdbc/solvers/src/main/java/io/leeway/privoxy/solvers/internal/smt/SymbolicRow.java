package io.leeway.privoxy.solvers.internal.smt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a database that a solver is to choose.
 *
 * @param exists formula saying whether the row is there
 * @param cells a term for each column; null where the column is not written
 */
record SymbolicRow(String exists, List<@Nullable String> cells) {

    String cell(int column) {
        String cell = cells.get(column);
        if (cell == null) {
            // A fault of ScopeFinder; to make up a term would let the formula lie.
            throw new IllegalStateException("a column is looked at that the scope left out");
        }
        return cell;
    }
}
