package io.leeway.autotune.lab.internal.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What traces say of one service.
 *
 * @param service its name
 * @param requests in which it took part
 * @param meanMicros of its own time in a request
 * @param variation of its own time: standard deviation by mean
 * @param variance of its own time, in squared milliseconds
 * @param congestion 99th percentile of its own time by the median (FIRM's congestion intensity)
 * @param relevance correlation of its own time with the request's (FIRM's relative importance)
 * @param pathShare of request types' requests with the service on the critical path for at least a millisecond, of the
 *     type where this is highest
 */
public record ServiceStatistics(
        String service,
        int requests,
        double meanMicros,
        double variation,
        double variance,
        double congestion,
        double relevance,
        double pathShare) {

    /**
     * As short a part of the path is not worth tuning (Gagan Somashekhar, "Performance Management of Large-Scale
     * Microservices Applications", 2023, section 3.4.2, dimensionality reduction).
     */
    private static final long LEAST_MICROS = 1_000;

    /** Of every service. */
    public static Map<String, ServiceStatistics> of(List<Trace> traces) {
        var own = new TreeMap<String, List<double[]>>();
        var onPath = new TreeMap<String, Map<String, Integer>>();
        var types = new TreeMap<String, Integer>();
        for (Trace trace : traces) {
            var self = new TreeMap<String, Long>();
            trace.nodes().forEach(node -> self.merge(node.service(), node.selfMicros(), Long::sum));
            self.forEach((service, micros) ->
                    own.computeIfAbsent(service, name -> new ArrayList<>()).add(new double[] {micros, trace.micros()}));
            types.merge(trace.type(), 1, Integer::sum);
            CriticalPath.byService(trace).forEach((service, micros) -> {
                if (micros >= LEAST_MICROS) {
                    onPath.computeIfAbsent(service, name -> new TreeMap<>()).merge(trace.type(), 1, Integer::sum);
                }
            });
        }
        var statistics = new TreeMap<String, ServiceStatistics>();
        own.forEach((service, times) -> {
            double share = onPath.getOrDefault(service, Map.of()).entrySet().stream()
                    .mapToDouble(entry -> (double) entry.getValue() / types.getOrDefault(entry.getKey(), 1))
                    .max()
                    .orElse(0);
            statistics.put(service, of(service, times, share));
        });
        return statistics;
    }

    private static ServiceStatistics of(String service, List<double[]> times, double share) {
        double[] self = times.stream().mapToDouble(time -> time[0]).toArray();
        double[] all = times.stream().mapToDouble(time -> time[1]).toArray();
        double mean = Arrays.stream(self).average().orElse(0);
        double variance = covariance(self, self);
        double[] sorted = self.clone();
        Arrays.sort(sorted);
        double median = Math.max(1, sorted[sorted.length / 2]);
        double tail = sorted[(int) Math.min(sorted.length - 1.0, Math.ceil(0.99 * sorted.length) - 1)];
        double scale = Math.sqrt(variance * covariance(all, all));
        return new ServiceStatistics(
                service,
                self.length,
                mean,
                mean > 0 ? Math.sqrt(variance) / mean : 0,
                variance / 1e6,
                tail / median,
                scale > 0 ? covariance(self, all) / scale : 0,
                share);
    }

    private static double covariance(double[] a, double[] b) {
        double meanA = Arrays.stream(a).average().orElse(0);
        double meanB = Arrays.stream(b).average().orElse(0);
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - meanA) * (b[i] - meanB);
        }
        return sum / Math.max(1, a.length);
    }
}
