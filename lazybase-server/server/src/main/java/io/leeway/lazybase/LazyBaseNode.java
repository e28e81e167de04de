package io.leeway.lazybase;

import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.pipeline.StageWorker;
import io.leeway.lazybase.internal.storage.Stores;
import io.leeway.lazybase.spi.Election;
import io.leeway.lazybase.spi.Store;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of several processes that share their data: it does tasks of the pipeline for who leads, until it is elected; then it is a
 * {@link LazyBaseServer} until it is closed or another process leads. Clients give all addresses; those who do not lead refuse connections. Thread-safe.
 *
 * @since 0.1
 */
public final class LazyBaseNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LazyBaseNode.class);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final LazyBaseOptions options;
    private final Election election;
    private final Store store;
    private final Consumer<String> onLead;
    private final Thread thread;
    private final Object lock = new Object();
    private volatile boolean closed;
    private @Nullable LazyBaseServer server;

    private LazyBaseNode(LazyBaseOptions options, Election election, Store store, Consumer<String> onLead) {
        this.options = options;
        this.store = store;
        this.election = election;
        this.onLead = onLead;
        this.thread = new Thread(this::run, "lazybase-node");
    }

    /**
     * Takes part in the election that {@code lazybase.cluster.zookeeper} names.
     *
     * @param onLead gets the address of the server each time that this process begins to lead
     * @throws LazyBaseException if the election cannot be reached
     */
    public static LazyBaseNode start(LazyBaseOptions options, Consumer<String> onLead) {
        String location = options.get(LazyBaseOptions.ZOOKEEPER);
        Election.Provider provider = ServiceLoader.load(Election.Provider.class)
                .findFirst()
                .orElseThrow(() -> new LazyBaseException(
                        Code.CONFIGURATION,
                        LazyBaseOptions.ZOOKEEPER.key() + " needs lazybase-cluster.jar on the class path."));
        String address = options.get(LazyBaseOptions.HOST) + ":" + options.get(LazyBaseOptions.PORT);
        Path directory = Path.of(options.get(LazyBaseOptions.DIRECTORY));
        try {
            Election election = provider.join(location, options.get(LazyBaseOptions.CLUSTER), address, directory);
            var node = new LazyBaseNode(options, election, Stores.of(options), onLead);
            node.thread.start();
            return node;
        } catch (IOException e) {
            throw new LazyBaseException(Code.CONFIGURATION, "ZooKeeper " + location + ": " + e.getMessage() + ".", e);
        }
    }

    private void run() {
        while (!closed) {
            try {
                try (Closeable helping = help()) {
                    election.await();
                }
                lead();
                if (!closed) {
                    election.resign();
                    pause(PAUSE);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (IOException | LazyBaseException e) {
                LOG.warn("this process cannot lead, and takes part again: {}", e.toString());
                pause(PAUSE);
            }
        }
    }

    private Closeable help() {
        var worker = new StageWorker(store, LazyBaseServer.settings(options));
        return election.help(options.get(LazyBaseOptions.WORKERS), worker);
    }

    private void lead() throws InterruptedException {
        var fenced = new AtomicBoolean();
        LazyBaseServer mine = LazyBaseServer.start(options, () -> fenced.set(true), election.helpers());
        synchronized (lock) {
            server = mine;
        }
        try {
            onLead.accept(mine.toString());
            while (!closed && !fenced.get() && election.isLeading()) {
                Thread.sleep(LOOK.toMillis());
            }
            LOG.info("this process does not lead any more");
        } finally {
            synchronized (lock) {
                server = null;
            }
            mine.close();
        }
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether this process leads now. */
    public boolean isLeading() {
        synchronized (lock) {
            return server != null;
        }
    }

    @Override
    public String toString() {
        return isLeading() ? "leads" : "does tasks and waits for its turn";
    }

    /** Ends the server, if this process leads, and leaves the election. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(60_000);
            election.close();
            store.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("the election was not left in order: {}", e.toString());
        }
    }
}
