package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.silence.Wait;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

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
     * <p>The number of failures is read before the wait: only a failure of who was in front counts, not one of long
     * ago.
     *
     * @throws IOException without having done it, if others take too long, or one of them failed meanwhile
     */
    void take(Work work) throws IOException {
        long before = failures.get();
        Wait.TURN.await(patienceMillis, millis -> lock.tryLock(millis, TimeUnit.MILLISECONDS));
        try {
            if (failures.get() != before) {
                throw Wait.SHARED_ANSWER.failure(this);
            }
            run(work);
        } finally {
            lock.unlock();
        }
    }

    /** Anything but a return counts as a failure, also an error of the machine. */
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
