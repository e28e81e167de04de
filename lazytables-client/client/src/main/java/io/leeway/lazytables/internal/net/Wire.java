package io.leeway.lazytables.internal.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * How frames lie in the stream; docs/lazytables/protocol.md says it to others. A side begins with eight bytes: the
 * magic number, the version and flags. Frames follow, each with a header of four bytes: the kind in the upper four
 * bits, the length of what follows in the others. Numbers are big-endian.
 */
final class Wire {

    /** "LZYT". */
    static final int MAGIC = 0x4c5a5954;

    /**
     * Of frames and of the handshake; what messages mean has a version of its own (Protocol.VERSION), since only both
     * ends of the protocol have to agree on that.
     */
    static final int VERSION = 1;

    static final int PREAMBLE = 8;
    static final int HEADER = 4;
    /** A quarter of a gigabyte: what is left of a header's 32 bits beside the kind. */
    static final int MOST_LENGTH = (1 << 28) - 1;
    /** No frame of the handshake is longer; GOODBYE may come then too. */
    static final int HANDSHAKE_LIMIT = 1_024;
    /** All that a peer may send before it is let in. */
    static final int HANDSHAKE_BYTES = 2_048;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Wire() {}

    static int header(int kind, int length) {
        return kind << 28 | length;
    }

    static int kind(int header) {
        return header >>> 28;
    }

    static int length(int header) {
        return header & MOST_LENGTH;
    }

    static int getInt(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset);
    }

    static void putInt(byte[] bytes, int offset, int value) {
        INT.set(bytes, offset, value);
    }

    /** Magic, version and flags; there are no flags yet, and unknown ones are ignored. */
    static byte[] preamble() {
        byte[] bytes = new byte[PREAMBLE];
        putInt(bytes, 0, MAGIC);
        putInt(bytes, 4, VERSION << 16);
        return bytes;
    }
}
