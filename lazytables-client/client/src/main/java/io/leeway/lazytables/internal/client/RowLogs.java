package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to rows of a table in a clock, each row once. It is gone through, to be sent; and rows are looked for
 * while answers may lack them. Who updates rows and who asks for them mostly go through them in the same order, and in
 * that of their keys, so each is looked for behind the one that was found last; keys that do not ascend get an index
 * when one is not there.
 */
final class RowLogs implements Iterable<RowLog> {

    /*
     * find() remembers where it was, so it changes though it only looks: it is not for several threads, and all calls
     * are under the process's lock. That is so for logs that are kept, too.
     *
     * Cost of a search: one comparison where rows come in the order of the logs; else a binary search where keys
     * ascend; else a hash, whose index is made when it is needed first.
     */

    /** So few are looked through. */
    private static final int FEW = 8;

    private static final int NOWHERE = -1;

    private final List<RowLog> logs;
    /** Of the logs; beside each other, since most are passed by. */
    private final LongArrayList keys;

    private boolean ascends = true;
    /** All rows are between these. */
    private long least = Long.MAX_VALUE;

    private long greatest = Long.MIN_VALUE;
    /** The place behind the row that was found last. */
    private int next;

    private @Nullable Long2IntOpenHashMap places;

    /** With room for so many. */
    RowLogs(int expected) {
        logs = new ArrayList<>(expected);
        keys = new LongArrayList(expected);
    }

    /** Adds the log of a row that has none here. */
    void add(RowLog log) {
        long key = log.key();
        ascends &= logs.isEmpty() || key > greatest;
        least = Math.min(least, key);
        greatest = Math.max(greatest, key);
        if (places != null) {
            // An index that was made is kept right; one that was not is not needed yet.
            places.put(key, logs.size());
        }
        logs.add(log);
        keys.add(key);
    }

    int size() {
        return logs.size();
    }

    @Nullable
    RowLog find(long key) {
        if (key < least || key > greatest) {
            return null;
        }
        // Behind the last one it begins anew: who asks goes through the rows once more.
        int at = next < logs.size() ? next : 0;
        if (keys.getLong(at) != key) {
            at = ascends ? search(key, at) : place(key);
        }
        if (at == NOWHERE) {
            return null;
        }
        next = at + 1;
        return logs.get(at);
    }

    @Override
    public Iterator<RowLog> iterator() {
        return logs.iterator();
    }

    /**
     * The place of a key among those that ascend: mostly it would be before this one, at which the last search ended.
     */
    private int search(long key, int at) {
        if (key < keys.getLong(at) && at > 0 && key > keys.getLong(at - 1)) {
            return NOWHERE;
        }
        return Math.max(NOWHERE, Arrays.binarySearch(keys.elements(), 0, keys.size(), key));
    }

    private int place(long key) {
        return logs.size() > FEW ? places().get(key) : keys.indexOf(key);
    }

    private Long2IntOpenHashMap places() {
        Long2IntOpenHashMap made = places;
        if (made == null) {
            made = new Long2IntOpenHashMap(logs.size());
            made.defaultReturnValue(NOWHERE);
            for (int i = 0; i < logs.size(); i++) {
                made.put(keys.getLong(i), i);
            }
            places = made;
        }
        return made;
    }
}
