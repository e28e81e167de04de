package io.leeway.hindex;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.read.Hit;
import io.leeway.hindex.internal.read.HitStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an answer, one after the other; few are in memory at a time, however many there are. To be closed. Not
 * thread-safe.
 *
 * @since 0.1
 */
public final class IndexedRows implements Iterable<IndexedRow>, AutoCloseable {

    private final IndexPlan index;
    private final HitStream hits;

    IndexedRows(IndexPlan index, HitStream hits) {
        this.index = index;
        this.hits = hits;
    }

    /** The next row, or null behind the last. */
    public @Nullable IndexedRow next() throws IOException {
        Hit hit = hits.next();
        return hit == null ? null : new IndexedRow(index, hit);
    }

    /** The rows that are left; the iterator throws {@link UncheckedIOException}. */
    @Override
    public Iterator<IndexedRow> iterator() {
        return new Iterator<>() {

            private @Nullable IndexedRow ahead;

            @Override
            public boolean hasNext() {
                if (ahead == null) {
                    try {
                        ahead = IndexedRows.this.next();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                return ahead != null;
            }

            @Override
            public IndexedRow next() {
                if (!hasNext() || ahead == null) {
                    throw new NoSuchElementException("behind the last row");
                }
                IndexedRow row = ahead;
                ahead = null;
                return row;
            }
        };
    }

    /** Ends the query. */
    @Override
    public void close() {
        hits.close();
    }
}
