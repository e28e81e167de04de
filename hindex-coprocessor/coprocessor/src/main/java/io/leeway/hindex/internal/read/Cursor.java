package io.leeway.hindex.internal.read;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the hits of one part of an index; the next page is fetched while one is gone through. Not thread-safe,
 * but for the page that is being fetched, which another thread does alone.
 */
final class Cursor implements AutoCloseable {

    private final PageSource source;
    private final Duration timeout;
    private final long limit;
    /** The page that is on its way; never more than one. */
    private @Nullable Future<Page> next;

    private List<Hit> hits = List.of();
    private int at;
    private long fetched;
    /** Whether there may be pages behind those that were fetched. */
    private boolean more = true;

    /** Nothing is fetched ahead once there are as many hits as anybody wants. */
    Cursor(PageSource source, Duration timeout, long limit) {
        this.source = source;
        this.timeout = timeout;
        this.limit = limit;
    }

    /** Begins to fetch, if it does not already. */
    void fetch() {
        if (next == null && more) {
            next = ReadThreads.submit(source::next);
        }
    }

    /**
     * The hit that it stands before, or null behind the last.
     *
     * <p>A page may be empty though more follow, where nothing bore out its entries, so this goes on until there is a
     * hit.
     */
    @Nullable
    Hit peek() throws IOException {
        while (at == hits.size() && more) {
            fetch();
            // Null only after the end or a close.
            Page page = next == null ? new Page(List.of(), false) : ReadThreads.get(next, timeout);
            next = null;
            at = 0;
            hits = page.hits();
            more = page.more();
            fetched += hits.size();
            if (fetched < limit) {
                fetch();
            }
        }
        return at < hits.size() ? hits.get(at) : null;
    }

    void advance() {
        at++;
    }

    /** What is on its way is interrupted; its server ends by itself, as each page is bounded. */
    @Override
    public void close() {
        if (next != null) {
            next.cancel(true);
        }
        more = false;
        hits = List.of();
        at = 0;
    }
}
