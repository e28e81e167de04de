package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/** Clients that write tables whose servers are killed or load files into them, and clients that read them meanwhile, until closed. */
final class KillClients implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** They leave processor time to the servers, which start again and again. */
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    /** So rarely that there is also much in memory that was never flushed: each load flushes. */
    private static final int WRITES_PER_LOAD = 10;

    private final List<KilledTable> tables;
    private final List<Thread> threads = new ArrayList<>();
    // Clients hold the read lock during an operation, so that whoever has the write lock is alone.
    private final ReentrantReadWriteLock pause = new ReentrantReadWriteLock(true);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean ended;

    interface Step {
        void run() throws Exception;
    }

    private KillClients(List<KilledTable> tables) {
        this.tables = List.copyOf(tables);
    }

    static KillClients start(List<KilledTable> tables, long seed) throws Exception {
        var clients = new KillClients(tables);
        var random = new Random(seed);
        for (KilledTable table : tables) {
            for (int writer = 0; writer < KilledTable.WRITERS; writer++) {
                int number = writer;
                var own = new Random(random.nextLong());
                Table connected = table.connect();
                clients.thread("writer of " + table.name(), () -> table.write(connected, number, own));
            }
            clients.loader(table, new Random(random.nextLong()));
            var hasty = new Random(random.nextLong());
            Table connected = table.connect();
            clients.thread("hasty writer of " + table.name(), () -> table.writeHastily(connected, hasty));
            var own = new Random(random.nextLong());
            clients.thread("reader of " + table.name(), () -> table.read(own));
        }
        clients.threads.forEach(Thread::start);
        return clients;
    }

    private void loader(KilledTable table, Random random) throws IOException {
        Table connected = table.connect();
        thread("loader of " + table.name(), () -> {
            if (random.nextInt(WRITES_PER_LOAD) == 0) {
                table.load(random);
            } else {
                table.write(connected, KilledTable.WRITERS, random);
            }
        });
    }

    private void thread(String name, Step step) {
        var thread = new Thread(
                () -> {
                    while (!ended && failure.get() == null) {
                        pause.readLock().lock();
                        try {
                            step.run();
                        } catch (Exception | AssertionError e) {
                            failure.compareAndSet(null, e);
                        } finally {
                            pause.readLock().unlock();
                        }
                        LockSupport.parkNanos(PACE_NANOS);
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
    }

    /** Waits until so many more writes of these tables were acknowledged, for each of them. */
    void awaitAcknowledged(int more, Predicate<KilledTable> which) {
        for (KilledTable table : tables) {
            if (which.test(table)) {
                long target = table.acknowledged() + more;
                await("writes of " + table.name())
                        .atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> failure.get() != null || table.acknowledged() >= target);
            }
        }
        requireNoFailure();
    }

    /** Waits until files are being loaded into a table. */
    void awaitLoading(KilledTable table) {
        await("a load into " + table.name())
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> failure.get() != null || table.isLoading());
        requireNoFailure();
    }

    /** Waits until files were loaded into each table; true of long runs long before their end. */
    void awaitLoads() {
        for (KilledTable table : tables) {
            await("loads into " + table.name())
                    .atMost(PATIENCE)
                    .until(() -> failure.get() != null || table.loads() > 0);
        }
        requireNoFailure();
    }

    /** Alone: nobody writes and nobody reads. */
    void whilePaused(Step step) throws Exception {
        assertThat(pause.writeLock().tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("clients finish their operation")
                .isTrue();
        try {
            requireNoFailure();
            step.run();
        } finally {
            pause.writeLock().unlock();
        }
    }

    private void requireNoFailure() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError("a client failed: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        ended = true;
        try {
            for (Thread thread : threads) {
                thread.join(PATIENCE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
