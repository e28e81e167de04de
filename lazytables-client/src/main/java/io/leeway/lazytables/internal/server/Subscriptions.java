package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.wire.WireException;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.objects.ObjectIterator;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows that a client has and wants to be sent when they change. After a clock that all processes completed, the changed ones are sent before the client is told of the clock; so it knows of all others
 * that they hold everything of that clock as they are.
 */
final class Subscriptions {

    private static final int MOST = 1 << 22;

    /** By the client's number of the table: rows with the version that was sent last. */
    private final List<Long2LongOpenHashMap> tables = new ArrayList<>();

    private int size;

    /** Adds a row of which the client is sent a version. */
    void add(int table, long key, long version) {
        while (tables.size() <= table) {
            tables.add(new Long2LongOpenHashMap());
        }
        Long2LongOpenHashMap rows = tables.get(table);
        if (size == MOST && !rows.containsKey(key)) {
            throw new WireException(
                    "More than " + MOST + " rows are to be sent when they change: keep fewer in the cache");
        }
        size -= rows.size();
        rows.put(key, version);
        size += rows.size();
    }

    void remove(int table, long key) {
        if (table < tables.size()) {
            Long2LongOpenHashMap rows = tables.get(table);
            size -= rows.size();
            rows.remove(key);
            size += rows.size();
        }
    }

    /** Passes the rows that have changed since they were sent. */
    void forEachChanged(Session session, Push push) {
        for (int table = 0; table < tables.size(); table++) {
            ServerTable rows = session.tables.get(table);
            for (ObjectIterator<Long2LongMap.Entry> all =
                            tables.get(table).long2LongEntrySet().fastIterator();
                    all.hasNext(); ) {
                Long2LongMap.Entry sent = all.next();
                long version = rows.version(sent.getLongKey());
                if (version != sent.getLongValue()) {
                    push.send(table, sent.getLongKey(), sent.getLongValue());
                    sent.setValue(version);
                }
            }
        }
    }

    /** Sends a row to a client that has a version of it. */
    interface Push {

        void send(int table, long key, long has);
    }
}
