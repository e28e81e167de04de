package io.leeway.approx.atp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A sender, a receiver and a bad network between them, in virtual time. Messages are their own numbers. */
final class FakeLink {

    /** What the network does. */
    record Weather(double loss, double ackLoss, double doubled, long delay, long jitter, double bytesPerSecond) {}

    private record Event(long at, long order, Runnable action) {}

    final AtpSender<Long> sender;
    final AtpReceiver<Long> receiver;
    final List<JobReport> finished = new ArrayList<>();
    final Map<Integer, JobReport> closed = new HashMap<>();
    final Map<String, List<Integer>> delivered = new HashMap<>();
    final List<String> faults = new ArrayList<>();
    final List<Packet<Long>> packets = new ArrayList<>();
    long released;
    long now;

    private final Weather weather;
    private final RandomGenerator random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>((a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.order, b.order));
    private long order;
    private long linkFree;
    private long senderWakes = Long.MAX_VALUE;
    private long receiverWakes = Long.MAX_VALUE;
    boolean slowApplication;
    /** The receiver's clock: how far ahead of the sender's it is, and how much faster it goes. */
    long skew;

    double pace = 1;
    /** Whether packets are carried without loss. */
    boolean carried;

    FakeLink(AtpConfig config, Weather weather, RandomGenerator random) {
        this(config, weather, random, Long.MAX_VALUE / 2);
    }

    FakeLink(AtpConfig config, Weather weather, RandomGenerator random, long capacity) {
        this.weather = weather;
        this.random = random;
        sender = new AtpSender<>(config, new SenderSide());
        receiver = new AtpReceiver<>(capacity, config.minEpoch() / 4, new ReceiverSide());
    }

    private long receiverTime() {
        return skew + (long) (now * pace);
    }

    private void at(long time, Runnable action) {
        events.add(new Event(time, order++, action));
    }

    void in(long delay, Runnable action) {
        at(now + delay, action);
    }

    /** Runs until nothing happens any more; false if that takes too many events. */
    boolean run(int mostEvents) {
        for (int i = 0; i < mostEvents; i++) {
            Event event = events.poll();
            if (event == null) {
                return true;
            }
            now = Math.max(now, event.at);
            event.action.run();
        }
        return false;
    }

    private long arrival(int bytes) {
        linkFree = Math.max(now, linkFree) + (long) (bytes * 1e9 / weather.bytesPerSecond);
        return linkFree + weather.delay + (weather.jitter == 0 ? 0 : random.nextLong(weather.jitter));
    }

    private final class SenderSide implements AtpSender.Output<Long> {
        @Override
        public void transmit(Packet<Long> packet, int queue) {
            packets.add(packet);
            // A queue of some thirty packets: what comes in while it is full is lost.
            boolean overflow = linkFree - now > 30 * packet.wireBytes() * 1e9 / weather.bytesPerSecond;
            if (!carried && (overflow || random.nextDouble() < weather.loss)) {
                return;
            }
            long time = arrival(packet.wireBytes());
            at(time, () -> receiver.onPacket(packet, receiverTime()));
            if (random.nextDouble() < weather.doubled) {
                at(time + weather.delay, () -> receiver.onPacket(packet, receiverTime()));
            }
        }

        @Override
        public void control(Control message) {
            at(now + weather.delay, () -> receiver.onControl(message, receiverTime()));
        }

        @Override
        public void wakeAt(long time) {
            if (time < senderWakes || senderWakes <= now) {
                senderWakes = time;
                if (time != Long.MAX_VALUE) {
                    at(time, () -> {
                        senderWakes = Long.MAX_VALUE;
                        sender.onTimer(now);
                    });
                }
            }
        }

        @Override
        public void finished(JobReport report) {
            finished.add(report);
        }

        @Override
        public void released(@Nullable Long message) {
            released++;
        }
    }

    private final class ReceiverSide implements AtpReceiver.Output<Long> {
        @Override
        public void deliver(int job, int group, int message, int length, List<@Nullable Long> parts) {
            List<Integer> got = delivered.computeIfAbsent(job + "/" + group, key -> new ArrayList<>());
            got.add(message);
            if (closed.containsKey(job)) {
                faults.add("message " + message + " of job " + job + " after it was closed");
            }
            if (parts.contains(null)) {
                faults.add("message " + message + " lacks a part");
            }
            at(slowApplication ? now + weather.delay : now, () -> receiver.consumed(length, receiverTime()));
        }

        @Override
        public void ack(Ack ack) {
            if (random.nextDouble() >= weather.ackLoss) {
                long jitter = weather.jitter == 0 ? 0 : random.nextLong(weather.jitter);
                at(now + weather.delay + jitter, () -> sender.onAck(ack, now));
            }
        }

        @Override
        public void closed(JobReport report) {
            closed.put(report.job(), report);
        }

        @Override
        public void wakeAt(long time) {
            long ours = time == Long.MAX_VALUE ? time : Math.max(now, (long) Math.ceil((time - skew) / pace));
            if (time != Long.MAX_VALUE && (ours < receiverWakes || receiverWakes <= now)) {
                receiverWakes = ours;
                at(ours, () -> {
                    receiverWakes = Long.MAX_VALUE;
                    receiver.onTimer(receiverTime());
                });
            }
        }

        @Override
        public void released(@Nullable Long payload) {}
    }
}
