package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.net.RowsMessage;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection of a client process. */
final class Session {

    final int peer;
    final Outbox outbox = new Outbox();
    final RowsMessage rows = new RowsMessage(outbox);
    /** The tables by the numbers that the client gave them. */
    final List<ServerTable> tables = new ArrayList<>();

    final Subscriptions subscriptions = new Subscriptions(this);

    @Nullable
    Member member;

    boolean closing;
    int clockTold = -1;
    long appliedTold = -1;
    long durableTold = -1;
    int stagedTold = -1;

    Session(int peer) {
        this.peer = peer;
    }

    /** Says why the client is sent away; the connection is closed when that is sent. */
    void refuse(Code code, String why) {
        WireBuffer out = outbox.begin(Protocol.REFUSED);
        out.putVar(code.number());
        out.putText(why);
        outbox.end();
        closing = true;
    }
}
