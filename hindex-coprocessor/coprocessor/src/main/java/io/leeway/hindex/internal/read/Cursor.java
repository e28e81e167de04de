package io.leeway.hindex.internal.read;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Goes through the hits of one part of an index; the next page is fetched while one is gone through. Not thread-safe. */
final class Cursor implements AutoCloseable {

    private final PageSource source;
    private final Duration timeout;
    private final long limit;
    private @Nullable Future<Page> next;
    private List<Hit> hits = List.of();
    private int at;
    private long fetched;
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

    /** The hit that it stands before, or null behind the last. */
    @Nullable
    Hit peek() throws IOException {
        while (at == hits.size() && more) {
            fetch();
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
