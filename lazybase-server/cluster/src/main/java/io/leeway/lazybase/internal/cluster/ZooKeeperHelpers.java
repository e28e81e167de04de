package io.leeway.lazybase.internal.cluster;

import io.leeway.lazybase.spi.Helpers;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks by ZooKeeper. A process that can do a task has an ephemeral node; the leader writes the task into it, and the process its answer.
 * So an even version of the node means that it has nothing to do, an odd one that it has, and of two who write at once one fails. A process
 * that ends or is not heard of loses its nodes, and the leader gives its task to another. Thread-safe.
 */
final class ZooKeeperHelpers implements Helpers, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperHelpers.class);

    private static final Duration MOST_TIME = Duration.ofMinutes(30);
    private static final long LOOK_MILLIS = 1_000;

    private final CuratorFramework client;
    private final String path;
    private final CuratorCache nodes;
    // Guarded by this.
    private final Set<String> taken = new HashSet<>();

    ZooKeeperHelpers(CuratorFramework client, String path) {
        this.client = client;
        this.path = path;
        this.nodes = CuratorCache.build(client, path);
        nodes.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forAll((type, before, after) -> changed())
                        .build());
        nodes.start();
    }

    private synchronized void changed() {
        notifyAll();
    }

    // For the leader.

    @Override
    public synchronized @Nullable Helper take(Duration wait) throws InterruptedException {
        long until = System.nanoTime() + wait.toNanos();
        while (true) {
            for (ChildData node : nodes.stream().toList()) {
                boolean idle = !node.getPath().equals(path) && node.getStat().getVersion() % 2 == 0;
                if (idle && taken.add(node.getPath())) {
                    return new Taken(node.getPath());
                }
            }
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return null;
            }
            wait(left);
        }
    }

    private synchronized void giveBack(String node) {
        taken.remove(node);
        notifyAll();
    }

    private synchronized byte[] awaitAnswer(String node, int version) throws IOException, InterruptedException {
        long until = System.nanoTime() + MOST_TIME.toNanos();
        while (System.nanoTime() < until) {
            ChildData now = nodes.get(node).orElse(null);
            if (now == null) {
                throw new IOException("the process that had the task is gone");
            }
            if (now.getStat().getVersion() >= version) {
                return now.getData();
            }
            wait(LOOK_MILLIS);
        }
        throw new IOException("a task took longer than " + MOST_TIME.toMinutes() + " minutes");
    }

    /** A node, whoever has it. */
    private final class Taken implements Helper {

        private final String node;

        Taken(String node) {
            this.node = node;
        }

        @Override
        public byte[] call(byte[] task) throws IOException, InterruptedException {
            int version;
            try {
                ChildData now = nodes.get(node).orElseThrow(() -> new IOException("the process is gone"));
                version = client.setData()
                        .withVersion(now.getStat().getVersion())
                        .forPath(node, task)
                        .getVersion();
            } catch (InterruptedException | IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException("the task was not given away: " + e, e);
            }
            return awaitAnswer(node, version + 1);
        }

        @Override
        public void close() {
            giveBack(node);
        }
    }

    // For the others.

    /** Takes tasks until what is returned is closed. */
    Closeable help(int tasks, UnaryOperator<byte[]> work) {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < tasks; i++) {
            var thread = new Thread(() -> help(work), "lazybase-help-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        return () -> end(threads);
    }

    private static void end(List<Thread> threads) {
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(10));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void help(UnaryOperator<byte[]> work) {
        while (!Thread.currentThread().isInterrupted()) {
            String node = "";
            try {
                node = client.create()
                        .creatingParentsIfNeeded()
                        .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                        .forPath(path + "/h-", new byte[0]);
                serve(node, work);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (KeeperException e) {
                LOG.debug("a session ended; another node follows", e);
            } catch (Exception e) {
                LOG.warn("tasks are not taken for a moment: {}", e.toString());
            }
            leave(node);
        }
    }

    /** So that nobody waits for what this thread does not do any more. */
    private void leave(String node) {
        boolean interrupted = Thread.interrupted();
        try {
            if (!node.isEmpty()) {
                client.delete().guaranteed().forPath(node);
            }
            if (!interrupted) {
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (Exception e) {
            LOG.debug("it goes with its session", e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(String node, UnaryOperator<byte[]> work) throws Exception {
        while (true) {
            var stat = new Stat();
            var changed = new CountDownLatch(1);
            byte[] task = client.getData()
                    .storingStatIn(stat)
                    .usingWatcher((org.apache.curator.framework.api.CuratorWatcher) event -> changed.countDown())
                    .forPath(node);
            if (stat.getVersion() % 2 == 0) {
                // Looked at from time to time even if no word comes.
                boolean told = changed.await(10, TimeUnit.SECONDS);
                LOG.trace("{} has news: {}", node, told);
            } else {
                client.setData().withVersion(stat.getVersion()).forPath(node, work.apply(task));
            }
        }
    }

    @Override
    public void close() {
        nodes.close();
    }
}
