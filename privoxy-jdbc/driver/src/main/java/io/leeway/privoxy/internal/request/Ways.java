package io.leeway.privoxy.internal.request;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The traces of one request over several ways to what may be one database: each reads for itself, but what is written over one
 * is written for all. Thread-safe. A trace is never asked while another one's lock is held.
 */
final class Ways {

    private final List<Trace> traces = new CopyOnWriteArrayList<>();

    /** A trace for one more way, to which is known what transactions have written that are still open. */
    Trace open(Trace.Bounds bounds) {
        var opened = new Trace(bounds, this);
        // First of all, so that nothing is written between.
        traces.add(opened);
        for (Trace other : traces) {
            if (other != opened) {
                opened.alsoOpen(other.openWrites());
            }
        }
        return opened;
    }

    /** Tells all but one. */
    void tellOthers(Trace first, Consumer<Trace> news) {
        for (Trace trace : traces) {
            if (trace != first) {
                news.accept(trace);
            }
        }
    }
}
