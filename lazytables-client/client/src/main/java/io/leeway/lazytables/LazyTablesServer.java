package io.leeway.lazytables;

import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.remote.ServerProcess;
import io.leeway.lazytables.spi.CombineOp;
import java.util.List;
import java.util.Map;

/**
 * A server that processes reach over TCP: what {@code lazytables server} starts, for programs that start it themselves.
 * Thread-safe.
 *
 * @since 0.1
 */
public final class LazyTablesServer implements AutoCloseable {

    private final ServerProcess inner;

    private LazyTablesServer(ServerProcess inner) {
        this.inner = inner;
    }

    /**
     * Starts one; returns when clients can connect.
     *
     * @param options by their keys, see {@link LazyTablesOptions}
     * @param ops operations that tables may use besides the built-in ones and the services of the class path
     * @throws LazyTablesException if the options are wrong, it cannot listen, its snapshots cannot be used, or it
     *     cannot be registered
     */
    public static LazyTablesServer start(Map<String, String> options, CombineOp... ops) {
        return new LazyTablesServer(ServerProcess.start(LazyTablesConfig.of(options), List.of(ops)));
    }

    /** Where it listens. */
    public HostAndPort address() {
        return inner.address();
    }

    /**
     * Waits until it is closed.
     *
     * @throws LazyTablesException with code {@link LazyTablesException.Code#DISPLACED} if it closed itself, since
     *     another server was registered under its number; with {@link LazyTablesException.Code#FAILED} if the thread
     *     was interrupted
     */
    public void awaitEnd() {
        inner.awaitEnd();
    }

    /**
     * Stops it; what the tables held is gone, unless it stores snapshots: then a last one is stored, which may take up
     * to a minute.
     */
    @Override
    public void close() {
        inner.close();
    }
}
