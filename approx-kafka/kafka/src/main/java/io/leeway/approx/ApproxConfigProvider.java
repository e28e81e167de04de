package io.leeway.approx;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigData;
import org.apache.kafka.common.config.provider.ConfigProvider;

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
 * which lives as long as the JVM. When the JVM ends, open windows have a second to be completed.
 */
public final class ApproxConfigProvider implements ConfigProvider {

    /** The only key. */
    public static final String BOOTSTRAP = "bootstrap";

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

    /** The shim of these parameters in this JVM. */
    static synchronized ApproxShim shim(Map<String, String> parameters) {
        return SHIMS.computeIfAbsent(Map.copyOf(parameters), given -> {
            ApproxShim shim = new ApproxShim(ApproxOptions.of(given));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(shim), "approx-end"));
            return shim;
        });
    }

    private static void end(ApproxShim shim) {
        try {
            shim.drain(DRAIN_MILLIS);
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
