package io.leeway.netsim.internal.transport;

import io.leeway.netsim.internal.net.Fabric;
import io.leeway.netsim.internal.sim.Spread;
import org.jspecify.annotations.Nullable;

/** Both ends of what one host sends to another: a job of messages of which a share is enough. Not thread-safe. */
public abstract class Flow {

    /** Bytes of a message that a full packet carries. */
    public static final int PAYLOAD = 1460;

    /** Bytes of a packet that are not of the message. */
    public static final int HEADER = 40;

    /** Bytes of an acknowledgement. */
    static final int ACK_BYTES = 64;

    final Fabric fabric;
    final int id;
    final int from;
    final int to;
    final Batch batch;
    private final Runnable whenDone;
    private final Spread arrivedSizes;

    private long startedAt = -1;
    private long completedAt = -1;
    private boolean over;
    private int produced;

    long deliveredMessages;
    long deliveredBytes;
    long packetsSent;
    private long packetsLost;
    private long packetsArrived;
    private long payloadArrived;

    Flow(Fabric fabric, Ends ends, Batch batch) {
        this.fabric = fabric;
        id = ends.id();
        from = ends.from();
        to = ends.to();
        this.batch = batch;
        whenDone = ends.whenDone();
        arrivedSizes = ends.arrived();
    }

    /**
     * Where a flow goes.
     *
     * @param id its number
     * @param from the host that sends
     * @param to the host that receives
     * @param whenDone called once when the flow is over
     * @param arrived is given the length of each message that counts
     */
    public record Ends(int id, int from, int to, Runnable whenDone, Spread arrived) {}

    /** Begins to send. */
    public final void start() {
        startedAt = fabric.now();
        begin();
    }

    abstract void begin();

    /** A packet of this flow has come to its host: data to the receiver, an acknowledgement to the sender. */
    public abstract void arrived(int packet);

    /** A timer that the flow has set is due. */
    public abstract void timer(int tag);

    /** A data packet has come, with so many bytes that had not come before. */
    final void packetArrived(long payload) {
        packetsArrived++;
        payloadArrived += payload;
    }

    /** A message has come as a whole. */
    final void delivered(int size) {
        deliveredMessages++;
        deliveredBytes += size;
        arrivedSizes.add(size);
    }

    /** The receiver has enough. */
    final void complete() {
        if (completedAt < 0) {
            completedAt = fabric.now();
        }
    }

    /** Neither end does anything any more. */
    final void over() {
        if (!over) {
            over = true;
            whenDone.run();
        }
    }

    /** Whether neither end does anything any more. */
    public final boolean isOver() {
        return over;
    }

    final boolean isComplete() {
        return completedAt >= 0;
    }

    final long startedAt() {
        return startedAt;
    }

    /** How many messages were there when it was last looked. */
    final int producedMessages() {
        return produced;
    }

    /** How many messages are there now. */
    final int producedNow() {
        long since = fabric.now() - startedAt;
        while (produced < batch.count() && batch.at(produced) <= since) {
            produced++;
        }
        return produced;
    }

    /** Sets a timer for the next message, if one is to come. */
    final void wakeForNextMessage(int tag) {
        if (produced < batch.count()) {
            fabric.timer(startedAt + batch.at(produced), id, tag);
        }
    }

    /** A packet of it was dropped; nobody tells its ends. */
    public final void lost(boolean isAck) {
        packetsLost += isAck ? 0 : 1;
    }

    /** What it aims at now; null for transports that aim at nothing. */
    public @Nullable Aim aim() {
        return null;
    }

    /**
     * What a flow aims at, and what it meets.
     *
     * @param target the loss that it can afford
     * @param loss what it last measured
     * @param rate bits a second
     * @param queue the queue that it sends in
     */
    public record Aim(double target, double loss, double rate, int queue) {}

    /** What became of it so far. */
    public final Outcome outcome() {
        return new Outcome(
                batch,
                completedAt < 0 ? -1 : completedAt - startedAt,
                deliveredMessages,
                deliveredBytes,
                packetsSent,
                packetsArrived,
                Math.min(payloadArrived, batch.bytes()),
                packetsLost);
    }

    /**
     * What became of a flow.
     *
     * @param batch what it was to carry
     * @param time from its start until the receiver had enough, in picoseconds; -1 if that never came
     * @param messages messages that arrived complete
     * @param bytes their lengths
     * @param sent data packets sent
     * @param arrived data packets that arrived
     * @param payload bytes of messages that arrived, of parts of messages too
     * @param lost data packets that switches dropped
     */
    public record Outcome(
            Batch batch, long time, long messages, long bytes, long sent, long arrived, long payload, long lost) {

        /** Packets that the network lost, of those sent. */
        public double loss() {
            return sent == 0 ? 0 : (double) lost / sent;
        }

        /** Mean length of what arrived, as a part of the mean length of all: 1 for an honest sample. */
        public double sizeRatio() {
            return messages == 0 ? Double.NaN : (double) bytes / messages / batch.meanSize();
        }
    }
}
