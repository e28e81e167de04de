package io.leeway.lazybase.internal.cluster;

import io.leeway.lazybase.spi.Election;
import io.leeway.lazybase.spi.Helpers;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An election by Curator's latch: who came first leads until his session ends. Who takes part is at {@code /lazybase/GROUP/members}, the
 * latch at {@code /lazybase/GROUP/leader}, and who takes tasks at {@code /lazybase/GROUP/helpers}. Thread-safe.
 */
public final class ZooKeeperElection implements Election {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperElection.class);
    private static final int SESSION_MILLIS = 10_000;
    private static final int CONNECT_MILLIS = 15_000;

    private final CuratorFramework client;
    private final String path;
    private final String address;
    private final PersistentNode member;
    private final @Nullable EmbeddedZooKeeper embedded;
    private final ZooKeeperHelpers helpers;
    private volatile LeaderLatch latch;

    private ZooKeeperElection(
            CuratorFramework client, String path, String address, @Nullable EmbeddedZooKeeper embedded)
            throws IOException {
        this.client = client;
        this.path = path;
        this.address = address;
        this.embedded = embedded;
        byte[] data = address.getBytes(StandardCharsets.UTF_8);
        this.member = new PersistentNode(client, CreateMode.EPHEMERAL_SEQUENTIAL, false, path + "/members/m-", data);
        member.start();
        this.helpers = new ZooKeeperHelpers(client, path + "/helpers");
        this.latch = newLatch();
    }

    /** Makes elections of ZooKeeper's. */
    public static final class Provider implements Election.Provider {

        private static final String EMBEDDED = "embedded:";

        /** For the loader of services. */
        public Provider() {}

        @Override
        public Election join(String location, String group, String address, Path directory) throws IOException {
            String servers = location;
            EmbeddedZooKeeper embedded = null;
            if (location.startsWith(EMBEDDED)) {
                int port = port(location.substring(EMBEDDED.length()));
                embedded = EmbeddedZooKeeper.startUnlessThere(port, directory.resolve("zookeeper"));
                servers = "127.0.0.1:" + port;
            }
            CuratorFramework client = CuratorFrameworkFactory.newClient(
                    servers, SESSION_MILLIS, SESSION_MILLIS, new ExponentialBackoffRetry(200, 5, 2_000));
            client.start();
            try {
                if (!client.blockUntilConnected(CONNECT_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new IOException("it does not answer within " + CONNECT_MILLIS / 1_000 + " s");
                }
                return new ZooKeeperElection(client, "/lazybase/" + group, address, embedded);
            } catch (IOException | RuntimeException e) {
                client.close();
                close(embedded);
                throw e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                client.close();
                close(embedded);
                throw new IOException("interrupted", e);
            }
        }

        private static int port(String text) throws IOException {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new IOException("'" + text + "' is no port", e);
            }
        }
    }

    private static void close(@Nullable EmbeddedZooKeeper embedded) {
        if (embedded != null) {
            embedded.close();
        }
    }

    private LeaderLatch newLatch() throws IOException {
        var begun = new LeaderLatch(client, path + "/leader", address);
        try {
            begun.start();
        } catch (Exception e) {
            throw new IOException("the election cannot be joined", e);
        }
        return begun;
    }

    @Override
    public void await() throws InterruptedException, IOException {
        try {
            latch.await();
        } catch (EOFException e) {
            // Resigned meanwhile; the next latch decides.
            LOG.debug("the latch was closed", e);
            latch.await();
        }
    }

    @Override
    public boolean isLeading() {
        return latch.hasLeadership();
    }

    @Override
    public Helpers helpers() {
        return helpers;
    }

    @Override
    public Closeable help(int tasks, UnaryOperator<byte[]> work) {
        return helpers.help(tasks, work);
    }

    @Override
    public void resign() throws IOException {
        latch.close();
        latch = newLatch();
    }

    @Override
    public void close() throws IOException {
        latch.close();
        helpers.close();
        member.close();
        client.close();
        close(embedded);
    }
}
