package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.row.RowLog;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to rows of a table in a clock, each row once. Mostly it is only gone through, to be sent; what finds a row is made when one is looked for, which is only so while an answer may lack it.
 */
final class RowLogs implements Iterable<RowLog> {

    /** So few are looked through. */
    private static final int FEW = 8;

    private final List<RowLog> logs;
    private @Nullable Long2ObjectOpenHashMap<RowLog> byRow;

    /** With room for so many. */
    RowLogs(int expected) {
        logs = new ArrayList<>(expected);
    }

    /** Adds the log of a row that has none here. */
    void add(RowLog log) {
        logs.add(log);
        if (byRow != null) {
            byRow.put(log.key(), log);
        }
    }

    int size() {
        return logs.size();
    }

    @Nullable
    RowLog find(long key) {
        if (logs.size() > FEW) {
            return byRow().get(key);
        }
        for (RowLog log : logs) {
            if (log.key() == key) {
                return log;
            }
        }
        return null;
    }

    @Override
    public Iterator<RowLog> iterator() {
        return logs.iterator();
    }

    private Long2ObjectOpenHashMap<RowLog> byRow() {
        Long2ObjectOpenHashMap<RowLog> made = byRow;
        if (made == null) {
            made = new Long2ObjectOpenHashMap<>(logs.size());
            for (RowLog log : logs) {
                made.put(log.key(), log);
            }
            byRow = made;
        }
        return made;
    }
}
