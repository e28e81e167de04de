package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.guard.Guard;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What all connections to one database under one configuration share. Immutable and thread-safe.
 *
 * <p>What a connection needs that is not its own; nothing in it changes.
 *
 * @param guard decides; a request has one trace for each guard
 * @param gate asks the guard
 * @param config the options
 * @param dialect of the database
 * @param bounds of a request's trace
 * @param unwrappable names of the vendor interfaces that unwrap may lead to
 * @param database the same for all whose database may be the same; null if no other target can have it
 */
record Target(
        Guard guard,
        Gate gate,
        PrivoxyConfig config,
        Dialect dialect,
        Trace.Bounds bounds,
        Set<String> unwrappable,
        @Nullable String database) {

    static Target of(Guard guard, PrivoxyConfig config, Dialect dialect) {
        return of(guard, config, dialect, null);
    }

    static Target of(Guard guard, PrivoxyConfig config, Dialect dialect, @Nullable String database) {
        var bounds = new Trace.Bounds(
                config.get(PrivoxyOptions.TRACE_ENTRIES),
                config.get(PrivoxyOptions.TRACE_ROWS),
                config.get(PrivoxyOptions.TRACE_CELLS));
        return new Target(
                guard,
                new Gate(guard, config),
                config,
                dialect,
                bounds,
                Set.copyOf(config.get(PrivoxyOptions.UNWRAP)),
                database);
    }
}
