package io.leeway.autotune.internal.knobs;

import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.ThreadPoolExecutor;

/** What to call an executor: by its threads' names without their numbers, as they are the same after a restart. */
final class ThreadNames {

    private ThreadNames() {}

    static String of(ThreadPoolExecutor pool) {
        try {
            // A set that others write; what is read in the middle of that is given up.
            for (Object worker : (Collection<?>) Reflect.field(pool, "workers")) {
                Thread thread = (Thread) Reflect.field(worker, "thread");
                return cleaned(thread.getName());
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            // The package is not open to the agent, or the set has just changed.
        }
        return cleaned(pool.getThreadFactory().getClass().getSimpleName());
    }

    private static String cleaned(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-").replaceAll("^-|-$", "");
        return plain.isEmpty() ? "pool" : plain;
    }
}
