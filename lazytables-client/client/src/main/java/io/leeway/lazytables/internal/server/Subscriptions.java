package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.row.RowMap;
import io.leeway.lazytables.internal.wire.WireException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows that a client has and wants to be sent when they change. After a clock that all processes completed, the
 * changed ones are sent before the client is told of the clock; so it knows of all others that they hold everything of
 * that clock as they are.
 */
final class Subscriptions {

    /**
     * As many rows of a process on one server; more, and the process is ended with the remedy. What they take is
     * counted as the server's memory besides.
     */
    private static final int MOST = 1 << 22;

    private final Session session;
    /** By the client's number of the table. */
    private final List<RowMap<Subscription>> tables = new ArrayList<>();

    private int size;

    Subscriptions(Session session) {
        this.session = session;
    }

    /** Adds a row of which the client is sent a version. */
    void add(int table, long key, long version) {
        while (tables.size() <= table) {
            tables.add(new RowMap<>());
        }
        RowMap<Subscription> rows = tables.get(table);
        Subscription subscription = rows.get(key);
        if (subscription == null) {
            if (size == MOST) {
                throw new WireException(
                        "More than " + MOST + " rows are to be sent when they change: keep fewer in the cache");
            }
            // Before it is noted anywhere: where there is no room nothing has to be taken back.
            session.memory.require(Memory.OF_QUESTION, "One more row that is to be sent when it changes");
            session.memory.take(Memory.OF_QUESTION);
            subscription = new Subscription(session, table, key);
            session.tables.get(table).subscribe(key, subscription);
            rows.put(key, subscription);
            size++;
        }
        // Also of one that was there: the answer is newer than what was sent before it.
        subscription.version = version;
    }

    void remove(int table, long key) {
        Subscription subscription = table < tables.size() ? tables.get(table).remove(key) : null;
        if (subscription != null) {
            session.tables.get(table).unsubscribe(key, subscription);
            // It may be due still, see Subscription.
            subscription.hasEnded = true;
            session.memory.give(Memory.OF_QUESTION);
            size--;
        }
    }

    /**
     * The client is gone. A table outlives its clients' connections, so it has to be told.
     */
    void end() {
        for (int table = 0; table < tables.size(); table++) {
            ServerTable rows = session.tables.get(table);
            tables.get(table).forEach(rows::unsubscribe);
        }
        tables.clear();
        session.memory.give((long) Memory.OF_QUESTION * size);
        size = 0;
    }
}
