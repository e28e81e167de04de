package io.leeway.netsim.internal.transport;

import io.leeway.netsim.internal.net.Fabric;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A flow whose messages are sent one after another as one stream of packets, which is over as soon as the receiver has
 * enough of them in order: the part that windows and credits have in common.
 *
 * <p>Packets are cut when they are first sent, from what has been produced by then; so a short packet is not held back for
 * the next message.
 */
abstract class StreamFlow extends Flow {

    static final int PRODUCED = 1;

    /** Where each packet begins in the stream; the last number is where the next one will. */
    private long[] starts = new long[16];

    private int cut;
    private long producedBytes;
    private final long enoughBytes;
    private final long allBytes;

    // The sender's view.
    final BitSet acked = new BitSet();
    int below;

    // The receiver.
    private final BitSet received = new BitSet();
    private int inOrder;
    private int message;
    private long messageEnd;

    StreamFlow(Fabric fabric, Ends ends, Batch batch) {
        super(fabric, ends, batch);
        enoughBytes = batch.bytes(batch.need());
        allBytes = batch.bytes();
        messageEnd = batch.sizes()[0];
    }

    /** What has been produced since is part of the stream from now on. */
    final void produce() {
        int before = producedMessages();
        int after = producedNow();
        for (int i = before; i < after; i++) {
            producedBytes += batch.sizes()[i];
        }
        wakeForNextMessage(PRODUCED);
    }

    /** How many packets were cut so far. */
    final int cut() {
        return cut;
    }

    final boolean canCut() {
        return producedBytes > starts[cut];
    }

    /** Cuts the next packet. */
    final void cutOne() {
        if (cut + 2 > starts.length) {
            starts = Arrays.copyOf(starts, starts.length * 2);
        }
        starts[cut + 1] = Math.min(producedBytes, starts[cut] + PAYLOAD);
        cut++;
    }

    /** Packets that the stream still has from the first that was not acknowledged, as if all were full. */
    final long remainingPackets() {
        return packets(allBytes - starts[below]);
    }

    /** Sends a packet of the stream. */
    final int make(int sequence, long remaining, boolean markable) {
        int bytes = (int) (starts[sequence + 1] - starts[sequence]);
        int packet = fabric.packets().make(id, to, bytes + HEADER, 0);
        fabric.packets().data(packet, sequence, remaining, fabric.now(), markable);
        packetsSent++;
        return packet;
    }

    /** The receiver has got a packet: it acknowledges what has come in order, and this one. */
    final void receive(int packet) {
        int sequence = fabric.packets().number(packet);
        boolean isNew = !received.get(sequence);
        packetArrived(isNew ? starts[sequence + 1] - starts[sequence] : 0);
        if (isNew) {
            received.set(sequence);
            if (sequence == inOrder) {
                inOrder = received.nextClearBit(inOrder);
                deliver();
            }
        }
        int ack = fabric.packets().make(id, from, ACK_BYTES, 0);
        fabric.packets()
                .ack(
                        ack,
                        inOrder,
                        sequence,
                        fabric.packets().stamp(packet),
                        fabric.packets().isMarked(packet));
        fabric.send(to, ack);
        if (starts[inOrder] >= enoughBytes) {
            complete();
        }
    }

    private void deliver() {
        long bytes = starts[inOrder];
        // What comes after it is enough is waste, and no part of the sample.
        while (message < batch.need() && messageEnd <= bytes) {
            delivered(batch.sizes()[message]);
            message++;
            if (message < batch.count()) {
                messageEnd += batch.sizes()[message];
            }
        }
    }

    /** Whether the sender knows that the receiver has enough. */
    final boolean isEnoughAcknowledged() {
        return starts[below] >= enoughBytes;
    }

    static int packets(long bytes) {
        return (int) ((bytes + PAYLOAD - 1) / PAYLOAD);
    }
}
