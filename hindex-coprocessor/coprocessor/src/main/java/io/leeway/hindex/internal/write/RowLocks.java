package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.silence.Wait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * HBase lets several puts of one row in at a time. An entry over several columns depends on what the others write, so they come
 * one after the other: each from before it reads the row until what it wrote is visible.
 *
 * Who holds some of these locks waits for none of HBase's, and takes all that it needs at once and in the order of the rows: no
 * ring of waiting. Nobody waits without limit.
 */
/** Exclusive locks of rows. Thread-safe. */
final class RowLocks {

    /** By row, who holds it. The latch is the call's, not the row's: nothing is left of a row that nobody holds. */
    private final ConcurrentHashMap<ByteBuffer, CountDownLatch> held = new ConcurrentHashMap<>();

    private final long patienceMillis;

    /** Nobody waits longer than this for all rows of a call together. */
    RowLocks(long patienceMillis) {
        this.patienceMillis = patienceMillis;
    }

    /** Rows that are locked; not thread-safe. */
    final class Hold {

        private final CountDownLatch released = new CountDownLatch(1);
        private final List<ByteBuffer> rows = new ArrayList<>();

        private Hold() {}

        /**
         * Lets others in; once more does nothing.
         *
         * <p>The rows go first: who wakes up must find them free.
         */
        void release() {
            rows.forEach(held::remove);
            rows.clear();
            released.countDown();
        }
    }

    /**
     * Waits for all these rows.
     *
     * <p>In the order of the rows, and one time limit for all together. What was got is given back when it passes.
     */
    Hold lock(Collection<ByteBuffer> rows) throws IOException {
        var hold = new Hold();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        try {
            for (ByteBuffer row : new TreeSet<>(rows)) {
                lock(row, hold, deadline);
            }
            return hold;
        } catch (IOException e) {
            hold.release();
            throw e;
        }
    }

    /**
     * Whoever comes first has it; nobody queues up. A waiter may lose against one that came later, but none loses for
     * longer than the time limit, after which its client tries again.
     */
    private void lock(ByteBuffer row, Hold hold, long deadline) throws IOException {
        @Nullable CountDownLatch other = held.putIfAbsent(row, hold.released);
        while (other != null) {
            CountDownLatch holder = other;
            Wait.ROW.awaitUntil(deadline, millis -> holder.await(millis, TimeUnit.MILLISECONDS));
            other = held.putIfAbsent(row, hold.released);
        }
        hold.rows.add(row);
    }
}
