package io.leeway.testkit.hbase;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** Master, region servers and ZooKeeper as threads of this JVM, on the local file system. */
final class LightCluster implements HBaseCluster {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final AtomicInteger TABLES = new AtomicInteger();

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
        Path directory = Files.createTempDirectory("leeway-hbase-");
        Configuration configuration = configuration(directory);
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

    private static Configuration configuration(Path directory) {
        Configuration conf = HBaseConfiguration.create();
        conf.set("hbase.rootdir", directory.resolve("hbase").toUri().toString());
        conf.set("hbase.tmp.dir", directory.resolve("tmp").toString());
        conf.set("hbase.zookeeper.quorum", "127.0.0.1");
        conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
        conf.set("hbase.wal.provider", "filesystem");
        for (String role : List.of("master", "regionserver")) {
            conf.setInt("hbase." + role + ".info.port", -1);
            conf.setInt("hbase." + role + ".port", 0);
            conf.set("hbase." + role + ".hostname", "localhost");
            conf.set("hbase." + role + ".ipc.address", "127.0.0.1");
        }
        conf.setInt("hbase.regionserver.handler.count", 8);
        conf.setInt("hbase.master.procedure.threads", 4);
        conf.setInt("hbase.master.wait.on.regionservers.interval", 50);
        conf.setInt("hbase.regionserver.msginterval", 100);
        // Tests split, merge and move themselves; nobody else may.
        conf.setBoolean("hbase.balancer.enabled", false);
        conf.set(
                "hbase.regionserver.region.split.policy",
                "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy");
        conf.setInt("hbase.client.retries.number", 10);
        conf.setInt("hbase.client.pause", 50);
        return conf;
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
    public TableName freshName(String name) {
        return TableName.valueOf(name + "_" + TABLES.incrementAndGet());
    }

    @Override
    public TableName freshTable(String name, UnaryOperator<TableDescriptorBuilder> descriptor) {
        TableName table = freshName(name);
        try (var admin = connection.getAdmin()) {
            admin.createTable(
                    descriptor.apply(TableDescriptorBuilder.newBuilder(table)).build());
        } catch (IOException e) {
            throw new IllegalStateException("cannot create the table " + table, e);
        }
        return table;
    }

    @Override
    public List<HRegionServer> regionServers() {
        return servers.getLiveRegionServers().stream()
                .map(JVMClusterUtil.RegionServerThread::getRegionServer)
                .toList();
    }

    @Override
    public List<HRegion> regions(TableName table) {
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
        delete();
    }

    private void delete() {
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
        } catch (IOException | RuntimeException e) {
            directory.toFile().deleteOnExit();
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("interrupted while HBase starts").initCause(e);
    }
}
