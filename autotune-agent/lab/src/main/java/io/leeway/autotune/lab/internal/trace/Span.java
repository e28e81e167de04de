package io.leeway.autotune.lab.internal.trace;

import org.jspecify.annotations.Nullable;

/**
 * A piece of work of a service on a request, as a tracer reported it.
 *
 * @param trace the request's id
 * @param id unique in the trace
 * @param parent the id of the span that caused it; null for the root
 * @param service whose work it is
 * @param operation what was done
 * @param startMicros since any time that is the same for the host
 * @param endMicros not before the start
 * @param isAsync whether the parent does not wait for it
 */
public record Span(
        String trace,
        String id,
        @Nullable String parent,
        String service,
        String operation,
        long startMicros,
        long endMicros,
        boolean isAsync) {

    /** From start to end. */
    public long micros() {
        return endMicros - startMicros;
    }
}
