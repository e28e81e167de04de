package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes commits (James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014, section 3.3.3). Those that wait while one
 * sync is under way become one group: one record of the open SCU's file, one sync, one answer to all. The order of groups is the order of
 * history; their times never go back, whatever the clock does.
 *
 * <p>If writing fails, the outcome of the group is not known: its clients are told so, the SCU is sealed with what was acknowledged, and
 * the next group goes to a new file, so that nothing ever follows bytes of which nobody knows whether they are there.
 */
final class Ingest implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);

    /** Commits are grouped up to so many bytes in memory. */
    private static final long GROUP_BYTES = 8L << 20;

    private static final long SPACE_CHECK_MILLIS = 500;

    private final Pipeline pipeline;
    private final Store store;
    private final PipelineSettings settings;
    private final LongSupplier clock;

    private final Object queueLock = new Object();
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private long queuedBytes;
    private long unsortedBytes;
    private boolean closed;
    private volatile long lastTime;

    // Only whoever holds this object's lock writes.
    private Store.@Nullable Writer out;
    private long openedAt;
    private long spaceCheckedAt;
    private boolean spaceLow;
    private boolean mustSeal;
    private @Nullable Thread thread;

    private record Waiting(Map<Integer, Batch> batches, long bytes, CompletableFuture<CommitToken> answer) {}

    Ingest(Pipeline pipeline, Store store, PipelineSettings settings, LongSupplier clock, long lastTime) {
        this.pipeline = pipeline;
        this.store = store;
        this.settings = settings;
        this.clock = clock;
        this.lastTime = lastTime;
    }

    void start() {
        Thread writer = new Thread(this::run, "lazybase-ingest");
        writer.setDaemon(true);
        thread = writer;
        writer.start();
    }

    long lastTime() {
        return lastTime;
    }

    long backlog() {
        synchronized (queueLock) {
            return queuedBytes + unsortedBytes;
        }
    }

    CompletableFuture<CommitToken> commit(Map<Integer, Batch> batches) {
        long bytes = batches.values().stream().mapToLong(Batch::memory).sum();
        if (bytes > settings.commitBytes()) {
            throw new LazyBaseException(
                    Code.TOO_LARGE, "A commit of " + bytes + " bytes; the limit is " + settings.commitBytes() + ".");
        }
        var waiting = new Waiting(batches, bytes, new CompletableFuture<>());
        synchronized (queueLock) {
            awaitRoom(bytes);
            queue.addLast(waiting);
            queuedBytes += bytes;
            queueLock.notifyAll();
        }
        return waiting.answer;
    }

    /** Commits wait when too much is not sorted: clients feel that the pipeline is behind, memory does not. */
    private void awaitRoom(long bytes) {
        long until = System.nanoTime() + settings.commitWait().toNanos();
        while (!closed
                && queuedBytes + unsortedBytes > 0
                && queuedBytes + unsortedBytes + bytes > settings.backlogBytes()) {
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new LazyBaseException(
                        Code.OVERLOADED,
                        queuedBytes + unsortedBytes + " bytes wait to be sorted; the limit is "
                                + settings.backlogBytes() + ".");
            }
            try {
                queueLock.wait(Math.min(left, 1_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LazyBaseException(Code.CANCELLED, "The commit was interrupted.", e);
            }
        }
        if (closed) {
            throw new LazyBaseException(Code.CLOSED, "The commit was not taken.");
        }
    }

    void backlogShrank() {
        long now = pipeline.unsortedMemory();
        synchronized (queueLock) {
            unsortedBytes = now;
            queueLock.notifyAll();
        }
    }

    private void run() {
        while (await()) {
            drain();
            sealIfOld();
        }
        seal();
    }

    /** Waits for a commit, or until the open SCU is old; false if this is closed. */
    @SuppressWarnings("WaitNotInLoop")
    private boolean await() {
        synchronized (queueLock) {
            try {
                if (queue.isEmpty() && !closed) {
                    queueLock.wait(Math.max(1, Math.min(settings.sealAge().toMillis() / 4 + 1, 1_000)));
                }
            } catch (InterruptedException e) {
                return false;
            }
            return !closed || !queue.isEmpty();
        }
    }

    private synchronized void sealIfOld() {
        if (out != null && clock.getAsLong() - openedAt >= settings.sealAge().toMillis()) {
            seal();
        }
    }

    /** Makes the commits that wait durable, as one group; false if none waited. */
    synchronized boolean drain() {
        List<Waiting> taken = take();
        if (taken.isEmpty()) {
            return false;
        }
        long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try {
            checkSpace();
            if (mustSeal) {
                seal();
            }
            if (mustSeal) {
                throw new IOException("the log does not take that the SCU before is sealed");
            }
            Group group = group(taken);
            byte[] record = GroupCodec.bytes(group);
            Scu scu = pipeline.openScu();
            write(scu, record);
            int groups = published(scu, group);
            pipeline.meter(Stage.INGEST)
                    .done(
                            group.rows(),
                            record.length,
                            ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began);
            var token = new CommitToken(scu.number(), groups);
            taken.forEach(waiting -> waiting.answer.complete(token));
            if (scu.rows() >= settings.sealRows() || scu.memory() >= settings.sealBytes()) {
                seal();
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            pipeline.meter(Stage.INGEST).failed();
            LazyBaseException told = e instanceof LazyBaseException own
                    ? own
                    : new LazyBaseException(Code.STORE, "The commit was not written: " + e.getMessage() + ".", e);
            taken.forEach(waiting -> waiting.answer.completeExceptionally(told));
        }
        return true;
    }

    /** A group that is in the file and not in memory would take the place of the next one when the file is read. */
    private int published(Scu scu, Group group) {
        try {
            return publish(scu, group);
        } catch (RuntimeException | OutOfMemoryError e) {
            abandon(scu);
            throw e;
        }
    }

    private int publish(Scu scu, Group group) {
        synchronized (pipeline) {
            scu.add(group);
            lastTime = group.time();
        }
        long now = pipeline.unsortedMemory();
        synchronized (queueLock) {
            unsortedBytes = now;
        }
        return scu.groups();
    }

    private List<Waiting> take() {
        var taken = new ArrayList<Waiting>();
        synchronized (queueLock) {
            long bytes = 0;
            while (!queue.isEmpty() && (taken.isEmpty() || bytes + queue.getFirst().bytes <= GROUP_BYTES)) {
                Waiting waiting = queue.removeFirst();
                bytes += waiting.bytes;
                taken.add(waiting);
            }
            queuedBytes -= bytes;
            queueLock.notifyAll();
        }
        return taken;
    }

    private void checkSpace() throws IOException {
        long now = clock.getAsLong();
        if (now - spaceCheckedAt >= SPACE_CHECK_MILLIS || spaceLow) {
            spaceCheckedAt = now;
            spaceLow = store.free() < settings.reserve();
        }
        if (spaceLow) {
            throw new LazyBaseException(Code.DISK_FULL, "The commit was not taken; nothing of it was written.");
        }
    }

    private Group group(List<Waiting> taken) {
        long time = Math.max(clock.getAsLong(), lastTime);
        var parts = new HashMap<Integer, List<Batch>>();
        for (Waiting waiting : taken) {
            waiting.batches.forEach((table, batch) ->
                    parts.computeIfAbsent(table, none -> new ArrayList<>()).add(batch));
        }
        var batches = new HashMap<Integer, Batch>();
        parts.forEach((table, some) -> batches.put(table, stamped(Batch.concat(some), time)));
        return new Group(time, batches);
    }

    /** With the time of the update as the hidden column. */
    private static Batch stamped(Batch batch, long time) {
        int count = batch.ids().length;
        int[] ids = new int[count + 1];
        Vector[] columns = new Vector[count + 1];
        long[] times = new long[batch.rows()];
        Arrays.fill(times, time);
        ids[0] = Column.UPDATED;
        columns[0] = Vector.ofLongs(batch.rows(), times, null);
        System.arraycopy(batch.ids(), 0, ids, 1, count);
        System.arraycopy(batch.columns(), 0, columns, 1, count);
        return new Batch(batch.rows(), batch.flags(), ids, columns);
    }

    private void write(Scu scu, byte[] record) throws IOException {
        Store.Writer mine = out;
        try {
            if (mine == null) {
                // A file of this number may be there if creating it failed halfway; nothing of it was acknowledged.
                store.delete(Sealed.file(scu.number()));
                mine = store.create(Sealed.file(scu.number()));
                out = mine;
                openedAt = clock.getAsLong();
            }
            mine.write(record, 0, record.length);
            mine.sync();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            LOG.error("a group of commits was not written", e);
            abandon(scu);
            throw e;
        }
    }

    /** After a failed write: what was acknowledged is sealed, and nothing is added to that file any more. */
    private void abandon(Scu scu) {
        if (scu.groups() > 0) {
            // Even if sealing fails now, by whatever.
            mustSeal = true;
            seal();
            return;
        }
        Store.Writer mine = out;
        out = null;
        closeQuietly(mine);
        try {
            // Otherwise the next start might find what queries did not find before.
            store.delete(Sealed.file(scu.number()));
        } catch (IOException e) {
            LOG.warn("SCU {} was not removed: {}", scu.number(), e.toString());
        }
    }

    private static void closeQuietly(Store.@Nullable Writer writer) {
        try {
            if (writer != null) {
                writer.close();
            }
        } catch (IOException e) {
            LOG.warn("a file was not closed: {}", e.toString());
        }
    }

    /** Ends the open SCU. If the log does not take that, the SCU stays open, and the next group is refused until it does. */
    synchronized void seal() {
        Store.Writer mine = out;
        Scu scu = pipeline.openScu();
        if (scu.groups() == 0) {
            return;
        }
        long bytes = mine == null ? 0 : mine.size();
        try {
            pipeline.sealed(new Sealed(scu.number(), scu.groups(), scu.rows(), bytes, scu.minTime(), scu.maxTime()));
            out = null;
            closeQuietly(mine);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            LOG.error("SCU {} was not sealed", scu.number(), e);
            mustSeal = true;
            return;
        }
        mustSeal = false;
    }

    @Override
    public void close() {
        var left = new ArrayList<Waiting>();
        synchronized (queueLock) {
            closed = true;
            left.addAll(queue);
            queue.clear();
            queueLock.notifyAll();
        }
        left.forEach(waiting ->
                waiting.answer.completeExceptionally(new LazyBaseException(Code.CLOSED, "The commit was not taken.")));
        Thread writer = thread;
        if (writer != null) {
            Pipeline.join(writer);
        }
        synchronized (this) {
            closeQuietly(out);
            out = null;
        }
    }
}
