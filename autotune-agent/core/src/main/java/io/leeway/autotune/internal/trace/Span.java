package io.leeway.autotune.internal.trace;

/**
 * One service's part of a trace.
 *
 * @param trace the trace's id, lower case
 * @param id its own id, lower case
 * @param parent the id of who asked; empty if it is the first or unknown
 * @param service who did it
 * @param name what was asked for
 * @param start microseconds since 1970, by the clock of the service's machine
 * @param duration microseconds
 * @param failed whether it failed
 */
public record Span(
        String trace,
        String id,
        String parent,
        String service,
        String name,
        long start,
        long duration,
        boolean failed) {

    /** Refuses what no clock says. */
    public Span {
        if (duration < 0 || start < 0) {
            throw new IllegalArgumentException("a span that ends before it begins: " + id);
        }
    }

    /** Microseconds since 1970. */
    public long end() {
        return start + duration;
    }
}
