package io.leeway.approx.atp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs behind a bottleneck of 50 Mbit/s with eight strict priorities and small queues, in virtual time. */
class PrioritiesTest {

    private static final double BYTES_PER_NANO = 6.25e-3;
    private static final long DELAY = 30_000;
    private static final int FRAME = 1_514;
    private static final int MESSAGE = 1_000;
    private static final int ON_THE_WIRE = 80;
    private static final AtpConfig CONFIG =
            AtpConfig.real(1.25e7, 1_300, 1).overhead(31).burst(2);

    private record Event(long at, long order, Runnable action) {}

    private record Frame(int bytes, Runnable arrive) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private final List<Queue<Frame>> queues = new ArrayList<>();
    private final List<JobReport> finished = new ArrayList<>();
    private final AtpSender<Long> sender = new AtpSender<>(CONFIG, new SenderSide());
    private final AtpReceiver<Long> receiver = new AtpReceiver<>(32 << 20, 250_000, new ReceiverSide());
    private long now;
    private long order;
    private boolean busy;
    private long exactBytes;
    private long senderWakes = Long.MAX_VALUE;
    private long receiverWakes = Long.MAX_VALUE;

    PrioritiesTest() {
        for (int i = 0; i < 8; i++) {
            queues.add(new ArrayDeque<>());
        }
    }

    private void at(long time, Runnable action) {
        events.add(new Event(Math.max(now, time), order++, action));
    }

    private void put(int queue, int bytes, Runnable arrive) {
        if (queues.get(queue).size() < (queue == 0 ? 500 : 8 - queue)) {
            queues.get(queue).add(new Frame(bytes, arrive));
            if (!busy) {
                pass();
            }
        }
    }

    private void pass() {
        busy = false;
        for (Queue<Frame> queue : queues) {
            Frame frame = queue.poll();
            if (frame != null) {
                busy = true;
                exactBytes += queue == queues.get(0) ? frame.bytes : 0;
                at(now + (long) (frame.bytes / BYTES_PER_NANO), () -> {
                    at(now + DELAY, frame.arrive);
                    pass();
                });
                return;
            }
        }
    }

    /** The time that a job takes, in milliseconds. */
    private double job(int id, double msr, int messages) {
        long begin = now;
        sender.open(JobSpec.of(id, GroupSpec.open(0, msr, 0)));
        for (int i = 0; i < messages; i++) {
            sender.offer(id, 0, MESSAGE, (long) i, now);
        }
        sender.end(id, now);
        while (finished.size() < id) {
            Event next = events.remove();
            now = next.at;
            next.action.run();
        }
        assertThat(finished.get(id - 1).kept()).isTrue();
        return (now - begin) / 1e6;
    }

    private static double least(double msr, int messages) {
        return msr * messages * (MESSAGE + ON_THE_WIRE) / BYTES_PER_NANO / 1e6;
    }

    /** Bytes of exact traffic at once, again and again. */
    private void bursts(int bytes, long period) {
        for (int left = bytes; left > 0; left -= FRAME) {
            put(0, Math.min(left, FRAME), () -> {});
        }
        at(now + period, () -> bursts(bytes, period));
    }

    private void flood(int queue, double share) {
        put(queue, FRAME, () -> {});
        at(now + (long) (FRAME / BYTES_PER_NANO / share), () -> flood(queue, share));
    }

    @Test
    void aJobAloneFillsTheLink() {
        for (int id = 1; id <= 3; id++) {
            assertThat(job(id, 0.5, 4_000)).isLessThan(1.1 * least(0.5, 4_000));
        }
    }

    @Test
    void besideBurstsOfExactTrafficAJobTakesWhatTheyLeave() {
        // A third of the link: 20 ms of 60.
        bursts(125_000, 60_000_000);
        assertThat(job(1, 0.5, 4_000)).isLessThan(1.25 * least(0.5, 4_000) * 3 / 2);
        assertThat(job(2, 0.9, 4_000)).isLessThan(1.25 * least(0.9, 4_000) * 3 / 2);
    }

    /** Flows that come when they come, each at once, some of them large. */
    private void flows(Random random, double share) {
        int bytes = random.nextInt(10) == 0 ? 500_000 : 10_000;
        double mean = 0.1 * 500_000 + 0.9 * 10_000;
        for (int left = bytes; left > 0; left -= FRAME) {
            put(0, Math.min(left, FRAME), () -> {});
        }
        double wait = -Math.log(1 - random.nextDouble()) * mean / BYTES_PER_NANO / share;
        at(now + (long) wait, () -> flows(random, share));
    }

    @Test
    void besideFlowsThatComeWhenTheyComeAJobTakesNearlyAllThatTheyLeave() {
        flows(new Random(7), 0.5);
        for (int id = 1; id <= 3; id++) {
            long exactBefore = exactBytes;
            double millis = job(id, 0.5, 4_000);
            double left = millis * 1e6 * BYTES_PER_NANO - (exactBytes - exactBefore);
            double needed = 0.5 * 4_000 * (MESSAGE + ON_THE_WIRE);
            assertThat(needed / left).as("job %d in %.0f ms", id, millis).isGreaterThan(0.85);
        }
    }

    @Test
    void aJobBehindAFloodRisesAboveIt() {
        flood(2, 1.2);
        assertThat(job(1, 0.5, 4_000)).isLessThan(6 * least(0.5, 4_000));
        assertThat(job(2, 0.5, 4_000)).isLessThan(6 * least(0.5, 4_000));
    }

    /** Carries packets over the link. */
    private final class SenderSide implements AtpSender.Output<Long> {
        @Override
        public void transmit(Packet<Long> packet, int queue) {
            put(queue, packet.bytes() + ON_THE_WIRE, () -> receiver.onPacket(packet, now));
        }

        @Override
        public void control(Control message) {
            put(0, 200, () -> receiver.onControl(message, now));
        }

        @Override
        public void wakeAt(long time) {
            if (time != Long.MAX_VALUE && (time < senderWakes || senderWakes <= now)) {
                // No timer of an operating system is finer.
                senderWakes = Math.max(time, now + 60_000);
                at(senderWakes, () -> {
                    senderWakes = Long.MAX_VALUE;
                    sender.onTimer(now);
                });
            }
        }

        @Override
        public void finished(JobReport report) {
            finished.add(report);
        }

        @Override
        public void released(@Nullable Long message) {}
    }

    /** Hands up at once. */
    private final class ReceiverSide implements AtpReceiver.Output<Long> {
        @Override
        public void deliver(int job, int group, int message, int length, List<@Nullable Long> parts) {
            at(now, () -> receiver.consumed(length, now));
        }

        @Override
        public void ack(Ack ack) {
            at(now + DELAY, () -> sender.onAck(ack, now));
        }

        @Override
        public void closed(JobReport report) {}

        @Override
        public void wakeAt(long time) {
            if (time != Long.MAX_VALUE && (time < receiverWakes || receiverWakes <= now)) {
                receiverWakes = time;
                at(time, () -> {
                    receiverWakes = Long.MAX_VALUE;
                    receiver.onTimer(now);
                });
            }
        }

        @Override
        public void released(@Nullable Long payload) {}
    }
}
