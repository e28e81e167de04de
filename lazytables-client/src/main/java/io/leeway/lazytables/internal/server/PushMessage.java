package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;

/**
 * The message with which a row that has changed is sent. Mostly all clients have the same version of the row, number the table alike and have sent as many updates: then it is written once, and copied for
 * each of them.
 */
final class PushMessage {

    private static final int FIRST = 1 << 10;

    private final int globalClock;
    private final WireBuffer answer = new WireBuffer(FIRST);
    private final WireBuffer message = new WireBuffer(FIRST);

    private long has;
    private int table;
    private long applied;

    PushMessage(int globalClock) {
        this.globalClock = globalClock;
    }

    /** Another row is next. */
    void clear() {
        answer.clear();
        message.clear();
    }

    /** Sends the row to a client, which has another version of it. */
    void send(ServerTable rows, long key, Subscription to, Member member, Outbox outbox) {
        if (answer.size() == 0 || to.version != has) {
            clear();
            rows.answer(key, globalClock, to.version, answer);
            has = to.version;
        }
        if (message.size() == 0 || to.table != table || member.applied != applied) {
            message.clear();
            int body = Outbox.begin(Protocol.PUSH, message);
            RowReads.writeBegin(to.table, key, globalClock, member.applied, message);
            message.putBytes(answer.array(), 0, answer.size());
            Outbox.end(body, message);
            table = to.table;
            applied = member.applied;
        }
        outbox.add(message);
    }
}
