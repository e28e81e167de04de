package io.leeway.autotune.internal.measure;

import io.leeway.autotune.internal.trace.Span;
import io.leeway.autotune.internal.trace.TraceHeader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests that brought a trace's header with them, until a controller fetches them. Bounded: while nobody fetches, new
 * ones are dropped without being looked at. Thread-safe, without waiting.
 */
public final class Spans {

    private static final int MOST = 2_000;

    private record Raw(String header, long endMicros, long nanos, boolean failed) {}

    private final ArrayBlockingQueue<Raw> queue = new ArrayBlockingQueue<>(MOST);
    private final AtomicLong number = new AtomicLong();
    private final String service;

    /** Of this service. */
    public Spans(String service) {
        this.service = service;
    }

    /** A request is over that brought this header. */
    public void add(String header, long nanos, boolean failed) {
        if (queue.remainingCapacity() > 0) {
            // Calls find their place in a trace by time, so that milliseconds are too coarse. Dropped by a full queue
            // is
            // as good as not seen.
            Instant now = Instant.now();
            long micros = TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1_000;
            boolean unused = queue.offer(new Raw(header, micros, nanos, failed));
        }
    }

    /** Those since the last time; headers that say nothing are left out. */
    public List<Span> take() {
        var raws = new ArrayList<Raw>();
        queue.drainTo(raws);
        var spans = new ArrayList<Span>();
        for (Raw raw : raws) {
            TraceHeader.parse(raw.header()).ifPresent(header -> spans.add(span(header, raw)));
        }
        return spans;
    }

    private Span span(TraceHeader header, Raw raw) {
        long micros = raw.nanos() / 1_000;
        String id = ProcessHandle.current().pid() + "-" + number.incrementAndGet();
        long start = Math.max(0, raw.endMicros() - micros);
        return new Span(header.trace(), id, header.parent(), service, "request", start, micros, raw.failed());
    }
}
