package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.List;

/** Reads by clocks: those that wait for theirs, answers, and rows that are sent when they have changed. */
final class RowReads {

    /*
     * A question is in one of three places: in "pending" while its clock is to come; in its session's list of what is
     * due, when the clock has come and the connection takes nothing; nowhere once it was written. It is counted against
     * the client's limit from when it waits for whatever reason until it is written (Session.waits, waitsNoMore), so
     * each way out of "pending" must end in answerLate or with the session.
     *
     * What is due is no answer yet but the question: it is answered by what is there when there is room, so that a slow
     * client gets fewer and newer rows, and a server keeps 50 bytes for it and no row.
     */

    private final List<PendingRead> pending = new ArrayList<>();

    /** Forgets what a session waits for. */
    void drop(Session session) {
        pending.removeIf(read -> read.session() == session);
    }

    /** Answers questions, or lets them wait for their clock. */
    void onRead(Session session, Member member, WireReader message, int globalClock, boolean recovering) {
        int id = message.getInt("The table", 0, session.tables.size() - 1);
        ServerTable table = session.tables.get(id);
        int required = message.getInt("The clock", 0, Integer.MAX_VALUE);
        boolean subscribes = message.getInt("Whether to send changes", 0, 1) == 1;
        long key = 0;
        do {
            key = message.getNext("The row", key, table.spec.rows());
            long has = message.getVar("The version", 0, Long.MAX_VALUE);
            var read = new PendingRead(session, id, table, key, required, has, subscribes);
            // While it recovers, the clock may have been reached here before, and the rows not yet be what they were
            // then.
            if (required <= globalClock && !recovering) {
                answerOrPutOff(read, member, globalClock);
            } else {
                await(read);
            }
        } while (message.more() && !session.closing);
    }

    private static void answerOrPutOff(PendingRead read, Member member, int globalClock) {
        Session session = read.session();
        if (session.hasRoom()) {
            answer(read, member, globalClock);
        } else {
            // Behind what found none before it: where there is room again, what came first is served first.
            session.waits();
            session.putOff(read);
        }
    }

    private void await(PendingRead read) {
        read.session().waits();
        pending.add(read);
    }

    /**
     * Sends a row no more when it changes. Of a row that is not sent nothing happens: the client may have said so
     * twice, for two changes that were under way.
     */
    static void onForget(Session session, WireReader message) {
        int id = message.getInt("The table", 0, session.tables.size() - 1);
        session.subscriptions.remove(id, message.getVar("The row", 0, Long.MAX_VALUE));
    }

    /** Answers what waited for this clock. */
    void answerPending(int globalClock) {
        if (pending.isEmpty()) {
            return;
        }
        // Taken out at once: thousands may wait for the same clock.
        var due = new ArrayList<PendingRead>();
        pending.removeIf(read -> read.required() <= globalClock && due.add(read));
        for (PendingRead read : due) {
            if (read.session().hasRoom()) {
                read.write(globalClock);
            } else {
                read.session().putOff(read);
            }
        }
    }

    /** Answers a question that waited. */
    static void answerLate(PendingRead read, int globalClock) {
        Session session = read.session();
        session.waitsNoMore();
        Member member = session.member;
        if (member != null && !session.closing) {
            try {
                answer(read, member, globalClock);
            } catch (WireException e) {
                // What is at work here is mostly the message of another process, with which the clock came: that one
                // must not pay for it, nor those whose answers are still to be written.
                session.refuse(e.code(), e.reason());
            }
        }
    }

    /**
     * Sends rows that have changed to the clients that want to be sent them then. They are told of the clock behind it.
     * Once for all updates of a clock, and not for each: most rows are written by every process.
     */
    static void push(Iterable<ServerTable> tables, int globalClock) {
        var message = new PushMessage(globalClock);
        for (ServerTable table : tables) {
            for (Subscribers row : table.takeChanged()) {
                push(table, row, message);
            }
        }
    }

    private static void push(ServerTable table, Subscribers row, PushMessage message) {
        long version = table.version(row.key);
        message.clear();
        for (Subscription to : row.all()) {
            Session session = to.session;
            Member member = session.member;
            // The same version: it has asked since, and was answered; or what was done to the row was nothing but
            // identities.
            if (member == null || session.closing || to.version == version) {
                continue;
            }
            if (!session.hasRoom()) {
                session.putOff(to);
                continue;
            }
            message.send(table, row.key, to, member, session.rows);
            session.checkRow(table, row.key, message.rowBytes());
            to.version = version;
        }
    }

    /**
     * Sends a row as it is by now, for which there was no room when it changed. Alone, and not by way of
     * {@link PushMessage}: others with the same version were served when it changed.
     */
    static void pushLate(Subscription to, int globalClock) {
        Session session = to.session;
        Member member = session.member;
        ServerTable table = session.tables.get(to.table);
        long version = table.version(to.key);
        if (member == null || session.closing || to.version == version) {
            return;
        }
        WireBuffer out = session.rows.row(Protocol.PUSH, to.table, globalClock, member.applied(), to.key);
        int from = out.size();
        table.answer(to.key, globalClock, to.version, out);
        int bytes = out.size() - from;
        session.rows.end();
        session.checkRow(table, to.key, bytes);
        to.version = version;
    }

    private static void answer(PendingRead read, Member member, int globalClock) {
        Session session = read.session();
        ServerTable table = read.table();
        // A row of a strict table holds exactly what was asked for; any other all that there is, which is everything of
        // the global clock and perhaps more.
        int dataClock = table.spec.strict() ? read.required() : globalClock;
        WireBuffer out = session.rows.row(Protocol.ROW, read.tableId(), dataClock, member.applied(), read.key());
        int from = out.size();
        table.answer(read.key(), read.required(), read.has(), out);
        int bytes = out.size() - from;
        session.rows.end();
        // Behind its writing: how long a row is in the shorter of both ways is not known before.
        session.checkRow(table, read.key(), bytes);
        if (read.subscribes()) {
            // Behind the row itself: what changes from here on is behind what the client now has.
            session.subscriptions.add(read.tableId(), read.key(), table.version(read.key()));
        }
    }
}
