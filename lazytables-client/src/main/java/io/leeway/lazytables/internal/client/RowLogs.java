package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to rows of a table in a clock, each row once. It is gone through, to be sent; and rows are looked for while answers may lack them. Who updates rows and who asks for them mostly go
 * through them in the same order, so each is looked for behind the one that was found last; what finds any row is made when one is not there.
 */
final class RowLogs implements Iterable<RowLog> {

    /** So few are looked through. */
    private static final int FEW = 8;

    private static final int NOWHERE = -1;

    private final List<RowLog> logs;
    /** All rows are between these. */
    private long least = Long.MAX_VALUE;

    private long greatest = Long.MIN_VALUE;
    /** The place behind the row that was found last. */
    private int next;

    private @Nullable Long2IntOpenHashMap places;

    /** With room for so many. */
    RowLogs(int expected) {
        logs = new ArrayList<>(expected);
    }

    /** Adds the log of a row that has none here. */
    void add(RowLog log) {
        long key = log.key();
        least = Math.min(least, key);
        greatest = Math.max(greatest, key);
        if (places != null) {
            places.put(key, logs.size());
        }
        logs.add(log);
    }

    int size() {
        return logs.size();
    }

    @Nullable
    RowLog find(long key) {
        if (key < least || key > greatest) {
            return null;
        }
        int at = next < logs.size() ? next : 0;
        if (logs.get(at).key() != key) {
            at = place(key);
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

    private int place(long key) {
        if (logs.size() > FEW) {
            return places().get(key);
        }
        for (int i = 0; i < logs.size(); i++) {
            if (logs.get(i).key() == key) {
                return i;
            }
        }
        return NOWHERE;
    }

    private Long2IntOpenHashMap places() {
        Long2IntOpenHashMap made = places;
        if (made == null) {
            made = new Long2IntOpenHashMap(logs.size());
            made.defaultReturnValue(NOWHERE);
            for (int i = 0; i < logs.size(); i++) {
                made.put(logs.get(i).key(), i);
            }
            places = made;
        }
        return made;
    }
}
