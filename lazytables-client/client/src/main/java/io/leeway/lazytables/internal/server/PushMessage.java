package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.net.RowsMessage;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;

/**
 * What is sent of a row that has changed. Mostly all clients have the same version of the row: then it is written once,
 * and copied for each of them.
 */
final class PushMessage {

    private static final int FIRST = 1 << 10;

    private final int globalClock;
    private final WireBuffer answer = new WireBuffer(FIRST);
    private long has;

    PushMessage(int globalClock) {
        this.globalClock = globalClock;
    }

    /** Another row is next. */
    void clear() {
        answer.clear();
    }

    /** How long the row is that was sent last. */
    int rowBytes() {
        return answer.size();
    }

    /** Sends the row to a client, which has another version of it. */
    void send(ServerTable rows, long key, Subscription to, Member member, RowsMessage message) {
        // A client that was behind, or came later, has another version than the one before it: it is written anew for
        // that one, and what follows is mostly again as the first. A cache of several is not worth it: Answers has
        // them.
        if (answer.size() == 0 || to.version != has) {
            clear();
            rows.answer(key, globalClock, to.version, answer);
            has = to.version;
        }
        message.row(Protocol.PUSH, to.table, globalClock, member.applied(), key)
                .putBytes(answer.array(), 0, answer.size());
        message.end();
    }
}
