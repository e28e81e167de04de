package io.leeway.autotune.internal.knobs;

import java.lang.reflect.InaccessibleObjectException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Jetty's rules. A lowered maximum holds for new threads only: those that are there leave one by one, each after the
 * pool's idle timeout (a minute) since the last one came or went. Until then all of them work, so that a pool of ten is
 * one of forty. So surplus threads that are idle are made to leave at once: for a moment the idle timeout is a
 * millisecond and the time of the last departure is past, and jobs that do nothing but wait for each other wake those
 * that still wait for a minute. No more of these than there are surplus threads, so that never fewer than the new maximum
 * are there for requests. Threads at work are left alone and looked at again.
 */
final class Jetty {

    /** For so many steps of a millisecond threads leave faster than usual. */
    private static final int STEPS = 40;

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PAST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What Jetty's lines call the time before which no further thread leaves: from 10.0.16 on, and before. */
    private static final List<String> DEPARTURES = List.of("_evictThreshold", "_lastShrink");

    /** A job that wakes a thread waits at most so long for the others, so that no thread takes two of them. */
    private static final long TOGETHER_MILLIS = 20;

    private Jetty() {}

    static int most(Object pool) throws ReflectiveOperationException {
        return Reflect.number(pool, "getMaxThreads");
    }

    /** The minimum is what the application has it be, but not above the maximum. */
    static void resize(Object pool, int size, int least) throws ReflectiveOperationException {
        if (size < most(pool)) {
            Reflect.call(pool, "setMinThreads", Math.min(least, size));
            Reflect.call(pool, "setMaxThreads", size);
        } else {
            Reflect.call(pool, "setMaxThreads", size);
            Reflect.call(pool, "setMinThreads", Math.min(least, size));
        }
    }

    /** How many threads there are, after those that are too many and idle have left. */
    static int settled(Object pool) throws ReflectiveOperationException {
        int most = most(pool);
        try {
            if (threads(pool) > most) {
                reap(pool, most);
            }
        } catch (InaccessibleObjectException | NoSuchFieldException e) {
            // A named module, or a line that does it differently: they leave in their own time.
            return threads(pool);
        }
        return threads(pool);
    }

    private static int threads(Object pool) throws ReflectiveOperationException {
        return Reflect.number(pool, "getThreads");
    }

    private static void reap(Object pool, int most) throws ReflectiveOperationException {
        var departure = (AtomicLong) Reflect.field(pool, DEPARTURES);
        // Not the setter: that of some lines throws once the pool runs.
        Object timeout = Reflect.field(pool, "_idleTimeout");
        try {
            Reflect.set(pool, "_idleTimeout", 1);
            int toWake = Math.min(threads(pool) - most, Reflect.number(pool, "getIdleThreads"));
            var awake = new CountDownLatch(toWake);
            Runnable waking = () -> wake(awake);
            for (int i = 0; i < toWake; i++) {
                Reflect.call(pool, "execute", waking);
            }
            for (int i = 0; i < STEPS && threads(pool) > most; i++) {
                departure.set(System.nanoTime() - PAST_NANOS);
                LockSupport.parkNanos(STEP_NANOS);
            }
        } finally {
            Reflect.set(pool, "_idleTimeout", timeout);
        }
    }

    private static void wake(CountDownLatch awake) {
        awake.countDown();
        try {
            boolean unused = awake.await(TOGETHER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
