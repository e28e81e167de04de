package io.leeway.testkit.history;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records what threads do. Each takes {@link #now()} just before a call and adds the operation just after it. The clock counts
 * rather than measures: no two moments are the same, and what returned before something was called has the lower one.
 * Thread-safe.
 */
public final class History {

    private final AtomicLong clock = new AtomicLong();
    private final ConcurrentLinkedQueue<Operation> operations = new ConcurrentLinkedQueue<>();

    /** Starts empty. */
    public History() {}

    /** The next moment. */
    public long now() {
        return clock.incrementAndGet();
    }

    /** Adds a write that was acknowledged; a null value is a delete. */
    public void wrote(String key, @Nullable String value, long invoked) {
        operations.add(new Operation.Write(key, value, true, invoked, now()));
    }

    /** Adds a write that failed, or whose fate is not known. */
    public void mayHaveWritten(String key, @Nullable String value, long invoked) {
        operations.add(new Operation.Write(key, value, false, invoked, now()));
    }

    /** Adds a read of a key. */
    public void readKey(String key, @Nullable String value, long invoked) {
        operations.add(new Operation.ReadKey(key, value, invoked, now()));
    }

    /** Adds a read by value. */
    public void readValue(String value, Set<String> keys, long invoked) {
        operations.add(new Operation.ReadValue(value, keys, invoked, now()));
    }

    /** All operations so far. */
    public List<Operation> operations() {
        return List.copyOf(operations);
    }
}
