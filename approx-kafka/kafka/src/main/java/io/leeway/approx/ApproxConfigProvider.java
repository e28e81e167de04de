package io.leeway.approx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.common.config.ConfigData;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Turns sampling on for any Kafka client by its configuration alone.
 *
 * <pre>{@code
 * config.providers=approx
 * config.providers.approx.class=io.leeway.approx.ApproxConfigProvider
 * config.providers.approx.param.approx.upstream=broker1:9092,broker2:9092
 * config.providers.approx.param.approx.gateway=broker1:9096
 * config.providers.approx.param.approx.topics=trips(msr=0.5)
 * bootstrap.servers=${approx:bootstrap}
 * }</pre>
 *
 * <p>Kafka asks for the value while it makes the client: then a shim is started, one for each set of parameters in a JVM,
 * which lives as long as the JVM. When the JVM ends, open windows are completed, as long as records leave in each second.
 */
public final class ApproxConfigProvider implements ConfigProvider {

    /** The only key. */
    public static final String BOOTSTRAP = "bootstrap";

    private static final Logger LOG = Logger.getLogger(ApproxConfigProvider.class.getName());
    private static final long DRAIN_MILLIS = 1_000;
    private static final Map<Map<String, String>, ApproxShim> SHIMS = new HashMap<>();

    private Map<String, String> parameters = Map.of();

    /** Used by Kafka. */
    public ApproxConfigProvider() {}

    @Override
    public void configure(Map<String, ?> configs) {
        Map<String, String> given = new TreeMap<>();
        configs.forEach((key, value) -> {
            // Short names are enough where everything is about one product.
            String whole = key.startsWith(ApproxOptions.PREFIX) ? key : ApproxOptions.PREFIX + key;
            given.put(whole, String.valueOf(value));
        });
        parameters = given;
    }

    @Override
    public ConfigData get(String path) {
        return get(path, Set.of(BOOTSTRAP));
    }

    @Override
    public ConfigData get(String path, Set<String> keys) {
        Map<String, String> data = new HashMap<>();
        if (keys.contains(BOOTSTRAP)) {
            data.put(BOOTSTRAP, shim(parameters).bootstrap());
        }
        return new ConfigData(data);
    }

    /** All shims of this JVM that properties started. */
    static synchronized List<ApproxShim> shims() {
        return List.copyOf(SHIMS.values());
    }

    /** The shim of these parameters in this JVM. */
    static synchronized ApproxShim shim(Map<String, String> parameters) {
        return SHIMS.computeIfAbsent(Map.copyOf(parameters), given -> {
            ApproxOptions options = ApproxOptions.of(given);
            ApproxShim shim = new ApproxShim(options);
            serveStatus(options, shim, null);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(options, shim), "approx-end"));
            return shim;
        });
    }

    /** Status is for people: an application or a broker must not fail because its port is taken. */
    static @Nullable ApproxStatus serveStatus(
            ApproxOptions options, @Nullable ApproxShim shim, @Nullable ApproxGateway gateway) {
        if (!options.has(ApproxOption.STATUS)) {
            return null;
        }
        try {
            return new ApproxStatus(options.address(ApproxOption.STATUS), shim, gateway);
        } catch (ApproxException e) {
            LOG.log(Level.WARNING, e.getMessage(), e);
            return null;
        }
    }

    /** Until all windows are complete, but not longer than records leave: a gateway that is away must not hold up the end. */
    private static void drain(ApproxShim shim, long most) throws InterruptedException {
        long until = System.nanoTime() + most * 1_000_000;
        long before = Long.MAX_VALUE;
        long held = shim.held();
        while (!shim.drain(DRAIN_MILLIS) && held < before && System.nanoTime() < until) {
            before = held;
            held = shim.held();
        }
    }

    private static void end(ApproxOptions options, ApproxShim shim) {
        try {
            drain(shim, options.duration(ApproxOption.DEADLINE).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        shim.close();
    }

    @Override
    public void close() {
        // The shim serves clients that are still open.
    }
}
