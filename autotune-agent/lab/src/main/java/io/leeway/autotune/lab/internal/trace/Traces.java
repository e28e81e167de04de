package io.leeway.autotune.lab.internal.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Traces as they were read.
 *
 * @param traces one for each request
 * @param faults what could not be read, for people
 */
public record Traces(List<Trace> traces, List<String> faults) {

    /** Copies. */
    public Traces {
        traces = List.copyOf(traces);
        faults = List.copyOf(faults);
    }

    /** Spans of any requests, by request in the order in which they come. */
    public static Traces of(List<Span> spans, List<String> faults) {
        Map<String, List<Span>> byTrace = new LinkedHashMap<>();
        spans.forEach(span ->
                byTrace.computeIfAbsent(span.trace(), id -> new ArrayList<>()).add(span));
        var traces = new ArrayList<Trace>();
        byTrace.values().forEach(list -> Trace.of(list).ifPresent(traces::add));
        return new Traces(traces, faults);
    }
}
