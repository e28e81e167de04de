package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import java.util.ArrayList;
import java.util.List;

/** Client processes of one worker without a network, for tests. */
final class Clients {

    private Clients() {}

    /** One that this many servers have welcomed. */
    static ClientCore welcomed(int servers, Prefetch prefetch) {
        var client = new ClientCore(new ClientSettings(
                0, 1, 1, servers, 1, prefetch, Integer.MAX_VALUE, Integer.MAX_VALUE, false, Long.MAX_VALUE));
        for (int server = 0; server < servers; server++) {
            client.onOpen(server);
            byte[] welcome = welcome();
            client.onFrame(server, welcome, 0, welcome.length);
        }
        return client;
    }

    private static byte[] welcome() {
        var outbox = new Outbox();
        WireBuffer out = outbox.begin(Protocol.WELCOME);
        out.putVar(Protocol.VERSION);
        out.putVar(0);
        out.putVar(0);
        out.putVar(0);
        outbox.end();
        List<byte[]> frames = new ArrayList<>();
        outbox.sendTo(CopyingSender.into(frames), 0);
        return frames.get(0);
    }
}
