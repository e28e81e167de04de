package io.leeway.autotune.internal.controller;

import io.leeway.autotune.lab.internal.trace.CriticalPath;
import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which services the end-to-end latency is made of: what each contributes to the critical paths of many requests. */
final class PathShares {

    /** A service has to have spent this much of its own on a path, in microseconds. */
    private static final long LEAST_MICROS = 1_000;

    /** And to be on this share of the paths of some kind of request. */
    private static final double OFTEN = 0.5;

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
    record Part(String service, double share, double millis, double variation, double onPath, boolean candidate) {}

    private PathShares() {}

    /** The largest share first. */
    static List<Part> of(List<Trace> traces) {
        var times = new LinkedHashMap<String, List<Long>>();
        var kinds = new HashMap<String, List<Map<String, Long>>>();
        long total = 0;
        for (Trace trace : traces) {
            Map<String, Long> own = own(trace);
            kinds.computeIfAbsent(trace.type(), type -> new ArrayList<>()).add(own);
            for (Map.Entry<String, Long> entry : own.entrySet()) {
                total += entry.getValue();
                times.computeIfAbsent(entry.getKey(), service -> new ArrayList<>())
                        .add(entry.getValue());
            }
        }
        Set<String> candidates = candidates(kinds);
        var parts = new ArrayList<Part>();
        for (Map.Entry<String, List<Long>> entry : times.entrySet()) {
            double sum = entry.getValue().stream().mapToLong(Long::longValue).sum();
            parts.add(new Part(
                    entry.getKey(),
                    total == 0 ? 0 : sum / total,
                    sum / traces.size() / 1e3,
                    variation(entry.getValue()),
                    (double) entry.getValue().size() / traces.size(),
                    candidates.contains(entry.getKey())));
        }
        parts.sort(Comparator.comparingDouble(Part::share).reversed());
        return parts;
    }

    /** Each service's own microseconds on the path. */
    private static Map<String, Long> own(Trace trace) {
        var own = new LinkedHashMap<String, Long>();
        CriticalPath.of(trace).forEach(segment -> own.merge(segment.node().service(), segment.micros(), Long::sum));
        return own;
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
