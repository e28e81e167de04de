package io.leeway.hindex;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of an answer, and where to go on.
 *
 * @param rows which; the last page may have none
 * @param next for the same query, to get the next page; null if this is the last one
 * @since 0.1
 */
public record IndexPage(List<IndexedRow> rows, @Nullable String next) {

    /** Takes a copy. */
    public IndexPage {
        rows = List.copyOf(rows);
    }
}
