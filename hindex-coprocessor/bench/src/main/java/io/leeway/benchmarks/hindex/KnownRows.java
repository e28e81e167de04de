package io.leeway.benchmarks.hindex;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The rows of a store whose values are known, so that a read that does not find what was written is noticed. Writes of a row wait
 * for each other; reads do not. Thread-safe.
 */
final class KnownRows {

    private static final int STRIPES = 256;

    private final String payload;
    private final AtomicLongArray values;
    private final AtomicLong written;
    /** Odd while a row is written. */
    private final AtomicIntegerArray changes;

    private final Object[] stripes = new Object[STRIPES];

    /** As many as {@link Rows#all} makes. */
    KnownRows(int keys, int payloadLength) {
        this.payload = "p".repeat(payloadLength);
        this.values = new AtomicLongArray(keys);
        this.changes = new AtomicIntegerArray(keys);
        this.written = new AtomicLong(keys);
        for (int key = 0; key < keys; key++) {
            values.set(key, key);
        }
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Object();
        }
    }

    int count() {
        return values.length();
    }

    /** Gives a row a value that was never there. */
    void write(Store store, int key) throws Exception {
        synchronized (stripes[key % STRIPES]) {
            changes.incrementAndGet(key);
            long value = written.getAndIncrement();
            store.put(List.of(new Row(Row.key(key), Row.value(value), payload)));
            values.set(key, value);
            changes.incrementAndGet(key);
        }
    }

    /** Reads a row by its value; fails if it is not found though nobody has changed it meanwhile. */
    void readByValue(Store store, int key) throws Exception {
        int before = changes.get(key);
        int found = store.readValue(Row.value(values.get(key)));
        if (found != 1 && before % 2 == 0 && changes.get(key) == before) {
            throw new IllegalStateException(
                    store.name() + " finds " + found + " rows by the value of row " + key + " instead of one");
        }
    }

    void readByKey(Store store, int key) throws Exception {
        if (!store.readKey(Row.key(key))) {
            throw new IllegalStateException(store.name() + " does not find row " + key);
        }
    }
}
