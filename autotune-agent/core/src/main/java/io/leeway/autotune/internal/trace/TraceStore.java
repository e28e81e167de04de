package io.leeway.autotune.internal.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last traces, bounded in number and in spans; the oldest go first. Thread-safe. */
public final class TraceStore {

    private static final int MOST_SPANS = 500;

    private final int most;
    private final Map<String, List<Span>> traces = new LinkedHashMap<>();

    /** For so many traces. */
    public TraceStore(int most) {
        this.most = most;
    }

    /** Spans of any traces, in any order. */
    public synchronized void add(List<Span> spans) {
        for (Span span : spans) {
            List<Span> trace = traces.computeIfAbsent(span.trace(), id -> new ArrayList<>());
            if (trace.size() < MOST_SPANS) {
                trace.add(span);
            }
            if (traces.size() > most) {
                traces.remove(traces.keySet().iterator().next());
            }
        }
    }

    /** All of them. */
    public synchronized List<List<Span>> all() {
        return traces.values().stream().map(List::copyOf).toList();
    }
}
