package io.leeway.approx.atp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of a flow: puts messages together, hands each up once, tells the sender what arrived.
 *
 * <p>Invariants: a message is handed up at most once, complete, and never after its job was closed; messages of a group
 * with MSR 1 are handed up in order. Bytes that are incomplete, out of order, or handed up and not yet
 * {@linkplain #consumed consumed} never exceed the capacity.
 *
 * <p>Not thread-safe; see the package for how it is driven.
 *
 * @param <M> what a packet's payload is to the driver
 */
public final class AtpReceiver<M> {

    /** What the receiver asks of its driver. Called from within its methods; must not call back. */
    public interface Output<M> {

        /**
         * A message is complete.
         *
         * @param job its job
         * @param group its group
         * @param message its number in the group
         * @param length its length in bytes
         * @param parts the payloads of its packets, in order
         */
        void deliver(int job, int group, int message, int length, List<@Nullable M> parts);

        /** Carry an acknowledgement to the sender. */
        void ack(Ack ack);

        /** A job is over; nothing of it is handed up after this. */
        void closed(JobReport report);

        /** Call {@link AtpReceiver#onTimer} at this time; replaces the time given before. */
        void wakeAt(long time);

        /** A payload was not taken, or is not needed any more: its memory may be used. */
        void released(@Nullable M payload);
    }

    private static final int ACK_EVERY = 32;
    private static final int OPEN_JOBS = 1_024;

    private final Output<M> output;
    private final long capacity;
    private final long ackDelay;
    private final TreeMap<Integer, ReceivedJob<M>> jobs = new TreeMap<>();
    /** Jobs that were closed, above {@code closedBelow}. */
    private final BitSet closed = new BitSet();

    private int closedBelow = 1;
    private final long[] seen = new long[Ack.SPAN / Long.SIZE];
    private long top = -1;
    private long topAt;
    private int unacked;
    private long ackAt = Long.MAX_VALUE;
    private long held;
    private long drops;

    /**
     * A receiver that has received nothing yet.
     *
     * @param capacity bytes that it may hold
     * @param ackDelay how long an acknowledgement may wait for further packets, in nanoseconds; a quarter of an epoch
     */
    public AtpReceiver(long capacity, long ackDelay, Output<M> output) {
        if (capacity < 1 || ackDelay < 0) {
            throw new IllegalArgumentException("capacity " + capacity + ", delay " + ackDelay);
        }
        this.output = output;
        this.capacity = capacity;
        this.ackDelay = ackDelay;
    }

    /** A packet has come. */
    public void onPacket(Packet<M> packet, long now) {
        if (!packet.probe() && !take(packet)) {
            drops++;
            output.released(packet.payload());
            requestAck(now);
            return;
        }
        note(packet.number(), now);
        unacked++;
        if (unacked >= ACK_EVERY || packet.probe()) {
            sendAck(now);
        } else {
            requestAck(now);
        }
    }

    private void requestAck(long now) {
        if (ackAt == Long.MAX_VALUE) {
            ackAt = now + ackDelay;
            output.wakeAt(ackAt);
        }
    }

    /** Whether the packet was dealt with; if not, it counts as never received. */
    private boolean take(Packet<M> packet) {
        if (isClosed(packet.job())) {
            output.released(packet.payload());
            return true;
        }
        if (held + packet.bytes() > capacity || !jobs.containsKey(packet.job()) && jobs.size() >= OPEN_JOBS) {
            return false;
        }
        ReceivedGroup<M> group = job(packet.job()).group(packet.group());
        if (!group.accepts(packet)) {
            output.released(packet.payload());
            return true;
        }
        held += packet.bytes();
        ReceivedMessage<M> complete = group.add(packet);
        if (complete != null) {
            group.deliver(packet.job(), packet.group(), complete, packet.ordered(), output);
        }
        return true;
    }

    private ReceivedJob<M> job(int id) {
        return jobs.computeIfAbsent(id, unused -> new ReceivedJob<>());
    }

    private boolean isClosed(int job) {
        return job < closedBelow || closed.get(job - closedBelow);
    }

    /** The application is done with so many bytes that were handed up. */
    public void consumed(long bytes, long now) {
        boolean wasFull = held > capacity / 2;
        held = Math.max(0, held - bytes);
        if (wasFull && held <= capacity / 2 && top >= 0) {
            sendAck(now);
        }
    }

    /** A reliable message has come. */
    public void onControl(Control message, long now) {
        if (message instanceof Control.Close close && !isClosed(close.job())) {
            close(close);
            if (unacked > 0) {
                sendAck(now);
            }
        }
    }

    /**
     * How many messages a group had at least, as far as any packet tells; for a job whose sender is gone, and with it what
     * would have told exactly.
     */
    public long atLeast(int job, int group) {
        ReceivedJob<M> found = jobs.get(job);
        return found == null ? 0 : found.group(group).atLeast();
    }

    private void close(Control.Close close) {
        ReceivedJob<M> job = jobs.remove(close.job());
        List<JobReport.Group> groups = new ArrayList<>();
        for (Control.Totals totals : close.groups()) {
            ReceivedGroup<M> group = job == null ? new ReceivedGroup<>() : job.group(totals.group());
            groups.add(group.report(totals));
        }
        if (job != null) {
            for (ReceivedGroup<M> group : job.groups.values()) {
                held = Math.max(0, held - group.abandon(output));
            }
        }
        closed.set(close.job() - closedBelow);
        int gone = closed.nextClearBit(0);
        if (gone > 0) {
            BitSet rest = closed.get(gone, Math.max(gone, closed.length()));
            closed.clear();
            closed.or(rest);
            closedBelow += gone;
        }
        output.closed(new JobReport(close.job(), groups));
    }

    /** The time asked for has come. */
    public void onTimer(long now) {
        if (now >= ackAt) {
            sendAck(now);
        } else if (ackAt != Long.MAX_VALUE) {
            output.wakeAt(ackAt);
        }
    }

    /** Packets that there was no room for. */
    public long drops() {
        return drops;
    }

    /** Bytes held. */
    public long held() {
        return held;
    }

    private void note(long number, long now) {
        if (number > top) {
            shift(top < 0 ? Ack.SPAN : number - top);
            top = number;
            topAt = now;
            seen[0] |= 1;
        } else if (top - number < Ack.SPAN) {
            int back = (int) (top - number);
            seen[back >>> 6] |= 1L << back;
        }
    }

    private void shift(long by) {
        for (long left = by; left > 0; left -= 63) {
            if (by >= Ack.SPAN) {
                java.util.Arrays.fill(seen, 0);
                return;
            }
            int step = (int) Math.min(63, left);
            for (int word = seen.length - 1; word > 0; word--) {
                seen[word] = seen[word] << step | seen[word - 1] >>> Long.SIZE - step;
            }
            seen[0] <<= step;
        }
    }

    private void sendAck(long now) {
        unacked = 0;
        ackAt = Long.MAX_VALUE;
        output.ack(new Ack(
                top,
                seen[0],
                seen[1],
                seen[2],
                seen[3],
                Math.max(0, now - topAt),
                Math.max(0, capacity - held),
                drops));
        output.wakeAt(Long.MAX_VALUE);
    }

    /** The groups of one job. */
    private static final class ReceivedJob<M> {
        final Map<Integer, ReceivedGroup<M>> groups = new TreeMap<>();

        ReceivedGroup<M> group(int id) {
            return groups.computeIfAbsent(id, unused -> new ReceivedGroup<>());
        }
    }
}
