package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.net.Outbox;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection of a client process. */
final class Session {

    final int peer;
    final Outbox outbox = new Outbox();
    /** The tables by the numbers that the client gave them. */
    final List<ServerTable> tables = new ArrayList<>();

    final Subscriptions subscriptions = new Subscriptions();

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
}
