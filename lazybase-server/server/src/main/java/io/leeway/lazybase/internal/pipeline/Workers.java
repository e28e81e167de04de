package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.storage.FencedStore;
import io.leeway.lazybase.internal.storage.RunFile.CorruptFileException;
import io.leeway.lazybase.spi.Helpers;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that ask the coordinator for tasks and do them, or have another process do them. A task that failed, wherever, is open again and
 * taken by whoever asks next. Thread-safe.
 */
final class Workers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long LOOK_MILLIS = 200;

    /** Tasks that other processes do at once, at most. */
    private static final int MOST_HELPERS = 16;

    /** A larger task stays here. */
    private static final int LARGEST_TASK = 512 << 10;

    private final Pipeline pipeline;
    private final Store store;
    private final PipelineSettings settings;
    private final List<Thread> here = new ArrayList<>();
    private final List<Thread> there = new ArrayList<>();
    private final AtomicInteger idleHelpers = new AtomicInteger();

    Workers(Pipeline pipeline, Store store, PipelineSettings settings) {
        this.pipeline = pipeline;
        this.store = store;
        this.settings = settings;
    }

    void start(@Nullable Helpers helpers) {
        for (int i = 0; i < settings.workers(); i++) {
            here.add(begun(this::work, "lazybase-worker-" + i));
        }
        if (helpers != null) {
            for (int i = 0; i < MOST_HELPERS; i++) {
                there.add(begun(() -> delegate(helpers), "lazybase-helper-" + i));
            }
        }
    }

    private static Thread begun(Runnable work, String name) {
        Thread worker = new Thread(work, name);
        worker.setDaemon(true);
        worker.start();
        return worker;
    }

    /** Sorting comes first; merging is left to other processes that have nothing to do, since queries need this one's time. */
    private void work() {
        boolean open = true;
        while (open) {
            open = attempt(() -> {
                boolean did = pipeline.sortOne(this::doHere)
                        || (idleHelpers.get() == 0
                                && (pipeline.renewOne(false, this::doHere) || pipeline.mergeOne(this::doHere)));
                return did || pipeline.await(LOOK_MILLIS);
            });
        }
    }

    /** Gives tasks to another process as long as that one does them. */
    private void delegate(Helpers from) {
        boolean open = true;
        while (open) {
            open = attempt(() -> {
                try (Helpers.Helper helper = from.take(RETRY)) {
                    return helper == null ? pipeline.isOpen() : delegate(helper);
                } catch (InterruptedException e) {
                    return false;
                }
            });
        }
    }

    private boolean delegate(Helpers.Helper helper) throws IOException {
        Task.Runner runner = (task, scu) -> doThere(helper, task, scu);
        idleHelpers.incrementAndGet();
        try {
            boolean open = true;
            while (open) {
                open = pipeline.renewOne(false, runner)
                        || pipeline.mergeOne(runner)
                        || pipeline.sortOne(runner)
                        || pipeline.await(LOOK_MILLIS);
            }
        } finally {
            idleHelpers.decrementAndGet();
        }
        return false;
    }

    /** A step; false if there is no other. */
    @FunctionalInterface
    private interface Step {
        boolean run() throws IOException;
    }

    private boolean attempt(Step step) {
        try {
            return step.run();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // Memory may have gone to a query that has ended since; a thread less would never be seen.
            if (pipeline.isOpen()) {
                LOG.warn("a task failed and is tried again", e);
            }
            if (e instanceof CorruptFileException corrupt) {
                remake(corrupt.file());
            }
            return pipeline.await(RETRY.toMillis());
        }
    }

    private void remake(String file) {
        try {
            pipeline.remake(file);
        } catch (IOException e) {
            LOG.warn("{} is damaged and cannot be made again now: {}", file, e.toString());
        }
    }

    Task.Done doHere(Task task, @Nullable Scu scu) throws IOException {
        return Stages.run(store, settings, task, scu);
    }

    private Task.Done doThere(Helpers.Helper helper, Task task, @Nullable Scu scu) throws IOException {
        long term = store instanceof FencedStore fenced ? fenced.term() : 0;
        byte[] order = TaskCodec.bytes(new TaskCodec.Order(term, task));
        if (order.length > LARGEST_TASK) {
            return doHere(task, scu);
        }
        idleHelpers.decrementAndGet();
        try {
            Task.Done done = TaskCodec.done(helper.call(order));
            pipeline.meter(task.stage()).helped();
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            idleHelpers.incrementAndGet();
        }
    }

    /** Waits for tasks that are done here to end; others are let go. The pipeline is closed already. */
    @Override
    public void close() {
        there.forEach(Thread::interrupt);
        here.forEach(Pipeline::join);
        there.forEach(Pipeline::join);
    }
}
