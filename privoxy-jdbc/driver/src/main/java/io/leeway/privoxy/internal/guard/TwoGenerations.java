package io.leeway.privoxy.internal.guard;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache without bookkeeping on reads: entries go into the young map; when it is full it becomes the old one
 * and the old one is dropped. What is used stays, because a hit in the old map is copied to the young one. Thread-safe.
 *
 * <p>An exact least-recently-used order would need a write under a lock with each hit, and hits are what it is for.
 */
final class TwoGenerations<K, V> {

    private final int limit;
    private final ToIntFunction<K> weigher;
    private final long maxWeight;
    private final AtomicLong weight = new AtomicLong();
    private volatile ConcurrentHashMap<K, V> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<K, V> old = new ConcurrentHashMap<>();

    /** Keeps at most about twice {@code limit} entries. */
    TwoGenerations(int limit) {
        this(limit, key -> 0, 0);
    }

    /**
     * Keeps at most about twice {@code limit} entries, and entries of twice {@code maxWeight}.
     *
     * <p>By weight, too: long texts that were counted by number only filled the memory.
     *
     * @param weigher how much of the memory an entry takes, by its key
     */
    TwoGenerations(int limit, ToIntFunction<K> weigher, long maxWeight) {
        this.limit = limit;
        this.weigher = weigher;
        this.maxWeight = maxWeight;
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
        weight.addAndGet(weigher.applyAsInt(key));
        if (isFull()) {
            age();
        }
    }

    private boolean isFull() {
        return young.size() > limit || weight.get() > maxWeight;
    }

    private synchronized void age() {
        // Another thread may have done it.
        if (isFull()) {
            old = young;
            young = new ConcurrentHashMap<>();
            weight.set(0);
        }
    }
}
