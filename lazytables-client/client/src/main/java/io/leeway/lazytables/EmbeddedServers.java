package io.leeway.lazytables;

import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.local.LocalServers;
import io.leeway.lazytables.spi.CombineOp;
import java.util.List;
import java.util.Map;

/**
 * Servers inside a Java machine, for several instances of {@link LazyTables} in it that share tables as processes
 * would. One instance alone needs none: it starts its own. Thread-safe.
 */
public final class EmbeddedServers implements AutoCloseable {

    final LocalServers inner;
    final int processes;

    private EmbeddedServers(LocalServers inner, int processes) {
        this.inner = inner;
        this.processes = processes;
    }

    /**
     * Starts that many servers for that many instances; the operations are those that tables may use besides the
     * built-in ones and the services of the class path.
     */
    public static EmbeddedServers start(int servers, int processes, CombineOp... ops) {
        return start(servers, processes, Map.of(), ops);
    }

    /**
     * The same with options, see {@link LazyTablesOptions}: where a server stores snapshots, and when it drops
     * instances that are gone.
     */
    public static EmbeddedServers start(int servers, int processes, Map<String, String> options, CombineOp... ops) {
        if (servers < 1 || processes < 1) {
            throw LazyTablesException.of(
                    LazyTablesException.Code.BAD_ARGUMENT,
                    servers + " servers and " + processes + " processes: there must be at least one of each");
        }
        return new EmbeddedServers(
                new LocalServers(servers, processes, LazyTablesConfig.of(options), List.of(ops)), processes);
    }

    /** The number of instances that the servers wait for. */
    public int processes() {
        return processes;
    }

    /** Stops the servers; what the tables held is gone, unless it is stored. Close the instances first. */
    @Override
    public void close() {
        inner.close();
    }
}
