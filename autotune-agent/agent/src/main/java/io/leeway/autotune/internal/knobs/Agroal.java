package io.leeway.autotune.internal.knobs;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Agroal's rules, the pool of Quarkus and WildFly. The pool reads its configuration at each use; connections beyond a
 * lowered maximum are closed when they come back. Idle ones do not come back: they are flushed, for which the minimum is
 * the maximum for a moment, since a flush goes down to the minimum.
 */
final class Agroal {

    private static final int STEPS = 40;
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Agroal() {}

    private static Object configuration(Object pool) throws ReflectiveOperationException {
        return Reflect.field(pool, "configuration");
    }

    static int size(Object pool) throws ReflectiveOperationException {
        return Reflect.number(configuration(pool), "maxSize");
    }

    static int least(Object pool) throws ReflectiveOperationException {
        return Reflect.number(configuration(pool), "minSize");
    }

    static void resize(Object pool, int size, int least) throws ReflectiveOperationException {
        Object configuration = configuration(pool);
        if (size < size(pool)) {
            Reflect.call(configuration, "setMinSize", Math.min(least, size));
            Reflect.call(configuration, "setMaxSize", size);
        } else {
            Reflect.call(configuration, "setMaxSize", size);
            Reflect.call(configuration, "setMinSize", Math.min(least, size));
        }
    }

    private static int connections(Object pool) throws ReflectiveOperationException {
        return ((Collection<?>) Reflect.field(pool, "allConnections")).size();
    }

    /** How many connections there are, without those that were too many and idle. */
    static int settled(Object pool) throws ReflectiveOperationException {
        int most = size(pool);
        if (connections(pool) > most) {
            int least = least(pool);
            Reflect.call(configuration(pool), "setMinSize", most);
            try {
                flushIdle(pool);
                for (int i = 0; i < STEPS && connections(pool) > most; i++) {
                    LockSupport.parkNanos(STEP_NANOS);
                }
            } finally {
                Reflect.call(configuration(pool), "setMinSize", least);
            }
        }
        return connections(pool);
    }

    private static void flushIdle(Object pool) throws ReflectiveOperationException {
        Object mode = Arrays.stream(pool.getClass().getMethods())
                .filter(method -> method.getName().equals("flushPool") && method.getParameterCount() == 1)
                .flatMap(method -> Arrays.stream(method.getParameterTypes()[0].getEnumConstants()))
                .filter(constant -> constant.toString().equals("IDLE"))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(pool.getClass().getName() + ".flushPool"));
        Reflect.call(pool, "flushPool", mode);
    }
}
