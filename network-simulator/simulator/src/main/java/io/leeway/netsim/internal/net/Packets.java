package io.leeway.netsim.internal.net;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packets on their way, each an index into parallel arrays; freed ones are used again. About 50 bytes a packet.
 *
 * <p>Fields are read and written through methods that the compiler inlines. Not thread-safe.
 */
public final class Packets {

    private static final int MARKED = 1;
    private static final int ACK = 2;
    private static final int MARKABLE = 4;
    private static final int CREDIT = 8;
    private static final int UNSCHEDULED = 16;

    private int[] flow = new int[1024];
    private int[] target = new int[1024];
    private int[] number = new int[1024];
    private int[] extra = new int[1024];
    private int[] bytes = new int[1024];
    private int[] next = new int[1024];
    private byte[] queue = new byte[1024];
    private byte[] flags = new byte[1024];
    private long[] stamp = new long[1024];
    private @Nullable Object[] body = new Object[1024];
    private int used;
    private int free = -1;
    private int alive;
    private int most;

    /** A packet of a flow to a host, of so many bytes, in a queue; data that cannot be marked. */
    public int make(int flowNumber, int to, int length, int inQueue) {
        int packet = free;
        if (packet >= 0) {
            free = next[packet];
        } else {
            if (used == flow.length) {
                grow(used * 2);
            }
            packet = used++;
        }
        alive++;
        most = Math.max(most, alive);
        flow[packet] = flowNumber;
        target[packet] = to;
        bytes[packet] = length;
        queue[packet] = (byte) inQueue;
        flags[packet] = 0;
        next[packet] = -1;
        return packet;
    }

    private void grow(int length) {
        flow = Arrays.copyOf(flow, length);
        target = Arrays.copyOf(target, length);
        number = Arrays.copyOf(number, length);
        extra = Arrays.copyOf(extra, length);
        bytes = Arrays.copyOf(bytes, length);
        next = Arrays.copyOf(next, length);
        queue = Arrays.copyOf(queue, length);
        flags = Arrays.copyOf(flags, length);
        stamp = Arrays.copyOf(stamp, length);
        body = Arrays.copyOf(body, length);
    }

    /** The packet is gone; its number will be used again. */
    public void release(int packet) {
        alive--;
        body[packet] = null;
        next[packet] = free;
        free = packet;
    }

    /** How many packets there are. */
    public int alive() {
        return alive;
    }

    /** The most that there were at once. */
    public int most() {
        return most;
    }

    /** Makes it data of a sequence number that switches may mark. */
    public void data(int packet, int sequence, long remaining, long time, boolean markable) {
        number[packet] = sequence;
        extra[packet] = (int) Math.min(Integer.MAX_VALUE, remaining);
        stamp[packet] = time;
        flags[packet] = (byte) (markable ? MARKABLE : 0);
    }

    /** Makes it an acknowledgement of everything below {@code below}, and of {@code sequence}. */
    public void ack(int packet, int below, int sequence, long time, boolean echo) {
        number[packet] = below;
        extra[packet] = sequence;
        stamp[packet] = time;
        flags[packet] = (byte) (ACK | (echo ? MARKED : 0));
    }

    /** Makes it a credit: leave to send one packet back. */
    public void credit(int packet, int sequence, long time) {
        number[packet] = sequence;
        extra[packet] = 0;
        stamp[packet] = time;
        flags[packet] = CREDIT;
    }

    /** Lets switches drop it as soon as others wait: it was sent without leave. */
    public void unscheduled(int packet) {
        flags[packet] |= UNSCHEDULED;
    }

    /** Whether it is a credit. */
    public boolean isCredit(int packet) {
        return (flags[packet] & CREDIT) != 0;
    }

    boolean isUnscheduled(int packet) {
        return (flags[packet] & UNSCHEDULED) != 0;
    }

    /** What it carries. */
    public @Nullable Object body(int packet) {
        return body[packet];
    }

    /** Gives it something to carry, forwards or as an acknowledgement. */
    public void body(int packet, Object carried, boolean isAck) {
        body[packet] = carried;
        flags[packet] = isAck ? (byte) ACK : 0;
        extra[packet] = 0;
    }

    /** Its flow. */
    public int flow(int packet) {
        return flow[packet];
    }

    /** The host it goes to. */
    public int target(int packet) {
        return target[packet];
    }

    /** Its sequence number, or what an acknowledgement acknowledges all below. */
    public int number(int packet) {
        return number[packet];
    }

    /** What an acknowledgement is for, or how much is left of the flow. */
    public int extra(int packet) {
        return extra[packet];
    }

    /** Its length. */
    public int bytes(int packet) {
        return bytes[packet];
    }

    /** When the data was sent. */
    public long stamp(int packet) {
        return stamp[packet];
    }

    /** Its queue. */
    public int queue(int packet) {
        return queue[packet];
    }

    /** Whether it goes back. */
    public boolean isAck(int packet) {
        return (flags[packet] & ACK) != 0;
    }

    /** Whether a switch has marked it, or the data it acknowledges. */
    public boolean isMarked(int packet) {
        return (flags[packet] & MARKED) != 0;
    }

    void markIfPossible(int packet) {
        if ((flags[packet] & MARKABLE) != 0) {
            flags[packet] |= MARKED;
        }
    }

    /** What {@code LEAST_REMAINING} goes by: acknowledgements before all data. */
    int key(int packet) {
        return isAck(packet) ? -1 : extra[packet];
    }

    int next(int packet) {
        return next[packet];
    }

    void next(int packet, int following) {
        next[packet] = following;
    }
}
