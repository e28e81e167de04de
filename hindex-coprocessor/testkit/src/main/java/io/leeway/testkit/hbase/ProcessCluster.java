package io.leeway.testkit.hbase;

import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.jspecify.annotations.Nullable;

/**
 * A master and region servers that are processes of their own, to be killed as a crash would.
 *
 * <p>They run from the class path of this JVM, on loopback, with files in a directory that goes when the cluster is closed;
 * a cluster that nobody closes ends with this JVM. ZooKeeper is never killed and stays a thread of this JVM: one process
 * less on a small machine.
 *
 * <p>What had to be found out:
 *
 * <ul>
 *   <li>{@code hbase.cluster.distributed} makes {@code HMaster start} a master only, and lets {@code HRegionServer start} run
 *       at all. Everything else is as in one process, {@code file://} root included.
 *   <li>The local file system keeps what was acknowledged when a process dies (not when the machine dies): HBase switches
 *       Hadoop's checksum files off, whose writer would hold back up to 511 bytes.
 *   <li>Each server keeps its port. One that comes back under its old address replaces its dead self at once; one that comes
 *       back under another waits until the dead one's session ends. Ports are taken from below the range of outgoing
 *       connections, which may otherwise occupy them while the server is down.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class ProcessCluster implements RunningHBase, AutoCloseable {

    /** How long a dead server that does not come back is taken for a slow one. */
    private static final Duration SESSION = Duration.ofSeconds(15);

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String PREDECESSOR_GONE = "NoNodeException: KeeperErrorCode = NoNode for /hbase/master";

    private final Path directory;
    private final MiniZooKeeperCluster zooKeeper;
    private final Configuration configuration;
    private final ServerProcess master;
    private final List<ServerProcess> regionServers = new ArrayList<>();
    private final Thread exit = new Thread(this::end, "testkit-hbase-processes");
    private @Nullable Connection connection;
    private boolean ended;

    private ProcessCluster(int regionServers, Map<String, String> settings, ServerJvm jvm)
            throws IOException, InterruptedException {
        directory = TemporaryFiles.newDirectory();
        configuration = HBaseConfiguration.create();
        zooKeeper = new MiniZooKeeperCluster(configuration);
        int zooKeeperPort = zooKeeper.startup(directory.resolve("zookeeper").toFile());
        writeSite(zooKeeperPort, regionServers, settings);
        master = server(
                "master",
                "master",
                HMaster.class,
                new ServerJvm(ServerJvm.small().options(), jvm.classPath()));
        for (int i = 1; i <= regionServers; i++) {
            this.regionServers.add(server("regionserver-" + i, "regionserver", HRegionServer.class, jvm));
        }
    }

    /** Starts one; to be closed. */
    static ProcessCluster start(int regionServers, Map<String, String> settings, ServerJvm jvm)
            throws IOException, InterruptedException {
        var cluster = new ProcessCluster(regionServers, settings, jvm);
        Runtime.getRuntime().addShutdownHook(cluster.exit);
        try {
            for (ServerProcess server : cluster.servers()) {
                server.start();
            }
            cluster.awaitReady();
            cluster.connection = ConnectionFactory.createConnection(cluster.configuration);
            return cluster;
        } catch (IOException | RuntimeException | InterruptedException e) {
            cluster.close();
            throw e;
        }
    }

    private void writeSite(int zooKeeperPort, int regionServers, Map<String, String> settings) throws IOException {
        var site = new Configuration(false);
        LoopbackSettings.in(directory, regionServers).forEach(site::set);
        site.setBoolean("hbase.cluster.distributed", true);
        site.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
        site.setLong("zookeeper.session.timeout", SESSION.toMillis());
        // Output is shown when a start fails, and the environment may hold what is nobody's business.
        site.setBoolean("hbase.envvars.logging.disabled", true);
        // Clients must outlast a server's death.
        site.setInt("hbase.client.retries.number", 100);
        site.setInt("hbase.client.pause", 20);
        // A slow server is not a dead one: what is sent again while the first is still worked on may come last.
        site.setInt("hbase.rpc.timeout", 60_000);
        site.setInt("hbase.client.operation.timeout", 120_000);
        // A master that is not sure may ask a server twice to split a log. The lock that is to keep the two apart
        // excludes
        // nobody in HBase 2.6.4 (SplitWALCallable has one for each call), so both write the same file, which the local
        // file
        // system lets them do: what is in it then opens no region. HDFS gives a file one writer.
        site.setInt("hbase.regionserver.wal.max.splitters", 1);
        settings.forEach(site::set);
        site.forEach(setting -> configuration.set(setting.getKey(), setting.getValue()));
        Path conf = Files.createDirectories(directory.resolve("conf"));
        try (OutputStream file = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
            site.writeXml(file);
        }
        Files.writeString(conf.resolve("logging.properties"), """
                handlers = java.util.logging.ConsoleHandler
                .level = INFO
                java.util.logging.SimpleFormatter.format = %1$tT.%1$tL %4$s %3$s: %5$s%6$s%n
                """);
        Files.createDirectories(directory.resolve("tmp"));
    }

    private ServerProcess server(String name, String role, Class<?> main, ServerJvm jvm) throws IOException {
        int port = freePort();
        Path conf = directory.resolve("conf");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm.options());
        command.addAll(List.of(
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + directory.resolve("tmp"),
                "-Djava.util.logging.config.file=" + conf.resolve("logging.properties"),
                "-cp",
                conf + System.getProperty("path.separator") + jvm.classPath(),
                ServerMain.class.getName(),
                main.getName(),
                "-Dhbase." + role + ".port=" + port,
                "start"));
        return new ServerProcess(name, port, command, directory.resolve(name + ".log"));
    }

    private static int freePort() throws IOException {
        for (int tries = 0; tries < 100; tries++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // Another one, then.
            }
        }
        throw new IOException("no free port from 20000 to 32000; end the programs that listen there");
    }

    @Override
    public Configuration configuration() {
        return new Configuration(configuration);
    }

    @Override
    public Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("the cluster has not started");
        }
        return connection;
    }

    /** The only one. */
    public ServerProcess master() {
        return master;
    }

    /** All, whether they run or not. */
    public List<ServerProcess> regionServers() {
        return List.copyOf(regionServers);
    }

    /** The master, then the region servers, whether they run or not. */
    public List<ServerProcess> servers() {
        return Stream.concat(Stream.of(master), regionServers.stream()).toList();
    }

    /** The region server that has the region of a row; HBase may think of one that is dead. */
    public ServerProcess serverOf(TableName table, byte[] row) throws IOException {
        try (var locator = connection().getRegionLocator(table)) {
            ServerName name = locator.getRegionLocation(row, true).getServerName();
            return regionServers.stream()
                    .filter(server -> server.is(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("not of this cluster: " + name));
        }
    }

    /** Kills a server without a warning; when this returns, the process is gone. */
    public void kill(ServerProcess server) throws IOException {
        server.kill();
    }

    /** Starts a server that was killed, and returns while it starts; see {@link #awaitReady()}. */
    public void restart(ServerProcess server) throws IOException {
        server.start();
    }

    /**
     * Waits until the master works, all region servers that run have reported to it and no region is on its way.
     *
     * <p>A master that ended by itself is started once more if it met what its predecessor had left in the moment in which that
     * went: HBase 2.6.4 ends then ({@code ActiveMasterManager}), which has nothing to do with what is tested.
     *
     * @throws IllegalStateException if that takes too long or a server ends by itself, with what the servers wrote
     */
    public void awaitReady() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try (Connection probe = ConnectionFactory.createConnection(impatient())) {
            String missing = missing(probe);
            while (!missing.isEmpty()) {
                if (System.nanoTime() > end) {
                    throw failed("waited " + PATIENCE + " in vain for " + missing, servers());
                }
                Thread.sleep(100);
                missing = missing(probe);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot connect to HBase, or start a master", e);
        }
    }

    /** Asks once, instead of leaving it to a client that waits longer after each failure. */
    private Configuration impatient() {
        Configuration impatient = configuration();
        impatient.setInt("hbase.client.retries.number", 1);
        impatient.setInt("hbase.rpc.timeout", 5_000);
        impatient.setInt("hbase.client.operation.timeout", 5_000);
        return impatient;
    }

    /** What is not ready yet; empty if nothing. */
    private String missing(Connection probe) throws IOException {
        if (master.hasDied() && master.lastLines().contains(PREDECESSOR_GONE)) {
            master.start();
        }
        List<ServerProcess> dead =
                servers().stream().filter(ServerProcess::hasDied).toList();
        if (!dead.isEmpty()) {
            throw failed("ended by themselves: " + dead, dead);
        }
        try (var admin = probe.getAdmin()) {
            // Only a master that has finished its start answers this.
            admin.listTableNames();
            ClusterMetrics metrics = admin.getClusterMetrics(
                    EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS, ClusterMetrics.Option.REGIONS_IN_TRANSITION));
            Collection<ServerName> live = metrics.getLiveServerMetrics().keySet();
            List<String> missing = new ArrayList<>();
            regionServers.stream()
                    .filter(ServerProcess::isAlive)
                    .filter(server -> live.stream().noneMatch(server::isRunningAs))
                    .forEach(server -> missing.add(server.name()));
            metrics.getRegionStatesInTransition().forEach(region -> missing.add(region.toDescriptiveString()));
            return String.join(", ", missing);
        } catch (IOException e) {
            return "the master: " + e;
        }
    }

    private static IllegalStateException failed(String what, List<ServerProcess> shown) {
        return new IllegalStateException(what + "\n"
                + String.join("\n", shown.stream().map(ServerProcess::lastLines).toList()));
    }

    /** Copies what the servers wrote, and what those that run are doing now, into a directory that outlives them. */
    public void keepTraces(Path to) throws IOException {
        Files.createDirectories(to);
        for (ServerProcess server : servers()) {
            server.keepTraces(to);
        }
    }

    /** Kills all processes and removes their files. */
    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(exit);
        } catch (IllegalStateException e) {
            // The JVM is ending; the hook finds nothing to do.
        }
    }

    private synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        // Before the connection: a client that closes must not wait for them, nor they for it.
        for (ServerProcess server : servers()) {
            attempt(server::kill);
        }
        if (connection != null) {
            attempt(connection::close);
        }
        attempt(zooKeeper::shutdown);
        TemporaryFiles.delete(directory);
    }

    private interface Step {
        void run() throws IOException;
    }

    /** One that cannot be stopped must not keep the others running. */
    private static void attempt(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            System.err.println("testkit: could not stop HBase: " + e);
        }
    }
}
