package io.leeway.lazytables.internal.zookeeper;

import io.leeway.lazytables.spi.ServerRegistry;
import io.leeway.lazytables.spi.ServerRegistryProvider;
import java.io.IOException;

/** Opens {@code zookeeper://host:2181,host:2181/path}. Thread-safe. */
public final class ZooKeeperRegistries implements ServerRegistryProvider {

    private static final String SCHEME = "zookeeper";

    @Override
    public boolean opens(String scheme) {
        return scheme.equals(SCHEME);
    }

    @Override
    public ServerRegistry open(String location, Settings settings) throws IOException {
        return ZooKeeperRegistry.open(ZooKeeperLocation.parse(location.substring(SCHEME.length() + 1)), settings);
    }
}
