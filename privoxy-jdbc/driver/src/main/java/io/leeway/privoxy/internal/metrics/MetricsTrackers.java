package io.leeway.privoxy.internal.metrics;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.micrometer.core.instrument.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Finds the trackers. Thread-safe. */
public final class MetricsTrackers {

    /** Measures nothing. */
    public static final PrivoxyMetricsTracker NONE = new PrivoxyMetricsTracker() {};

    private static final System.Logger LOG = System.getLogger(MetricsTrackers.class.getName());

    private MetricsTrackers() {}

    /** The tracker for a configuration; found once. */
    public static PrivoxyMetricsTracker of(PrivoxyConfig config) {
        return config.get(PrivoxyOptions.METRICS) == PrivoxyOptions.Metrics.NONE ? NONE : Found.TRACKER;
    }

    private static PrivoxyMetricsTracker find() {
        var found = new ArrayList<PrivoxyMetricsTracker>();
        try {
            ServiceLoader.load(PrivoxyMetricsTracker.class).forEach(found::add);
            if (isMicrometerThere()) {
                found.add(Micrometer.tracker());
            }
        } catch (RuntimeException | LinkageError | ServiceConfigurationError broken) {
            LOG.log(System.Logger.Level.WARNING, "No metrics: a tracker cannot be loaded", broken);
        }
        return switch (found.size()) {
            case 0 -> NONE;
            case 1 -> found.get(0);
            default -> new SeveralTrackers(List.copyOf(found));
        };
    }

    private static boolean isMicrometerThere() {
        try {
            Class.forName("io.micrometer.core.instrument.Metrics", false, MetricsTrackers.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    private static final class Found {
        static final PrivoxyMetricsTracker TRACKER = find();
    }

    /** Apart, so that Micrometer's classes are looked up only where they are. */
    private static final class Micrometer {
        static PrivoxyMetricsTracker tracker() {
            return new MicrometerTracker(Metrics.globalRegistry);
        }
    }
}
