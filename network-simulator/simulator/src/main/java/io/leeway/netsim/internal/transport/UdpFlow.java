package io.leeway.netsim.internal.transport;

import io.leeway.netsim.internal.net.Fabric;

/** Everything once at the rate of the link, whatever is lost; in queue 0, unmarked. */
final class UdpFlow extends Flow {

    private static final int SEND = 0;
    private static final int SETTLED = 1;

    private final int[] missing;
    private int message;
    private int part;

    UdpFlow(Fabric fabric, Ends ends, Batch batch) {
        super(fabric, ends, batch);
        missing = new int[batch.sizes().length];
        for (int i = 0; i < missing.length; i++) {
            missing[i] = StreamFlow.packets(batch.sizes()[i]);
        }
    }

    @Override
    void begin() {
        fabric.timer(startedAt() + batch.at(0), id, SEND);
    }

    @Override
    public void timer(int tag) {
        if (tag == SETTLED) {
            over();
            return;
        }
        int size = batch.sizes()[message];
        int bytes = Math.min(PAYLOAD, size - part * PAYLOAD);
        int packet = fabric.packets().make(id, to, bytes + HEADER, 0);
        fabric.packets().data(packet, message, 0, fabric.now(), false);
        packetsSent++;
        fabric.send(from, packet);
        part++;
        if (part * PAYLOAD >= size) {
            part = 0;
            message++;
        }
        // Behind what others have put into the card, so that the card's queue does not grow without limit.
        long wait = fabric.transmission(bytes + HEADER + Math.max(0, fabric.waitingAt(from) - 10L * PAYLOAD));
        if (message < batch.sizes().length) {
            fabric.timer(Math.max(fabric.now() + wait, startedAt() + batch.at(message)), id, SEND);
        } else {
            fabric.timer(fabric.now() + wait + 100 * fabric.baseRoundTrip(from, to), id, SETTLED);
        }
    }

    @Override
    public void arrived(int packet) {
        packetArrived(fabric.packets().bytes(packet) - HEADER);
        int of = fabric.packets().number(packet);
        missing[of]--;
        if (missing[of] == 0) {
            delivered(batch.sizes()[of]);
            if (deliveredMessages >= batch.need()) {
                complete();
            }
        }
    }
}
