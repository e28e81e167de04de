package io.leeway.privoxy.internal.guard;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache without bookkeeping on reads: entries go into the young map; when it is full it becomes the old one and
 * the old one is dropped. What is used stays, because a hit in the old map is copied to the young one. Thread-safe.
 */
final class TwoGenerations<K, V> {

    private final int limit;
    private volatile ConcurrentHashMap<K, V> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<K, V> old = new ConcurrentHashMap<>();

    /** Keeps at most about twice {@code limit} entries. */
    TwoGenerations(int limit) {
        this.limit = limit;
    }

    @Nullable
    V get(K key) {
        V value = young.get(key);
        if (value == null) {
            value = old.get(key);
            if (value != null) {
                put(key, value);
            }
        }
        return value;
    }

    void put(K key, V value) {
        young.put(key, value);
        if (young.size() > limit) {
            age();
        }
    }

    private synchronized void age() {
        if (young.size() > limit) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
    }
}
