package io.leeway.lazybase.internal.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper in this process, at the loopback address: for trying things out, since it ends with the process. */
final class EmbeddedZooKeeper implements AutoCloseable {

    private static final int TICK_MILLIS = 1_000;
    private static final int CONNECTIONS = 100;

    private final ServerCnxnFactory door;
    private final ZooKeeperServer server;

    private EmbeddedZooKeeper(ServerCnxnFactory door, ZooKeeperServer server) {
        this.door = door;
        this.server = server;
    }

    /** Starts one; null if another process listens at the port already. */
    static @Nullable EmbeddedZooKeeper startUnlessThere(int port, Path directory) throws IOException {
        Files.createDirectories(directory);
        var door = new NIOServerCnxnFactory();
        try {
            door.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS);
        } catch (BindException e) {
            return null;
        }
        var server = new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MILLIS);
        try {
            door.startup(server);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return new EmbeddedZooKeeper(door, server);
    }

    @Override
    public void close() {
        door.shutdown();
        server.shutdown();
    }
}
