package io.leeway.lazytables.internal.remote;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.config.Scheme;
import io.leeway.lazytables.spi.ServerRegistry;
import io.leeway.lazytables.spi.ServerRegistryProvider;
import java.io.IOException;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Opens the registry of a configuration, by the first provider in the class path that takes locations of its kind: so
 * the library itself depends on none. Without state.
 */
final class Registries {

    private Registries() {}

    /** The registry that the configuration names. */
    static ServerRegistry open(LazyTablesConfig config) {
        String location = config.get(LazyTablesOptions.REGISTRY);
        String scheme = Scheme.of(location);
        var settings = new ServerRegistryProvider.Settings(
                config.get(LazyTablesOptions.REGISTRY_AUTH),
                config.get(LazyTablesOptions.REGISTRY_SESSION),
                config.get(LazyTablesOptions.REGISTRY_TIMEOUT));
        for (ServerRegistryProvider provider : ServiceLoader.load(ServerRegistryProvider.class)) {
            if (provider.opens(scheme)) {
                try {
                    return provider.open(location, settings);
                } catch (IOException e) {
                    throw LazyTablesException.of(
                            Code.CONFIGURATION, LazyTablesOptions.REGISTRY + "=" + location + ": " + e.getMessage(), e);
                }
            }
        }
        throw LazyTablesException.of(
                Code.CONFIGURATION,
                LazyTablesOptions.REGISTRY + "=" + location
                        + ": no ServerRegistryProvider in the class path opens locations of this kind;"
                        + " lazytables-zookeeper has one for zookeeper://host:2181/path");
    }

    /** A fault of the registry, or of what is in it: told with one code, whoever finds it. */
    static LazyTablesException fault(String what, @Nullable Throwable cause) {
        return LazyTablesException.of(Code.REGISTRY, what, cause);
    }
}
