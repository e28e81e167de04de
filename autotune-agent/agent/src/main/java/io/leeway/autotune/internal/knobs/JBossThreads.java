package io.leeway.autotune.internal.knobs;

import java.util.Collection;
import java.util.concurrent.locks.LockSupport;

/**
 * The rules of JBoss Threads' executor (Quarkus, WildFly, XNIO). An idle thread looks at the maximum only when it wakes,
 * and it may wait for a minute or for ever; so surplus threads are woken, which every thread that is parked has to
 * expect at any time.
 */
final class JBossThreads {

    private JBossThreads() {}

    /** The core is what the application has it be, but not above the maximum; where both were alike they stay so. */
    static void resize(Object executor, int size, int core, boolean coreFollows) throws ReflectiveOperationException {
        int least = coreFollows ? size : Math.min(core, size);
        if (size < Reflect.number(executor, "getMaximumPoolSize")) {
            Reflect.call(executor, "setCorePoolSize", least);
            Reflect.call(executor, "setMaximumPoolSize", size);
        } else {
            Reflect.call(executor, "setMaximumPoolSize", size);
            Reflect.call(executor, "setCorePoolSize", least);
        }
    }

    /** How many threads there are; those that are too many and idle leave now. */
    static int settled(Object executor) throws ReflectiveOperationException {
        int threads = Reflect.number(executor, "getPoolSize");
        if (threads > Reflect.number(executor, "getMaximumPoolSize")) {
            wake(executor);
        }
        return Reflect.number(executor, "getPoolSize");
    }

    private static void wake(Object executor) throws ReflectiveOperationException {
        for (Object thread : (Collection<?>) Reflect.field(executor, "runningThreads")) {
            LockSupport.unpark((Thread) thread);
        }
    }
}
