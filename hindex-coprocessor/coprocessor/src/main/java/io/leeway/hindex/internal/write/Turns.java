package io.leeway.hindex.internal.write;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.RegionTooBusyException;

/*
 * Who waits for an index has a handler and locks of rows. Were each to wait for the others and then to try himself, an index that
 * does not answer would keep the last as many time limits as there are handlers, and all handlers of the server for so long. So
 * a call that fails has failed for all who waited for it, and nobody waits longer than one call may take.
 */
/** Calls to an index that are made one after the other, by who needs them. Thread-safe. */
final class Turns {

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong failures = new AtomicLong();
    private final long patienceMillis;

    /** Nobody waits longer than this for others. */
    Turns(long patienceMillis) {
        this.patienceMillis = patienceMillis;
    }

    /** What is done in a turn. */
    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }

    /**
     * Does something when nobody else does; also within a turn.
     *
     * @throws RegionTooBusyException without having done it, if others take too long, or one of them failed meanwhile
     */
    void take(Work work) throws IOException {
        long before = failures.get();
        await();
        try {
            if (failures.get() != before) {
                throw new RegionTooBusyException("the index did not answer another write just now; try again");
            }
            run(work);
        } finally {
            lock.unlock();
        }
    }

    private void await() throws IOException {
        try {
            if (!lock.tryLock(patienceMillis, TimeUnit.MILLISECONDS)) {
                throw new RegionTooBusyException("other writes wait for the answer of the index; try again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while other writes waited for the index", e);
        }
    }

    private void run(Work work) throws IOException {
        boolean isDone = false;
        try {
            work.run();
            isDone = true;
        } finally {
            if (!isDone) {
                failures.incrementAndGet();
            }
        }
    }
}
