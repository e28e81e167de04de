package io.leeway.approx.internal.wire;

import io.leeway.approx.atp.Ack;
import io.leeway.approx.atp.Packet;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of datagrams, in network byte order.
 *
 * <p>A datagram has a header of {@value #HEADER} bytes in the clear: version and kind (1), session (8), number (8); then,
 * sealed, one acknowledgement or any number of packets of one priority queue. Packets that go to the same queue at the
 * same time share a datagram: a record is often far smaller than one.
 */
public final class Datagrams {

    /** The version of this format. */
    public static final int VERSION = 1;

    /** Bytes in the clear. */
    public static final int HEADER = 17;

    /** Bytes of a packet besides its part of the message. */
    public static final int PACKET_HEADER = 31;

    /** Bytes of an acknowledgement. */
    public static final int ACK = 64;

    /** The kind of a datagram with packets. */
    public static final int DATA = 1;

    /** The kind of a datagram with an acknowledgement. */
    public static final int ACKNOWLEDGEMENT = 2;

    /** The kind of a datagram that asks whether datagrams come through; filled up to the full length. */
    public static final int PROBE = 3;

    /** The kind of the answer to a probe. */
    public static final int ECHO = 4;

    private static final int ORDERED = 1;
    private static final int RESENT = 2;
    private static final int EMPTY = 4;

    private Datagrams() {}

    /** Writes a header. */
    public static void header(ByteBuffer out, int kind, long session, long number) {
        out.put((byte) (VERSION << 4 | kind)).putLong(session).putLong(number);
    }

    /** The version of a datagram that has at least one byte. */
    public static int version(byte first) {
        return (first & 0xFF) >>> 4;
    }

    /** The kind of a datagram. */
    public static int kind(byte first) {
        return first & 0x0F;
    }

    /** Writes a packet, with the part of the message that it carries. */
    public static void packet(ByteBuffer out, Packet<byte[]> packet, int payload) {
        int flags = (packet.ordered() ? ORDERED : 0)
                | (packet.resent() ? RESENT : 0)
                | (packet.probe() ? EMPTY : 0)
                | packet.queue() << 4;
        out.putLong(packet.number())
                .put((byte) flags)
                .putInt(packet.job())
                .putShort((short) packet.group())
                .putInt(packet.message())
                .putInt(packet.length())
                .putShort((short) packet.index())
                .putShort((short) packet.parts())
                .putInt(packet.bytes());
        byte[] message = packet.payload();
        if (message != null) {
            out.put(message, packet.index() * payload, packet.bytes());
        }
    }

    /**
     * Reads all packets of a datagram.
     *
     * @throws IllegalArgumentException if they are malformed; those before have been given
     */
    public static void packets(ByteBuffer in, Consumer<Packet<byte[]>> to) {
        try {
            while (in.hasRemaining()) {
                to.accept(packet(in));
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a packet that is cut short", e);
        }
    }

    private static Packet<byte[]> packet(ByteBuffer in) {
        long number = in.getLong();
        int flags = in.get();
        int queue = flags >>> 4 & 7;
        int job = in.getInt();
        int group = in.getShort() & 0xFFFF;
        int message = in.getInt();
        int length = in.getInt();
        int index = in.getShort() & 0xFFFF;
        int parts = in.getShort() & 0xFFFF;
        int bytes = in.getInt();
        boolean empty = (flags & EMPTY) != 0;
        if (number < 0
                || bytes < 0
                || bytes > in.remaining()
                || bytes > length
                || !empty && (parts == 0 || index >= parts)) {
            throw new IllegalArgumentException("a packet of " + bytes + " bytes, part " + index + " of " + parts);
        }
        byte[] part = new byte[bytes];
        in.get(part);
        boolean ordered = (flags & ORDERED) != 0;
        boolean resent = (flags & RESENT) != 0;
        return new Packet<>(
                number, queue, job, group, message, length, index, parts, bytes, ordered, resent, empty, part, 0);
    }

    /** Writes an acknowledgement. */
    public static void ack(ByteBuffer out, Ack ack) {
        out.putLong(ack.top())
                .putLong(ack.bits0())
                .putLong(ack.bits1())
                .putLong(ack.bits2())
                .putLong(ack.bits3())
                .putLong(ack.delay())
                .putLong(ack.credit())
                .putLong(ack.drops());
    }

    /** Reads an acknowledgement; null if it is none. */
    public static @Nullable Ack ack(ByteBuffer in) {
        if (in.remaining() != ACK) {
            return null;
        }
        long[] fields = new long[ACK / Long.BYTES];
        Arrays.setAll(fields, i -> in.getLong());
        return new Ack(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7]);
    }
}
