package io.leeway.approx.internal.wire;

import io.leeway.approx.atp.Ack;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of datagrams, in network byte order.
 *
 * <p>A datagram has a header of {@value #HEADER} bytes in the clear: version and kind (1), session (8), number (8); then,
 * sealed, one acknowledgement or any number of {@linkplain Packets packets} of one priority queue. Packets that go to the
 * same queue at the same time share a datagram: a record is often far smaller than one.
 */
public final class Datagrams {

    /** The version of this format. */
    public static final int VERSION = 2;

    /** Bytes in the clear. */
    public static final int HEADER = 17;

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
