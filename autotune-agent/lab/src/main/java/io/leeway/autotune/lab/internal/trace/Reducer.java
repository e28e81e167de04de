package io.leeway.autotune.lab.internal.trace;

import io.leeway.autotune.lab.Reduction;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which services are worth tuning (Gagan Somashekhar, "Performance Management of Large-Scale Microservices
 * Applications", 2023, section 3.4.2, dimensionality reduction).
 */
public final class Reducer {

    private static final double PATH_SHARE = 0.5;
    private static final double VARIATION = 0.5;
    private static final int MOST_VARYING = 5;

    private Reducer() {}

    /** The services that a reduction keeps; never none: where it would keep none, the one with the most own time. */
    public static Set<String> services(
            Reduction reduction, Map<String, ServiceStatistics> statistics, Predicate<ServiceStatistics> isBottleneck) {
        Collection<ServiceStatistics> all = statistics.values();
        Set<String> kept = switch (reduction) {
            case CRITICAL_PATH -> names(all, Reducer::isOnPath);
            case BOTTLENECK -> names(all, isBottleneck);
            case VARIANCE -> names(all, service -> service.variation() > VARIATION);
            case CRITICAL_PATH_VARIANCE ->
                all.stream()
                        .filter(Reducer::isOnPath)
                        .sorted(Comparator.comparingDouble(ServiceStatistics::variance)
                                .reversed())
                        .limit(MOST_VARYING)
                        .map(ServiceStatistics::service)
                        .collect(Collectors.toCollection(TreeSet::new));
        };
        if (kept.isEmpty()) {
            all.stream()
                    .max(Comparator.comparingDouble(ServiceStatistics::meanMicros))
                    .ifPresent(service -> kept.add(service.service()));
        }
        return kept;
    }

    private static boolean isOnPath(ServiceStatistics service) {
        return service.pathShare() >= PATH_SHARE;
    }

    private static Set<String> names(Collection<ServiceStatistics> services, Predicate<ServiceStatistics> wanted) {
        return services.stream()
                .filter(wanted)
                .map(ServiceStatistics::service)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
