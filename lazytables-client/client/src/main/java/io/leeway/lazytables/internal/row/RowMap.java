package io.leeway.lazytables.internal.row;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.ObjectIterator;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is kept for rows, by their keys: those with small keys in an array, where a search is one step and neighbours
 * lie together, since most programs go through rows in the order of their keys; the others by hash.
 *
 * <p>Not for several threads at once.
 *
 * @param <V> what is kept for a row
 */
public class RowMap<V> {

    /*
     * Keys up to 65,535 in an array of references, which grows to the power of two above the largest key that came:
     * half a megabyte at most, for a table of which only the last row is used. Beyond, a hash. A search in the array
     * touches one line of memory, and neighbours share it.
     *
     * Not final, so that a class of its own can stand for a map with one type of values where arrays of it are needed.
     */

    private static final int MOST_IN_ARRAY = 1 << 16;
    private static final int FIRST_ROOM = 16;

    private @Nullable V[] low = newArray(FIRST_ROOM);
    /** How many of the array's places are taken. */
    private int inLow;

    private final Long2ObjectOpenHashMap<V> high = new Long2ObjectOpenHashMap<>();

    /** What is kept for the row; any key may be asked. */
    public final @Nullable V get(long key) {
        @Nullable V[] rows = low;
        return key >= 0 && key < rows.length ? rows[(int) key] : key < MOST_IN_ARRAY ? null : high.get(key);
    }

    /** Keeps this for the row, whose key is not negative. */
    public final void put(long key, V value) {
        if (key >= MOST_IN_ARRAY) {
            high.put(key, value);
            return;
        }
        int at = (int) key;
        if (at >= low.length) {
            low = Arrays.copyOf(low, Integer.highestOneBit(at) * 2);
        }
        inLow += low[at] == null ? 1 : 0;
        low[at] = value;
    }

    /** Drops what is kept for the row, and returns it; any key may be named. */
    public final @Nullable V remove(long key) {
        if (key >= MOST_IN_ARRAY) {
            return high.remove(key);
        }
        V removed = get(key);
        if (removed != null) {
            low[(int) key] = null;
            inLow--;
        }
        return removed;
    }

    /** For how many rows something is kept. */
    public final int size() {
        return inLow + high.size();
    }

    /** Drops what the condition holds for, at most so many; returns how many went. */
    public final int removeIf(int most, Predicate<? super V> condition) {
        int removed = 0;
        for (int at = 0; at < low.length && removed < most; at++) {
            V value = low[at];
            if (value != null && condition.test(value)) {
                low[at] = null;
                inLow--;
                removed++;
            }
        }
        for (ObjectIterator<V> all = high.values().iterator(); all.hasNext() && removed < most; ) {
            if (condition.test(all.next())) {
                all.remove();
                removed++;
            }
        }
        return removed;
    }

    /** Passes all, those with small keys in their order. */
    public final void forEach(Action<? super V> action) {
        for (int at = 0; at < low.length; at++) {
            V value = low[at];
            if (value != null) {
                action.accept(at, value);
            }
        }
        for (Long2ObjectMap.Entry<V> entry : high.long2ObjectEntrySet()) {
            action.accept(entry.getLongKey(), entry.getValue());
        }
    }

    // Never seen from outside as an array of another type.
    @SuppressWarnings("unchecked")
    private static <V> @Nullable V[] newArray(int size) {
        return (@Nullable V[]) new Object[size];
    }

    /**
     * Takes what is kept for a row.
     *
     * @param <V> what that is
     */
    public interface Action<V> {

        void accept(long key, V value);
    }
}
