package io.leeway.approx.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.approx.atp.Ack;
import io.leeway.approx.atp.AtpConfig;
import io.leeway.approx.atp.AtpReceiver;
import io.leeway.approx.atp.AtpSender;
import io.leeway.approx.atp.Control;
import io.leeway.approx.atp.GroupSpec;
import io.leeway.approx.atp.JobReport;
import io.leeway.approx.atp.JobSpec;
import io.leeway.approx.atp.Packet;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Intervals of what the transport itself delivers while packets get lost in bursts: 2,000 windows through its two classes,
 * in virtual time. Long records carry large values, so a sample that favoured short ones would show.
 */
class BurstLossTest {

    private static final int WINDOWS = 2_000;
    private static final int RECORDS = 300;
    private static final double MSR = 0.4;
    private static final long DELAY = 50_000;

    private record Event(long at, long order, Runnable action) {}

    private final RandomGenerator random = Seeds.random("bursts of loss");
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private final List<Double> delivered = new ArrayList<>();
    private final double[] values = new double[RECORDS];
    private final AtpSender<Integer> sender =
            new AtpSender<>(AtpConfig.real(1.25e7, 1_300, 7).minEpoch(200_000).minLossDelay(200_000), new SenderSide());
    private final AtpReceiver<Integer> receiver = new AtpReceiver<>(1 << 24, 50_000, new ReceiverSide());
    private long now;
    private long order;
    private boolean bad;
    private int closed;
    private long lost;
    private long sent;

    private void at(long time, Runnable action) {
        events.add(new Event(Math.max(now, time), order++, action));
    }

    /** Good for some 60 packets, bad for some 12, in which four of five get lost. */
    private boolean loses() {
        bad = bad ? random.nextDouble() >= 1.0 / 12 : random.nextDouble() < 1.0 / 60;
        return bad && random.nextDouble() < 0.8;
    }

    @Test
    void intervalsCoverTheTruthAsOftenAsTheySay() {
        int covered = 0;
        for (int window = 1; window <= WINDOWS; window++) {
            for (int i = 0; i < RECORDS; i++) {
                values[i] = Math.exp(2.2 + 0.6 * random.nextGaussian());
            }
            delivered.clear();
            sender.open(JobSpec.of(window, GroupSpec.open(0, MSR, 0)));
            for (int i = 0; i < RECORDS; i++) {
                // Up to three packets.
                int size = (int) Math.min(3_900, 20 * values[i]);
                sender.offer(window, 0, size, i, i, now);
            }
            sender.end(window, now);
            while (closed < window) {
                Event next = events.remove();
                now = next.at;
                next.action.run();
            }
            double[] sample = delivered.stream().mapToDouble(value -> value).toArray();
            assertThat(sample).hasSizeGreaterThanOrEqualTo((int) GroupSpec.need(MSR, RECORDS));
            double truth = Arrays.stream(values).average().orElseThrow();
            covered += new Sample(sample, RECORDS).mean(0.95).covers(truth) ? 1 : 0;
        }
        assertThat((double) lost / sent).isBetween(0.05, 0.4);
        assertThat(covered / (double) WINDOWS).isBetween(0.93, 0.97);
    }

    /** Carries packets, but for those that get lost. */
    private final class SenderSide implements AtpSender.Output<Integer> {
        private long wakes = Long.MAX_VALUE;

        @Override
        public void transmit(Packet<Integer> packet, int queue) {
            sent++;
            if (loses()) {
                lost++;
            } else {
                at(now + DELAY, () -> receiver.onPacket(packet, now));
            }
        }

        @Override
        public void control(Control message) {
            at(now + DELAY, () -> receiver.onControl(message, now));
        }

        @Override
        public void wakeAt(long time) {
            if (time != Long.MAX_VALUE && (time < wakes || wakes <= now)) {
                wakes = time;
                at(time, () -> {
                    wakes = Long.MAX_VALUE;
                    sender.onTimer(now);
                });
            }
        }

        @Override
        public void finished(JobReport report) {
            assertThat(report.kept()).isTrue();
        }

        @Override
        public void released(@Nullable Integer message) {}
    }

    /** Keeps the values of what is handed up. */
    private final class ReceiverSide implements AtpReceiver.Output<Integer> {
        private long wakes = Long.MAX_VALUE;

        @Override
        public void deliver(int job, int group, int message, int length, List<@Nullable Integer> parts) {
            delivered.add(values[message]);
            at(now, () -> receiver.consumed(length, now));
        }

        @Override
        public void ack(Ack ack) {
            at(now + DELAY, () -> sender.onAck(ack, now));
        }

        @Override
        public void closed(JobReport report) {
            closed = report.job();
        }

        @Override
        public void wakeAt(long time) {
            if (time != Long.MAX_VALUE && (time < wakes || wakes <= now)) {
                wakes = time;
                at(time, () -> {
                    wakes = Long.MAX_VALUE;
                    receiver.onTimer(now);
                });
            }
        }

        @Override
        public void released(@Nullable Integer payload) {}
    }
}
