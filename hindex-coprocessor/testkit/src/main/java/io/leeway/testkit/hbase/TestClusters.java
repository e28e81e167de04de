package io.leeway.testkit.hbase;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The entry: real HBase, started on first use.
 *
 * <pre>{@code
 * HBaseCluster cluster = TestClusters.light();
 * TableName words = cluster.freshTable("words", table -> table.setColumnFamily(...));
 * }</pre>
 *
 * <p>A light cluster is a master, its region servers and ZooKeeper in this JVM, on loopback, with files in the machine's
 * temporary directory. A cluster of processes is for what only a crash shows. Thread-safe.
 */
public final class TestClusters {

    private static final Map<Key, LightCluster> RUNNING = new HashMap<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(TestClusters::stopAll, "testkit-hbase-shutdown"));
    }

    private TestClusters() {}

    private record Key(int servers, Map<String, String> settings) {}

    /** The shared cluster with one region server. */
    public static HBaseCluster light() {
        return light(1);
    }

    /** The shared cluster with this many region servers. */
    public static HBaseCluster light(int regionServers) {
        return light(regionServers, Map.of());
    }

    /** A cluster whose site file has these settings too; shared by all who ask for the same. */
    public static HBaseCluster light(int regionServers, Map<String, String> settings) {
        var key = new Key(regionServers, Map.copyOf(settings));
        synchronized (RUNNING) {
            @Nullable LightCluster running = RUNNING.get(key);
            if (running == null) {
                running = start(key);
                RUNNING.put(key, running);
            }
            return Objects.requireNonNull(running);
        }
    }

    /**
     * A cluster whose servers are processes of their own; not shared, since tests kill them. To be closed.
     *
     * @param settings what its site file says too
     */
    public static ProcessCluster processes(int regionServers, Map<String, String> settings) {
        return processes(regionServers, settings, ServerJvm.small());
    }

    /** The same, where the region servers' JVM matters: for benchmarks, or without a jar. */
    public static ProcessCluster processes(int regionServers, Map<String, String> settings, ServerJvm jvm) {
        return started(() -> ProcessCluster.start(regionServers, Map.copyOf(settings), jvm));
    }

    private interface Start {
        ProcessCluster start() throws IOException, InterruptedException;
    }

    private static ProcessCluster started(Start start) {
        try {
            return start.start();
        } catch (IOException e) {
            throw new IllegalStateException("HBase does not start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while HBase starts", e);
        }
    }

    private static LightCluster start(Key key) {
        try {
            return LightCluster.start(key.servers(), key.settings());
        } catch (IOException e) {
            throw new IllegalStateException("HBase does not start", e);
        }
    }

    /** One that cannot be stopped must not keep the others running. */
    private static void stopAll() {
        synchronized (RUNNING) {
            RUNNING.values().forEach(LightCluster::stop);
            RUNNING.clear();
        }
    }
}
