package io.leeway.autotune.internal.knobs;

import java.util.concurrent.locks.Lock;

/**
 * Bounded Caffeine caches. Their maximum is written under the cache's own eviction lock, as its policy does; clean-up
 * afterwards evicts what is too much, so that the number of entries can be looked at.
 */
final class Caffeine {

    private Caffeine() {}

    /** Whether it has a maximum that a knob's whole number can express. */
    static boolean isBounded(Object cache) throws ReflectiveOperationException {
        return (Boolean) Reflect.hidden(cache, "evicts") && maximum(cache) > 0 && maximum(cache) <= Integer.MAX_VALUE;
    }

    static boolean isWeighted(Object cache) throws ReflectiveOperationException {
        return (Boolean) Reflect.hidden(cache, "isWeighted");
    }

    private static long maximum(Object cache) throws ReflectiveOperationException {
        return ((Number) Reflect.hidden(cache, "maximum")).longValue();
    }

    static int size(Object cache) throws ReflectiveOperationException {
        return Math.toIntExact(maximum(cache));
    }

    static void resize(Object cache, int size) throws ReflectiveOperationException {
        var lock = (Lock) Reflect.field(cache, "evictionLock");
        lock.lock();
        try {
            Reflect.hidden(cache, "setMaximumSize", (long) size);
        } finally {
            lock.unlock();
        }
        Reflect.hidden(cache, "cleanUp");
    }

    /** What is in it, in the unit of its maximum. */
    static int present(Object cache) throws ReflectiveOperationException {
        return Math.toIntExact(((Number) Reflect.hidden(cache, "weightedSize")).longValue());
    }
}
