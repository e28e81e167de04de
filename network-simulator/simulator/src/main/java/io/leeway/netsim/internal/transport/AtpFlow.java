package io.leeway.netsim.internal.transport;

import io.leeway.approx.atp.Ack;
import io.leeway.approx.atp.AtpConfig;
import io.leeway.approx.atp.AtpReceiver;
import io.leeway.approx.atp.AtpSender;
import io.leeway.approx.atp.Control;
import io.leeway.approx.atp.FlowState;
import io.leeway.approx.atp.GroupSpec;
import io.leeway.approx.atp.JobReport;
import io.leeway.approx.atp.JobSpec;
import io.leeway.approx.atp.Packet;
import io.leeway.netsim.internal.net.Fabric;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * ATP: the product's own protocol classes with this network between them.
 *
 * <p>They count nanoseconds, the network picoseconds. Reliable messages take the way without queues.
 */
final class AtpFlow extends Flow {

    private static final long NANO = 1_000;
    private static final int JOB = 1;
    private static final int SENDER = 0;
    private static final int RECEIVER = 1;
    private static final int CONTROL = 2;
    private static final int PRODUCED = 3;

    private final AtpSender<Void> sender;
    private final AtpReceiver<Void> receiver;
    private final ArrayDeque<Control> controls = new ArrayDeque<>();
    private final long oneWay;
    private final Alarm senderAlarm = new Alarm(SENDER);
    private final Alarm receiverAlarm = new Alarm(RECEIVER);

    AtpFlow(Fabric fabric, Ends ends, Batch batch, UnaryOperator<AtpConfig> variant) {
        super(fabric, ends, batch);
        long roundTrip = fabric.baseRoundTrip(from, to);
        oneWay = roundTrip / 2;
        long nanos = Math.max(1_000, roundTrip / NANO);
        AtpConfig config = variant.apply(AtpConfig.simulated(fabric.rate() / 8, PAYLOAD)
                .overhead(HEADER)
                .initialRtt(nanos)
                .minEpoch(nanos)
                .minLossDelay(3 * nanos)
                .seed(id + 1L));
        sender = new AtpSender<>(config, new Sending());
        receiver = new AtpReceiver<>(Long.MAX_VALUE / 2, nanos / 4, new Receiving());
    }

    @Override
    void begin() {
        sender.open(JobSpec.of(JOB, GroupSpec.exactly(0, batch.msr(), batch.sizes().length)));
        offer();
    }

    /** Gives the sender what has been produced since. */
    private void offer() {
        long now = nanos();
        int before = producedMessages();
        int after = producedNow();
        for (int i = before; i < after; i++) {
            sender.offer(JOB, 0, batch.sizes()[i], null, now);
        }
        if (after == batch.count()) {
            sender.end(JOB, now);
        }
        wakeForNextMessage(PRODUCED);
    }

    @Override
    public Aim aim() {
        FlowState state = sender.state();
        int queue = sender.isOpen(JOB) ? sender.queue(JOB, 0) : 0;
        return new Aim(state.target(), state.loss(), state.rate() * 8, queue);
    }

    private long nanos() {
        return fabric.now() / NANO;
    }

    @Override
    @SuppressWarnings("unchecked") // only this class puts bodies into packets of this flow
    public void arrived(int packet) {
        Object body = fabric.packets().body(packet);
        if (body instanceof Ack ack) {
            sender.onAck(ack, nanos());
        } else if (body instanceof Packet<?> data) {
            packetArrived(fabric.packets().bytes(packet) - HEADER);
            receiver.onPacket((Packet<Void>) data, nanos());
        }
    }

    @Override
    public void timer(int tag) {
        switch (tag) {
            case SENDER -> {
                if (senderAlarm.rings()) {
                    sender.onTimer(nanos());
                }
            }
            case RECEIVER -> {
                if (receiverAlarm.rings()) {
                    receiver.onTimer(nanos());
                }
            }
            case PRODUCED -> {
                if (sender.isOpen(JOB)) {
                    offer();
                }
            }
            default -> receiver.onControl(controls.remove(), nanos());
        }
    }

    /** One wake-up at a time, of which the latest request counts; events that it has overtaken are ignored. */
    private final class Alarm {
        private final int tag;
        private long wanted = Long.MAX_VALUE;
        private long earliest = Long.MAX_VALUE;

        Alarm(int tag) {
            this.tag = tag;
        }

        void set(long nanos) {
            wanted = nanos;
            if (nanos < earliest) {
                earliest = nanos;
                fabric.timer(nanos * NANO, id, tag);
            }
        }

        boolean rings() {
            long now = nanos();
            if (now < earliest) {
                return false;
            }
            earliest = Long.MAX_VALUE;
            if (now >= wanted) {
                wanted = Long.MAX_VALUE;
                return true;
            }
            if (wanted != Long.MAX_VALUE) {
                set(wanted);
            }
            return false;
        }
    }

    private final class Sending implements AtpSender.Output<Void> {
        @Override
        public void transmit(Packet<Void> packet, int queue) {
            packetsSent++;
            int made = fabric.packets().make(id, to, packet.wireBytes(), queue);
            fabric.packets().body(made, packet, false);
            fabric.send(from, made);
        }

        @Override
        public void control(Control message) {
            controls.add(message);
            fabric.timer(fabric.now() + oneWay, id, CONTROL);
        }

        @Override
        public void wakeAt(long time) {
            senderAlarm.set(time);
        }

        @Override
        public void finished(JobReport report) {
            over();
        }

        @Override
        public void released(@Nullable Void message) {
            // Messages are lengths only.
        }
    }

    private final class Receiving implements AtpReceiver.Output<Void> {
        @Override
        public void deliver(int job, int group, int message, int length, List<@Nullable Void> parts) {
            if (isComplete()) {
                return;
            }
            delivered(length);
            if (deliveredMessages >= batch.need()) {
                complete();
            }
        }

        @Override
        public void ack(Ack ack) {
            int made = fabric.packets().make(id, from, Ack.WIRE_BYTES, 0);
            fabric.packets().body(made, ack, true);
            fabric.send(to, made);
        }

        @Override
        public void closed(JobReport report) {
            // The outcome is counted here, message by message.
        }

        @Override
        public void wakeAt(long time) {
            receiverAlarm.set(time);
        }

        @Override
        public void released(@Nullable Void payload) {
            // Messages are lengths only.
        }
    }
}
