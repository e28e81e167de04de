package io.leeway.lazytables.internal.zookeeper;

import io.leeway.lazytables.spi.ServerRegistration;
import io.leeway.lazytables.spi.ServerRegistry;
import io.leeway.lazytables.spi.ServerRegistryProvider.Settings;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/*
 * A server is an ephemeral node, named by its number, below the node of the run. ZooKeeper removes it when the server's session ends: at once when the server closes it, after the session's time when the server dies.
 * A server that lost its session while it lived (a long pause, ZooKeeper away) finds its node gone and makes it again; if another server's is there, that one has the number.
 *
 * Nothing is left behind: how many servers there are is said by each node, and nodes above are containers, which ZooKeeper removes when they are empty.
 *
 * Watches say at once what changes. They are one-time and may be lost with a session, so all is looked at now and then as well; that is what correctness rests on.
 */

/** Servers as nodes of ZooKeeper. Thread-safe. */
final class ZooKeeperRegistry implements ServerRegistry {

    private static final Logger LOG = System.getLogger(ZooKeeperRegistry.class.getName());
    private static final int RETRY_MILLIS = 100;
    private static final int RETRIES = 3;
    private static final int LOOKS_PER_SESSION = 3;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;

    private final ZooKeeperLocation location;
    private final Settings settings;
    final CuratorFramework client;
    /** Of this registry alone. */
    private final String owner = UUID.randomUUID().toString();

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        var made = new Thread(task, "lazytables-registry");
        made.setDaemon(true);
        return made;
    });
    private boolean warned;

    private ZooKeeperRegistry(ZooKeeperLocation location, Settings settings, CuratorFramework client) {
        this.location = location;
        this.settings = settings;
        this.client = client;
    }

    static ZooKeeperRegistry open(ZooKeeperLocation location, Settings settings) throws IOException {
        int session = Math.toIntExact(settings.session().toMillis());
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(location.ensemble())
                .sessionTimeoutMs(session)
                .connectionTimeoutMs(
                        Math.min(session, Math.toIntExact(settings.timeout().toMillis())))
                .retryPolicy(new ExponentialBackoffRetry(RETRY_MILLIS, RETRIES));
        if (!settings.auth().isEmpty()) {
            int colon = settings.auth().indexOf(':');
            if (colon < 1) {
                throw new IOException(
                        "lazytables.registry.auth is to be scheme:credentials, such as" + " digest:user:password");
            }
            builder.authorization(
                            settings.auth().substring(0, colon),
                            settings.auth().substring(colon + 1).getBytes(StandardCharsets.UTF_8))
                    .aclProvider(new OwnersOnly(location.path()));
        }
        try {
            return new ZooKeeperRegistry(location, settings, builder.build());
        } catch (IllegalArgumentException e) {
            throw new IOException(location.ensemble() + " are no servers of ZooKeeper: " + e.getMessage(), e);
        }
    }

    @Override
    public void register(ServerRegistration server, Consumer<String> displaced) throws IOException {
        connect();
        var own = new RegisteredNode(server, owner);
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        try {
            for (RegisteredNode other = put(own); other != null; other = put(own)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("another server has the number, at "
                            + other.server().address()
                            + ": give each server a number of its own (lazytables.server.number). One that ended without"
                            + " a word has its number until its lazytables.registry.session is over");
                }
                Thread.sleep(RETRY_MILLIS);
            }
            refuseOtherCounts(own);
        } catch (Exception e) {
            throw fault(e);
        }
        var keeping = new Keeping(own, displaced);
        client.getConnectionStateListenable().addListener((same, state) -> {
            if (state == ConnectionState.RECONNECTED) {
                soon(keeping);
            }
        });
        again(keeping, settings.session().dividedBy(LOOKS_PER_SESSION));
    }

    @Override
    public void follow(Consumer<List<ServerRegistration>> listener) throws IOException {
        connect();
        var following = new Following(listener);
        try {
            // On the thread that looks again when a watch says so: two looks side by side could tell the older list
            // last.
            thread.submit(following::look).get();
        } catch (ExecutionException e) {
            throw fault(e.getCause() instanceof Exception own ? own : e);
        } catch (InterruptedException | RejectedExecutionException e) {
            throw fault(e);
        }
        client.getConnectionStateListenable().addListener((same, state) -> {
            if (state == ConnectionState.RECONNECTED) {
                soon(following);
            }
        });
        again(following, settings.session().dividedBy(LOOKS_PER_SESSION));
    }

    @Override
    public void close() {
        thread.shutdownNow();
        client.close();
    }

    private void connect() throws IOException {
        client.start();
        try {
            int millis = Math.toIntExact(settings.timeout().toMillis());
            if (!client.blockUntilConnected(millis, TimeUnit.MILLISECONDS)) {
                throw new IOException("no ZooKeeper answers at " + location.ensemble() + " within " + millis
                        + " ms; check that it runs"
                        + " and that the addresses are right, or raise lazytables.registry.timeout");
            }
        } catch (InterruptedException e) {
            throw fault(e);
        }
    }

    /** Makes the server's node, if it is not there; the node of another server, if that is there. */
    private @Nullable RegisteredNode put(RegisteredNode own) throws Exception {
        String node = location.node(own.server().number());
        try {
            client.create()
                    .creatingParentContainersIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(node, own.bytes());
            return null;
        } catch (KeeperException.NodeExistsException e) {
            var stat = new Stat();
            RegisteredNode there;
            try {
                there = read(node, stat, null);
            } catch (KeeperException.NoNodeException gone) {
                return put(own);
            }
            if (there == null) {
                throw new IOException("there is a node " + node + " that no server has made; remove it", e);
            }
            if (!there.owner().equals(own.owner())) {
                return there;
            }
            if (stat.getEphemeralOwner()
                    != client.getZookeeperClient().getZooKeeper().getSessionId()) {
                // Of a session of this process that is over, and with it the node soon.
                client.delete().quietly().withVersion(stat.getVersion()).forPath(node);
                return put(own);
            }
            return null;
        }
    }

    private void refuseOtherCounts(RegisteredNode own) throws Exception {
        for (ServerRegistration other : registered(null)) {
            if (other.count() != own.server().count()) {
                client.delete().quietly().forPath(location.node(own.server().number()));
                throw new IOException("server " + other.number() + " at " + other.address() + " is one of "
                        + other.count() + " servers, this one is one of "
                        + own.server().count()
                        + ": start all with the same lazytables.server.count");
            }
        }
    }

    private List<ServerRegistration> registered(@Nullable Watcher watcher) throws Exception {
        List<String> names;
        try {
            names = watcher == null
                    ? client.getChildren().forPath(location.path())
                    : client.getChildren().usingWatcher(watcher).forPath(location.path());
        } catch (KeeperException.NoNodeException none) {
            // Made in this moment it would be seen the next time.
            if (watcher != null) {
                client.checkExists().usingWatcher(watcher).forPath(location.path());
            }
            return List.of();
        }
        var servers = new ArrayList<ServerRegistration>();
        for (String name : names) {
            try {
                RegisteredNode node = read(location.path() + "/" + name, new Stat(), watcher);
                if (node != null) {
                    servers.add(node.server());
                }
            } catch (KeeperException.NoNodeException gone) {
                LOG.log(Level.DEBUG, "{0} was removed while servers were looked for", name);
            }
        }
        return servers;
    }

    private @Nullable RegisteredNode read(String node, Stat stat, @Nullable Watcher watcher) throws Exception {
        byte[] bytes = watcher == null
                ? client.getData().storingStatIn(stat).forPath(node)
                : client.getData().storingStatIn(stat).usingWatcher(watcher).forPath(node);
        return RegisteredNode.read(node.substring(node.lastIndexOf('/') + 1), bytes);
    }

    private void again(Runnable task, Duration pause) {
        long millis = Math.min(LONGEST_PAUSE_MILLIS, pause.toMillis());
        var unused = thread.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
    }

    private void soon(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException closed) {
            // Nobody is told any more.
        }
    }

    /** Runs on the thread that looks. */
    private void looked(boolean worked, @Nullable Exception why) {
        if (thread.isShutdown() || worked != warned) {
            return;
        }
        warned = !worked;
        LOG.log(
                worked ? Level.INFO : Level.WARNING,
                worked
                        ? "ZooKeeper at {0} answers again"
                        : "ZooKeeper at {0} does not answer: {1}. Clients and servers that know each other go on",
                location.ensemble(),
                why);
    }

    private IOException fault(Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new IOException("interrupted while ZooKeeper was asked", e);
        }
        if (e instanceof KeeperException.NoAuthException || e instanceof KeeperException.AuthFailedException) {
            return new IOException(
                    "ZooKeeper does not let this process in (" + e.getMessage()
                            + "): give servers and clients the same lazytables.registry.auth",
                    e);
        }
        return e instanceof IOException own ? own : new IOException("ZooKeeper failed: " + e.getMessage(), e);
    }

    /** Looks whether the server's node is there. */
    private final class Keeping implements Runnable {

        private final RegisteredNode own;
        private final Consumer<String> displaced;
        private boolean over;

        Keeping(RegisteredNode own, Consumer<String> displaced) {
            this.own = own;
            this.displaced = displaced;
        }

        @Override
        public void run() {
            if (over) {
                return;
            }
            try {
                RegisteredNode other = put(own);
                looked(true, null);
                if (other != null) {
                    over = true;
                    displaced.accept("another server was registered under this number while this one was not heard of,"
                            + " at " + other.server().address());
                }
            } catch (Exception e) {
                looked(false, e);
            }
        }
    }

    /** Looks which servers there are. */
    private final class Following implements Runnable {

        private final Consumer<List<ServerRegistration>> listener;
        private final Watcher watcher = event -> {
            if (event.getType() != Watcher.Event.EventType.None) {
                soon(this);
            }
        };

        Following(Consumer<List<ServerRegistration>> listener) {
            this.listener = listener;
        }

        @Nullable
        Void look() throws Exception {
            listener.accept(registered(watcher));
            return null;
        }

        @Override
        public void run() {
            try {
                look();
                looked(true, null);
            } catch (Exception e) {
                looked(false, e);
            }
        }
    }

    /** The run's node and those below belong to who made them; those above are shared with other runs. */
    private record OwnersOnly(String run) implements ACLProvider {

        @Override
        public List<ACL> getDefaultAcl() {
            return ZooDefs.Ids.CREATOR_ALL_ACL;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return path.startsWith(run) ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
        }
    }
}
