package io.leeway.pipelining.graph.internal.run;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.atomic.SpscAtomicArrayQueue;

/** What it costs to hand a tuple over on this machine, measured once. */
final class HandOver {

    private static final int TUPLES = 200_000;
    private static final int WARM_UP = 3;
    private static final int CAPACITY = 256;
    private static final double LEAST = 10;
    private static final double MOST = 1_000;

    private HandOver() {}

    /** Nanoseconds of CPU on each side. */
    static double nanos() {
        return Once.NANOS;
    }

    private static final class Once {
        static final double NANOS = measure();
    }

    private static double measure() {
        double least = MOST;
        for (int round = 0; round <= WARM_UP; round++) {
            // Waiting for the other side is in it, so the least is the nearest.
            least = Math.min(least, once());
        }
        return Math.max(LEAST, least);
    }

    private static double once() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (!threads.isCurrentThreadCpuTimeSupported()) {
            return 100;
        }
        var queue = new SpscAtomicArrayQueue<Object>(CAPACITY);
        var consumed = new AtomicLong();
        var consumer = new Thread(() -> {
            long begin = threads.getCurrentThreadCpuTime();
            for (int taken = 0; taken < TUPLES; ) {
                if (queue.poll() == null) {
                    LockSupport.parkNanos(1);
                } else {
                    taken++;
                }
            }
            consumed.set(threads.getCurrentThreadCpuTime() - begin);
        });
        consumer.setDaemon(true);
        consumer.start();
        long begin = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < TUPLES; i++) {
            while (!queue.offer(Boolean.TRUE)) {
                LockSupport.parkNanos(1);
            }
        }
        long produced = threads.getCurrentThreadCpuTime() - begin;
        try {
            consumer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Math.max(produced, consumed.get()) / (double) TUPLES;
    }
}
