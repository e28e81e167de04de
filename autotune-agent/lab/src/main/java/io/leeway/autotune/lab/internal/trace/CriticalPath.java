package io.leeway.autotune.lab.internal.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The critical path of a request: walking back from its end, time belongs to the call that ended last before, and to
 * the caller where it worked itself. The segments fill the request without gap and overlap. A call that ends after its
 * caller is cut at the caller's end, one that only begins then is left out: nobody waited for it. The printed algorithm
 * of the paper cannot be run; this is what it means (Gagan Somashekhar, "Performance Management of Large-Scale
 * Microservices Applications", 2023, section 3.4.2, dimensionality reduction).
 */
public final class CriticalPath {

    /**
     * A part of the path.
     *
     * @param node whose own work it is
     * @param start microseconds after the request's start
     * @param end after the start
     */
    public record Segment(Trace.Node node, long start, long end) {

        /** How long it is. */
        public long micros() {
            return end - start;
        }
    }

    private CriticalPath() {}

    /** The path, from the request's start to its end. */
    public static List<Segment> of(Trace trace) {
        var segments = new ArrayList<Segment>();
        walk(trace.root(), trace.root().end(), segments);
        segments.sort(Comparator.comparingLong(Segment::start));
        return segments;
    }

    /** Adds what is below a node until a time. */
    private static void walk(Trace.Node node, long until, List<Segment> into) {
        record Open(Trace.Node node, long from, long until) {}
        var open = new ArrayList<Open>();
        open.add(new Open(node, node.start(), until));
        // Without recursion: cut traces may be chains of thousands of spans.
        while (!open.isEmpty()) {
            Open next = open.remove(open.size() - 1);
            long t = Math.min(next.until(), next.node().end());
            List<Trace.Node> latestFirst = next.node().children().stream()
                    .sorted(Comparator.comparingLong(Trace.Node::end).reversed())
                    .toList();
            for (Trace.Node child : latestFirst) {
                long start = Math.max(child.start(), next.from());
                long end = Math.min(child.end(), t);
                boolean isWaitedFor =
                        !child.span().isAsync() || child.end() <= next.node().end();
                if (start < t && end > start && isWaitedFor) {
                    addSelf(into, next.node(), end, t);
                    open.add(new Open(child, start, end));
                    t = start;
                }
            }
            addSelf(into, next.node(), next.from(), t);
        }
    }

    private static void addSelf(List<Segment> into, Trace.Node node, long begin, long until) {
        if (until > begin) {
            into.add(new Segment(node, begin, until));
        }
    }

    /** How long each service is on the path, in microseconds. */
    public static Map<String, Long> byService(Trace trace) {
        var times = new TreeMap<String, Long>();
        of(trace).forEach(segment -> times.merge(segment.node().service(), segment.micros(), Long::sum));
        return times;
    }
}
