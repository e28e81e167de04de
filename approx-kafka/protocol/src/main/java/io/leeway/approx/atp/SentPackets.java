package io.leeway.approx.atp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packets on their way, and what became of them.
 *
 * <p>A packet is acknowledged, or presumed lost when three packets that were sent after it <em>in the same queue</em> have
 * been acknowledged (a change of queue reorders), or when it is older than the loss delay. One that is presumed lost and
 * arrives after all is still recognised, until as many packets as the window holds have been sent after it.
 *
 * <p>Losses are counted by the epoch in which a packet was <em>sent</em>, when all packets of it are decided.
 */
final class SentPackets<M> {

    private static final int REORDERING = 3;
    private static final int EPOCHS = 256;

    /** One packet on its way. */
    static final class Sent<M> {
        final long number;
        final @Nullable Message<M> message;
        final int part;
        final int bytes;
        final long at;
        final int queue;
        final long place;
        final int epoch;
        boolean decided;
        boolean acked;

        Sent(
                long number,
                @Nullable Message<M> message,
                int part,
                int bytes,
                long at,
                int queue,
                long place,
                int epoch) {
            this.number = number;
            this.message = message;
            this.part = part;
            this.bytes = bytes;
            this.at = at;
            this.queue = queue;
            this.place = place;
            this.epoch = epoch;
        }
    }

    /** What was decided of whole epochs since the last time it was asked for. */
    record Decided(long acked, long lost, double partsPerMessage) {}

    private final @Nullable Sent<M>[] ring;
    private final int mask;
    private final List<ArrayDeque<Sent<M>>> undecided = new ArrayList<>();
    /** The three highest places that were acknowledged, by queue, highest first. */
    private final long[][] highest;

    private final long[] places;
    private final int[] sentIn = new int[EPOCHS];
    private final int[] ackedIn = new int[EPOCHS];
    private final int[] lostIn = new int[EPOCHS];
    private final long[] partsIn = new long[EPOCHS];
    private int epoch;
    private int evaluated;
    private long next;
    private long oldest;
    private long bytesUndecided;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    SentPackets(int window, int queues) {
        ring = new Sent[window];
        mask = window - 1;
        highest = new long[queues][REORDERING];
        places = new long[queues];
        for (int queue = 0; queue < queues; queue++) {
            undecided.add(new ArrayDeque<>());
            java.util.Arrays.fill(highest[queue], -1);
        }
    }

    long next() {
        return next;
    }

    /** Whether the window has room: the packet that a further one would push out is decided. */
    boolean hasRoom() {
        return next - oldest <= mask;
    }

    boolean anyUndecided() {
        return oldest < next;
    }

    long bytesUndecided() {
        return bytesUndecided;
    }

    void add(@Nullable Message<M> message, int part, int bytes, int queue, long now) {
        int slot = epoch % EPOCHS;
        Sent<M> sent = new Sent<>(next, message, part, bytes, now, queue, places[queue]++, epoch);
        ring[(int) next & mask] = sent;
        undecided.get(queue).add(sent);
        sentIn[slot]++;
        partsIn[slot] += message == null ? 1 : message.parts;
        bytesUndecided += bytes;
        next++;
    }

    /** The packet of this number, if it is remembered. */
    @Nullable
    Sent<M> find(long number) {
        if (number < 0 || number >= next || number < next - ring.length) {
            return null;
        }
        Sent<M> sent = ring[(int) number & mask];
        return sent != null && sent.number == number ? sent : null;
    }

    void acked(Sent<M> sent) {
        if (!sent.decided) {
            decide(sent, ackedIn);
        } else if (!sent.acked && sent.epoch >= evaluated) {
            // It was late, not lost, and its epoch has not been judged yet.
            lostIn[sent.epoch % EPOCHS]--;
            ackedIn[sent.epoch % EPOCHS]++;
        }
        sent.acked = true;
        long[] top = highest[sent.queue];
        for (int i = 0; i < REORDERING; i++) {
            if (sent.place == top[i]) {
                return;
            }
            if (sent.place > top[i]) {
                System.arraycopy(top, i, top, i + 1, REORDERING - 1 - i);
                top[i] = sent.place;
                return;
            }
        }
    }

    /** Takes out what is presumed lost now. */
    List<Sent<M>> takeLost(long now, long lossDelay) {
        List<Sent<M>> lost = new ArrayList<>();
        for (ArrayDeque<Sent<M>> queue : undecided) {
            while (!queue.isEmpty()) {
                Sent<M> first = queue.getFirst();
                boolean overtaken = first.place < highest[first.queue][REORDERING - 1];
                if (!first.decided && !overtaken && now - first.at < lossDelay) {
                    break;
                }
                queue.removeFirst();
                if (!first.decided) {
                    decide(first, lostIn);
                    lost.add(first);
                }
            }
        }
        advance();
        return lost;
    }

    /** When the first packet will be presumed lost if nothing is heard of it. */
    long lossTime(long lossDelay) {
        Sent<M> first = anyUndecided() ? ring[(int) oldest & mask] : null;
        return first == null || lossDelay == Long.MAX_VALUE ? Long.MAX_VALUE : first.at + lossDelay;
    }

    private void decide(Sent<M> sent, int[] counts) {
        sent.decided = true;
        bytesUndecided -= sent.bytes;
        if (sent.epoch >= evaluated) {
            counts[sent.epoch % EPOCHS]++;
        }
    }

    private void advance() {
        while (oldest < next) {
            Sent<M> sent = ring[(int) oldest & mask];
            if (sent != null && !sent.decided) {
                return;
            }
            oldest++;
        }
    }

    /** Begins a new epoch; what was sent before it is not counted any more, whatever becomes of it. */
    void forgive() {
        epoch++;
        while (evaluated < epoch) {
            forget(evaluated++ % EPOCHS);
        }
    }

    private void forget(int slot) {
        sentIn[slot] = 0;
        ackedIn[slot] = 0;
        lostIn[slot] = 0;
        partsIn[slot] = 0;
    }

    /** Ends the epoch, and adds up those epochs whose packets are all decided. */
    Decided endEpoch() {
        long acked = 0;
        long lost = 0;
        long parts = 0;
        epoch++;
        boolean full = epoch - evaluated >= EPOCHS;
        while (evaluated < epoch) {
            int slot = evaluated % EPOCHS;
            if (ackedIn[slot] + lostIn[slot] < sentIn[slot] && !full) {
                break;
            }
            full = false;
            acked += ackedIn[slot];
            lost += lostIn[slot];
            parts += partsIn[slot];
            forget(slot);
            evaluated++;
        }
        long decided = acked + lost;
        return new Decided(acked, lost, decided == 0 ? 1 : Math.max(1, (double) parts / decided));
    }
}
