package io.leeway.pipelining.internal.queue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;

/**
 * What producers wait for where a queue is full, and what the JVM is told that they wait for: the thread that empties it.
 *
 * <p>A user's operator may emit while it has a lock that an operator behind the queue takes. In one thread that is harmless,
 * since the lock is re-entrant; with a queue between the two each would wait for the other for ever. The JVM knows who waits
 * for whose lock; as the owner of this object is the queue's thread, it also knows who waits for which queue, and the circle
 * can be followed through both. Who is in it puts its tuple beyond the limit, and goes on to where it gives the lock back.
 *
 * <p>Seen are monitors and locks that have an owner ({@code ReentrantLock}, the write side of a {@code
 * ReentrantReadWriteLock}), not semaphores, latches and the like. Thread-safe. A look costs some microseconds; it is taken
 * only after a wait.
 */
public final class Room extends AbstractOwnableSynchronizer {

    private static final long serialVersionUID = 1;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** More threads in a row than that are not followed. */
    private static final int MOST = 64;

    private final transient Thread consumer;

    /** In a queue that this thread empties. */
    public Room(Thread consumer) {
        this.consumer = consumer;
        setExclusiveOwnerThread(consumer);
    }

    /** Waits until it is woken, and at most so many nanoseconds. */
    public void park(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    /** Whether the queue's thread waits, perhaps through others, for a lock or a queue of the calling thread. */
    public boolean waitsForCaller() {
        long caller = Thread.currentThread().getId();
        long next = consumer.getId();
        for (int i = 0; i < MOST && next >= 0; i++) {
            ThreadInfo info = THREADS.getThreadInfo(next);
            next = info == null ? -1 : info.getLockOwnerId();
            if (next == caller) {
                return true;
            }
        }
        return false;
    }
}
