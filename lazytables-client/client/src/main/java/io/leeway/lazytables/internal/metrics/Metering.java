package io.leeway.lazytables.internal.metrics;

import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.server.ServerStatus;
import io.micrometer.core.instrument.Metrics;
import java.util.function.Supplier;

/**
 * Shows instances and servers to Micrometer, if it is there. Suppliers are asked when somebody looks, in that one's
 * thread, and never while workers read and write. Thread-safe.
 */
public interface Metering {

    /** Shows nothing. */
    Metering NONE = new Metering() {
        @Override
        public Watch instance(Supplier<Statistics> statistics, int workers) {
            return () -> {};
        }

        @Override
        public Watch server(Supplier<ServerStatus> status) {
            return () -> {};
        }
    };

    /** Shows an instance with so many workers until the watch is closed. */
    Watch instance(Supplier<Statistics> statistics, int workers);

    /** Shows a server until the watch is closed. */
    Watch server(Supplier<ServerStatus> status);

    /** The one for a configuration. */
    static Metering of(LazyTablesConfig config) {
        return config.get(LazyTablesOptions.METRICS) == LazyTablesOptions.Metrics.NONE ? NONE : found();
    }

    /** The one for what has no configuration. */
    static Metering found() {
        return Found.METERING;
    }

    /** Ends the showing of something; what it counted stays in the sums. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {

        @Override
        void close();
    }

    /** Found once, and late: a class of its own is initialized when it is first used. */
    final class Found {

        static final Metering METERING = find();

        private Found() {}

        private static Metering find() {
            try {
                // By the loader of this class, which is the one that would have to find it when it is used.
                Class.forName("io.micrometer.core.instrument.Metrics", false, Metering.class.getClassLoader());
                return Micrometer.metering();
            } catch (ClassNotFoundException | LinkageError absent) {
                return NONE;
            }
        }
    }

    /** Apart, so that Micrometer's classes are looked up only where they are. */
    final class Micrometer {

        private Micrometer() {}

        static Metering metering() {
            return new MicrometerMetering(Metrics.globalRegistry);
        }
    }
}
