package io.leeway.autotune.internal.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which services the end-to-end latency is made of (Algorithm 1 of the chapter, in a form that can be run): from the end
 * of the first span backwards, always into the call that ended last, so that calls which ran beside a longer one count
 * nothing. Times are each service's own, without what it waited for others on the path.
 *
 * <p>Clocks of machines differ and spans get lost: a child is cut to its parent, one whose parent is missing belongs to
 * the shortest span of the trace that it lies within.
 */
public final class CriticalPath {

    /** A service has to have spent this much of its own on a path, in microseconds. */
    private static final long LEAST_MICROS = 1_000;

    /** And to be on this share of the paths of some kind of request. */
    private static final double OFTEN = 0.5;

    private static final int DEEPEST = 200;

    /**
     * What a service contributes.
     *
     * @param service its name
     * @param share of the summed time of all paths
     * @param millis of its own on a path, in the mean over all traces
     * @param variation coefficient of variation of that time over the paths that it is on
     * @param onPath on so many of the paths, as a share
     * @param candidate whether it is often and long enough on the path to be worth tuning
     */
    public record Part(
            String service, double share, double millis, double variation, double onPath, boolean candidate) {}

    private CriticalPath() {}

    /** Each service's own microseconds on the path of one trace; empty without spans. */
    public static Map<String, Long> of(List<Span> trace) {
        var own = new LinkedHashMap<String, Long>();
        if (!trace.isEmpty()) {
            Span root = root(trace);
            walk(root, root.start(), root.end(), children(trace, root), own, 0);
        }
        return own;
    }

    /** The first span that nobody of the trace has asked for; with several, the one that began first and took longest. */
    private static Span root(List<Span> trace) {
        Set<String> ids = trace.stream().map(Span::id).collect(Collectors.toSet());
        return trace.stream()
                .min(Comparator.comparing((Span span) -> ids.contains(span.parent()))
                        .thenComparingLong(Span::start)
                        .thenComparingLong(span -> -span.duration()))
                .orElseThrow();
    }

    private static Map<Span, List<Span>> children(List<Span> trace, Span root) {
        var byId = new HashMap<String, Span>();
        // Zipkin's two sides of a call may have one id: the longer side, the caller's, is the parent of the other.
        trace.stream().sorted(Comparator.comparingLong(Span::duration)).forEach(span -> byId.put(span.id(), span));
        var children = new HashMap<Span, List<Span>>();
        for (Span span : trace) {
            if (span.equals(root)) {
                continue;
            }
            Span sameId = byId.get(span.id());
            Span parent = sameId != null && !sameId.equals(span) ? sameId : byId.get(span.parent());
            Span owner = parent == null || parent.equals(span) ? around(span, trace, root) : parent;
            children.computeIfAbsent(owner, key -> new ArrayList<>()).add(span);
        }
        return children;
    }

    private static Span around(Span span, List<Span> trace, Span root) {
        return trace.stream()
                .filter(other -> !other.equals(span))
                .filter(other -> other.start() <= span.start() && other.end() >= span.end())
                .filter(other -> other.duration() > span.duration() || other.start() < span.start())
                .min(Comparator.comparingLong(Span::duration))
                .orElse(root);
    }

    private static void walk(
            Span span, long from, long until, Map<Span, List<Span>> children, Map<String, Long> own, int depth) {
        long at = until;
        List<Span> asked = new ArrayList<>(children.getOrDefault(span, List.of()));
        asked.sort(Comparator.comparingLong(Span::end).reversed());
        for (Span child : depth < DEEPEST ? asked : List.<Span>of()) {
            long begin = Math.max(from, child.start());
            long end = Math.min(at, child.end());
            // One that began later than what is looked at ran beside a call that was taken already.
            if (begin < at && end > begin) {
                own.merge(span.service(), at - end, Long::sum);
                walk(child, begin, end, children, own, depth + 1);
                at = begin;
            }
        }
        own.merge(span.service(), at - from, Long::sum);
    }

    /** Over many traces, the largest share first. */
    public static List<Part> over(List<List<Span>> traces) {
        var times = new LinkedHashMap<String, List<Long>>();
        var kinds = new HashMap<String, List<Map<String, Long>>>();
        long total = 0;
        int paths = 0;
        for (List<Span> trace : traces) {
            Map<String, Long> own = of(trace);
            if (own.isEmpty()) {
                continue;
            }
            paths++;
            Span root = root(trace);
            kinds.computeIfAbsent(root.service() + " " + root.name(), key -> new ArrayList<>())
                    .add(own);
            for (Map.Entry<String, Long> entry : own.entrySet()) {
                total += entry.getValue();
                times.computeIfAbsent(entry.getKey(), key -> new ArrayList<>()).add(entry.getValue());
            }
        }
        Set<String> candidates = candidates(kinds);
        var parts = new ArrayList<Part>();
        for (Map.Entry<String, List<Long>> entry : times.entrySet()) {
            double sum = entry.getValue().stream().mapToLong(Long::longValue).sum();
            parts.add(new Part(
                    entry.getKey(),
                    total == 0 ? 0 : sum / total,
                    sum / paths / 1e3,
                    variation(entry.getValue()),
                    (double) entry.getValue().size() / paths,
                    candidates.contains(entry.getKey())));
        }
        parts.sort(Comparator.comparingDouble(Part::share).reversed());
        return parts;
    }

    private static Set<String> candidates(Map<String, List<Map<String, Long>>> kinds) {
        var candidates = new HashSet<String>();
        for (List<Map<String, Long>> paths : kinds.values()) {
            var often = new HashMap<String, Integer>();
            paths.forEach(own -> own.forEach((service, micros) -> {
                if (micros >= LEAST_MICROS) {
                    often.merge(service, 1, Integer::sum);
                }
            }));
            often.forEach((service, times) -> {
                if (times >= OFTEN * paths.size()) {
                    candidates.add(service);
                }
            });
        }
        return candidates;
    }

    private static double variation(List<Long> times) {
        double mean = times.stream().mapToLong(Long::longValue).average().orElse(0);
        double squares = times.stream()
                .mapToDouble(time -> (time - mean) * (time - mean))
                .sum();
        return mean == 0 ? 0 : Math.sqrt(squares / times.size()) / mean;
    }
}
