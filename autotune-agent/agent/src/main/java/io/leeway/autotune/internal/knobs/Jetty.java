package io.leeway.autotune.internal.knobs;

import io.leeway.autotune.internal.bridge.Bridge;
import java.lang.reflect.InaccessibleObjectException;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Jetty's rules. A lowered maximum holds for new threads only: those that are there leave one by one, each after the
 * pool's idle timeout (a minute) since the last one came or went. Until then all of them work, so that a pool of ten is
 * one of forty. So threads that are too many are made to leave at once: the time of the last departure is set back, and
 * a job that does nothing wakes one that is idle, which then finds nothing else to do and goes.
 *
 * <p>A pool that always has a job waiting never lets a thread go. There, one that is done with a job rests instead of
 * taking the next, and goes as soon as others are idle. Threads at work are left alone.
 */
final class Jetty {

    /** What Jetty's lines call the time before which no further thread leaves: from 10.0.16 on, and before. */
    private static final List<String> DEPARTURES = List.of("_evictThreshold", "_lastShrink");

    private static final Runnable NOTHING = () -> {};

    private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    /** So many steps for one thread to go. */
    private static final int STEPS = 25;

    /** At most so many threads at each look. */
    private static final int AT_ONCE = 20;

    /** No thread rests longer than this, in case nobody ever leaves. */
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How many threads of a pool rest. */
    private static final Map<Object, Integer> RESTING = new WeakHashMap<>();

    private static long lastGone = System.nanoTime() - LOOK_NANOS;

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

    /** How many threads work or could, after those that are too many and idle have left. */
    static int settled(Object pool) throws ReflectiveOperationException {
        try {
            for (int i = 0; i < AT_ONCE && surplus(pool) > 0 && idle(pool) > 0; i++) {
                letOneGo(pool);
            }
        } catch (InaccessibleObjectException | NoSuchFieldException e) {
            // A named module, or a line that does it differently: they leave in their own time.
            return threads(pool);
        }
        if (surplus(pool) > 0) {
            Bridge.surplus(true);
        }
        return threads(pool) - resting(pool);
    }

    private static int threads(Object pool) throws ReflectiveOperationException {
        return Reflect.number(pool, "getThreads");
    }

    private static int idle(Object pool) throws ReflectiveOperationException {
        return Reflect.number(pool, "getIdleThreads");
    }

    private static int resting(Object pool) {
        synchronized (RESTING) {
            return RESTING.getOrDefault(pool, 0);
        }
    }

    private static int surplus(Object pool) throws ReflectiveOperationException {
        return threads(pool) - resting(pool) - most(pool);
    }

    /** Nobody has left for longer than the idle timeout: the next one that finds nothing to do may go. */
    private static void mayGo(Object pool) throws ReflectiveOperationException {
        long timeout = TimeUnit.MILLISECONDS.toNanos(Math.max(1, Reflect.number(pool, "getIdleTimeout")));
        ((AtomicLong) Reflect.field(pool, DEPARTURES)).set(System.nanoTime() - 2 * timeout);
    }

    private static synchronized void letOneGo(Object pool) throws ReflectiveOperationException {
        int before = threads(pool);
        mayGo(pool);
        Reflect.call(pool, "execute", NOTHING);
        for (int i = 0; i < STEPS && threads(pool) >= before; i++) {
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    /** Called by a thread of the pool between two jobs: returns at once unless it is one too many. */
    static void rest(Object pool) throws ReflectiveOperationException {
        synchronized (RESTING) {
            if (surplus(pool) <= 0) {
                Bridge.surplus(false);
                return;
            }
            RESTING.merge(pool, 1, Integer::sum);
        }
        try {
            long end = System.nanoTime() + LONGEST_NANOS;
            while (threads(pool) > most(pool) && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(LOOK_NANOS);
                if (idle(pool) > 0 && isNext(pool)) {
                    return;
                }
            }
        } finally {
            synchronized (RESTING) {
                RESTING.merge(pool, -1, Integer::sum);
            }
        }
    }

    /**
     * Whether a thread that rests may go, as others are idle: nothing is waiting then, and it goes when it sees that.
     * One after the other, since only one of two would. If a job comes first it is one too many again after that; one
     * that did not go in time and is idle now is woken.
     */
    private static synchronized boolean isNext(Object pool) throws ReflectiveOperationException {
        if (System.nanoTime() - lastGone < LOOK_NANOS) {
            return false;
        }
        if (surplus(pool) > 0) {
            letOneGo(pool);
            return false;
        }
        lastGone = System.nanoTime();
        mayGo(pool);
        Bridge.surplus(true);
        return true;
    }
}
