package io.leeway.testkit.hbase;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** Master, region servers and ZooKeeper as threads of this JVM, on the local file system. */
final class LightCluster implements HBaseCluster {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** How long a region is waited for that the master takes for open. */
    private static final Duration OPENING = Duration.ofMinutes(1);

    private static final Duration OPENING_PAUSE = Duration.ofMillis(2);

    private final Path directory;
    private final MiniZooKeeperCluster zooKeeper;
    private final LocalHBaseCluster servers;
    private final Configuration configuration;
    private final Connection connection;

    private LightCluster(
            Path directory,
            MiniZooKeeperCluster zooKeeper,
            LocalHBaseCluster servers,
            Configuration configuration,
            Connection connection) {
        this.directory = directory;
        this.zooKeeper = zooKeeper;
        this.servers = servers;
        this.configuration = configuration;
        this.connection = connection;
    }

    static LightCluster start(int regionServers, Map<String, String> settings) throws IOException {
        // Without this the second cluster of a JVM dies of metrics that exist already.
        DefaultMetricsSystem.setMiniClusterMode(true);
        Path directory = TemporaryFiles.newDirectory();
        Configuration configuration = HBaseConfiguration.create();
        LoopbackSettings.in(directory, regionServers).forEach(configuration::set);
        LoopbackSettings.quick().forEach(configuration::set);
        settings.forEach(configuration::set);
        var zooKeeper = new MiniZooKeeperCluster(configuration);
        try {
            int port = zooKeeper.startup(directory.resolve("zookeeper").toFile());
            configuration.setInt("hbase.zookeeper.property.clientPort", port);
            var servers = new LocalHBaseCluster(configuration, 1, regionServers);
            servers.startup();
            await("an initialized master", () -> initialized(servers, regionServers));
            return new LightCluster(
                    directory, zooKeeper, servers, configuration, ConnectionFactory.createConnection(configuration));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static boolean initialized(LocalHBaseCluster servers, int regionServers) {
        HMaster master = servers.getActiveMaster();
        return master != null
                && master.isInitialized()
                && master.getServerManager().countOfRegionServers() >= regionServers;
    }

    /** Polls; a test's only wait on servers that tell nobody when they are ready. */
    private static void await(String what, BooleanSupplier condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IOException("waited " + PATIENCE + " in vain for " + what);
            }
            Thread.sleep(20);
        }
    }

    @Override
    public Configuration configuration() {
        return new Configuration(configuration);
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public List<HRegionServer> regionServers() {
        return servers.getLiveRegionServers().stream()
                .map(JVMClusterUtil.RegionServerThread::getRegionServer)
                .toList();
    }

    @Override
    public List<HRegion> regions(TableName table) {
        // A server tells the master that a region is open just before it can be found there.
        long end = System.nanoTime() + OPENING.toNanos();
        List<HRegion> open = open(table);
        while (!isWhole(open) && isEnabled(table) && System.nanoTime() < end) {
            LockSupport.parkNanos(OPENING_PAUSE.toNanos());
            open = open(table);
        }
        return open;
    }

    /** Of others no region is to come. */
    private boolean isEnabled(TableName table) {
        HMaster master = servers.getActiveMaster();
        return master != null && master.getTableStateManager().isTableState(table, TableState.State.ENABLED);
    }

    /** Whether the regions follow each other from the table's begin to its end. */
    private static boolean isWhole(List<HRegion> regions) {
        byte[] from = HConstants.EMPTY_START_ROW;
        for (HRegion region : regions) {
            RegionInfo info = region.getRegionInfo();
            if (RegionReplicaUtil.isDefaultReplica(info)) {
                if (!Bytes.equals(info.getStartKey(), from)) {
                    return false;
                }
                from = info.getEndKey();
            }
        }
        return !regions.isEmpty() && from.length == 0;
    }

    private List<HRegion> open(TableName table) {
        return regionServers().stream()
                .flatMap(server -> server.getRegions(table).stream())
                .sorted(Comparator.comparing(HRegion::getRegionInfo, RegionInfo.COMPARATOR))
                .toList();
    }

    void stop() {
        try {
            connection.close();
            servers.shutdown();
            servers.join();
            zooKeeper.shutdown();
        } catch (IOException | RuntimeException e) {
            System.err.println("testkit: could not stop HBase: " + e);
        }
        TemporaryFiles.delete(directory);
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("interrupted while HBase starts").initCause(e);
    }
}
