package io.leeway.testkit.history;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One operation with the moments of its call and its return, on one clock that all threads share. */
public sealed interface Operation {

    /** The moment just before the call. */
    long invoked();

    /** The moment just after the return. */
    long returned();

    /**
     * A value was written to a key.
     *
     * @param key the key
     * @param value the value; null if it was deleted
     * @param acknowledged whether the write is known to have succeeded; if not, it may take effect at any later time, or never
     * @param invoked just before the call
     * @param returned just after the return
     */
    record Write(String key, @Nullable String value, boolean acknowledged, long invoked, long returned)
            implements Operation {}

    /**
     * A key was read.
     *
     * @param key the key
     * @param value what it had; null if nothing
     * @param invoked just before the call
     * @param returned just after the return
     */
    record ReadKey(String key, @Nullable String value, long invoked, long returned) implements Operation {}

    /**
     * The keys that have a value were read.
     *
     * @param value the value
     * @param keys the answer
     * @param invoked just before the call
     * @param returned just after the return
     */
    record ReadValue(String value, Set<String> keys, long invoked, long returned) implements Operation {
        /** Takes a copy. */
        public ReadValue {
            keys = Set.copyOf(keys);
        }
    }
}
