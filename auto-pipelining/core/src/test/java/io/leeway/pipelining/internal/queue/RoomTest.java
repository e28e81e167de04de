package io.leeway.pipelining.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class RoomTest {

    private final ReentrantLock lock = new ReentrantLock();
    private final Object monitor = new Object();
    private final AtomicInteger taken = new AtomicInteger();

    @Test
    void seesAConsumerThatWaitsForTheCallersLockOrMonitor() throws Exception {
        var forLock = thread(this::takeLock);
        var forMonitor = thread(this::enterMonitor);
        lock.lock();
        try {
            synchronized (monitor) {
                forLock.start();
                forMonitor.start();
                await(new Room(forLock)::waitsForCaller);
                await(new Room(forMonitor)::waitsForCaller);
            }
        } finally {
            lock.unlock();
        }
        forLock.join();
        forMonitor.join();

        assertThat(taken).hasValue(2);
        assertThat(new Room(forLock).waitsForCaller()).as("ended").isFalse();
    }

    @Test
    void followsTheCircleThroughAnotherQueue() throws Exception {
        var last = thread(this::enterMonitor);
        var between = new Room(last);
        var given = new CountDownLatch(1);
        var middle = thread(() -> {
            while (given.getCount() > 0) {
                between.park(TimeUnit.MILLISECONDS.toNanos(100));
            }
        });
        synchronized (monitor) {
            last.start();
            middle.start();
            await(new Room(middle)::waitsForCaller);
        }
        given.countDown();
        last.join();
        middle.join();
    }

    @Test
    void doesNotTakeAnothersLockForTheCallers() throws Exception {
        var held = new CountDownLatch(1);
        var given = new CountDownLatch(1);
        var owner = thread(() -> {
            lock.lock();
            try {
                held.countDown();
                assertThat(given.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                lock.unlock();
            }
        });
        owner.start();
        assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();
        var waiting = thread(this::takeLock);
        waiting.start();
        await(lock::hasQueuedThreads);

        assertThat(new Room(waiting).waitsForCaller()).isFalse();
        given.countDown();
        waiting.join();
        owner.join();
    }

    private void takeLock() {
        lock.lock();
        try {
            taken.incrementAndGet();
        } finally {
            lock.unlock();
        }
    }

    private void enterMonitor() {
        synchronized (monitor) {
            taken.incrementAndGet();
        }
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    private static void await(BooleanSupplier condition) {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(limit);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
