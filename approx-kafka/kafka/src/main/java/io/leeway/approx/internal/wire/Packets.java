package io.leeway.approx.internal.wire;

import io.leeway.approx.atp.Packet;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The packets of one datagram. What follows from the packet before is not said again: a packet of a small message takes
 * some six bytes besides the message.
 *
 * <p>One instance writes one datagram after the other; see {@link #begin}. Not thread-safe.
 */
public final class Packets {

    /** The most that a packet takes besides its part of the message. */
    public static final int MOST_HEADER = 40;

    /** What it mostly takes, with its share of the datagram's own headers. */
    public static final int USUAL_HEADER = 24;

    private static final int ORDERED = 1;
    private static final int RESENT = 2;
    private static final int EMPTY = 4;
    /** Job and group are those of the packet before. */
    private static final int SAME = 8;
    /** The message has several parts. */
    private static final int PARTED = 128;

    private boolean any;
    private long number;
    private int job;
    private int group;
    private int message;

    /** The next packet is the first of its datagram. */
    public void begin() {
        any = false;
    }

    /**
     * Writes a packet, with the part of the message that it carries.
     *
     * @param payload how many bytes of a message one packet carries
     */
    public void write(ByteBuffer out, Packet<byte[]> packet, int payload) {
        long step = packet.number() - number - 1;
        boolean follows = any && step >= 0 && step < 1 << 28;
        if (any && !follows) {
            throw new IllegalArgumentException("packet " + packet.number() + " after " + number);
        }
        boolean same = any && packet.job() == job && packet.group() == group;
        boolean parted = packet.parts() > 1;
        out.put((byte) ((packet.ordered() ? ORDERED : 0)
                | (packet.resent() ? RESENT : 0)
                | (packet.probe() ? EMPTY : 0)
                | (same ? SAME : 0)
                | packet.queue() << 4
                | (parted ? PARTED : 0)));
        if (any) {
            Varints.put(out, (int) step);
        } else {
            out.putLong(packet.number());
        }
        if (same) {
            int difference = packet.message() - message;
            Varints.put(out, difference < 0 ? -difference * 2 - 1 : difference * 2);
        } else {
            Varints.put(out, packet.job());
            Varints.put(out, packet.group());
            Varints.put(out, packet.message());
        }
        Varints.put(out, packet.length());
        if (parted) {
            Varints.put(out, packet.index());
            Varints.put(out, packet.parts());
            Varints.put(out, packet.bytes());
        }
        byte[] whole = packet.payload();
        if (whole != null) {
            out.put(whole, packet.index() * payload, packet.bytes());
        }
        any = true;
        number = packet.number();
        job = packet.job();
        group = packet.group();
        message = packet.message();
    }

    /**
     * Reads all packets of a datagram.
     *
     * @throws IllegalArgumentException if they are malformed; those before have been given
     */
    public static void read(ByteBuffer in, Consumer<Packet<byte[]>> to) {
        Packets before = new Packets();
        try {
            while (in.hasRemaining()) {
                to.accept(before.next(in));
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a packet that is cut short", e);
        }
    }

    private Packet<byte[]> next(ByteBuffer in) {
        int flags = in.get();
        number = any ? number + 1 + Varints.get(in) : in.getLong();
        if ((flags & SAME) != 0 && any) {
            int coded = Varints.get(in);
            message += (coded & 1) == 0 ? coded / 2 : -(coded / 2) - 1;
        } else {
            job = Varints.get(in);
            group = Varints.get(in);
            message = Varints.get(in);
        }
        any = true;
        boolean empty = (flags & EMPTY) != 0;
        int length = Varints.get(in);
        boolean parted = (flags & PARTED) != 0;
        int index = parted ? Varints.get(in) : 0;
        int parts = parted ? Varints.get(in) : 1;
        int bytes = parted ? Varints.get(in) : length;
        if (number < 0
                || group > 0xFFFF
                || parts > 0xFFFF
                || bytes > in.remaining()
                || bytes > length
                || index >= parts
                || empty && bytes > 0) {
            throw new IllegalArgumentException("a packet of " + bytes + " bytes, part " + index + " of " + parts);
        }
        byte[] part = new byte[bytes];
        in.get(part);
        boolean ordered = (flags & ORDERED) != 0;
        boolean resent = (flags & RESENT) != 0;
        int queue = flags >>> 4 & 7;
        return new Packet<>(
                number, queue, job, group, message, length, index, parts, bytes, ordered, resent, empty, part, 0);
    }
}
