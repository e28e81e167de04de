package io.leeway.lazytables.spi;

import java.io.IOException;
import java.time.Duration;

/**
 * Opens registries of servers, by the scheme that {@code lazytables.registry} begins with. Found among the services of
 * this type in the class path ({@link java.util.ServiceLoader}).
 */
public interface ServerRegistryProvider {

    /** Whether it opens locations of this scheme: {@code zookeeper} of {@code zookeeper://host:2181/path}. */
    boolean opens(String scheme);

    /**
     * Opens a registry; it need not be reached yet.
     *
     * @throws IOException if the location is none
     */
    ServerRegistry open(String location, Settings settings) throws IOException;

    /**
     * How a registry is used.
     *
     * @param auth who this process is, in the words of the registry; empty for nobody in particular
     * @param session how long a server that ended without a word stays registered
     * @param timeout how long it may take to register or to find out which servers there are
     */
    record Settings(String auth, Duration session, Duration timeout) {

        /** Without what is secret. */
        @Override
        public String toString() {
            return "Settings[auth=" + (auth.isEmpty() ? "none" : "***") + ", session=" + session + ", timeout="
                    + timeout + "]";
        }
    }
}
