package io.leeway.privoxy.internal.request;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When each table was last written, and by which transaction: two figures a table tell it for everybody, the last
 * write, and the last one of anybody else. Not thread-safe.
 *
 * <p>Two figures suffice because the question is always "since then, by anybody but me": whose write the last one of
 * the others was does not matter.
 */
final class Stamps {

    /** Before everything. */
    static final long NEVER = Long.MIN_VALUE;

    private record Stamp(long last, @Nullable Object by, long byOthers) {}

    private final Map<String, Stamp> byTable = new HashMap<>();

    void put(String table, long when, @Nullable Object by) {
        Stamp known = byTable.get(table);
        // If it is the same writer again the others' last write is what it was; otherwise the one before was of
        // others.
        long others = known == null ? NEVER : known.by == by ? known.byOthers : known.last;
        byTable.put(table, new Stamp(when, by, others));
    }

    /** The last write of a table, whoever's. */
    long last(String table) {
        Stamp known = byTable.get(table);
        return known == null ? NEVER : known.last;
    }

    /** The last write of a table that was not this transaction's. */
    long lastByOthers(String table, @Nullable Object transaction) {
        Stamp known = byTable.get(table);
        if (known == null) {
            return NEVER;
        }
        // Outside of transactions everybody is another: two statements in autocommit are two transactions.
        return known.by == transaction && transaction != null ? known.byOthers : known.last;
    }
}
