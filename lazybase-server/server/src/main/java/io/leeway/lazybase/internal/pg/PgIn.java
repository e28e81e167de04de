package io.leeway.lazybase.internal.pg;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the parts of a message. Anything that is not there is an error of the protocol. */
final class PgIn {

    private final ByteBuffer in;

    PgIn(byte[] bytes) {
        this.in = ByteBuffer.wrap(bytes);
    }

    private void need(int bytes) {
        if (bytes < 0 || in.remaining() < bytes) {
            throw new LazyBaseException(Code.PROTOCOL, "A message is too short.");
        }
    }

    boolean hasMore() {
        return in.hasRemaining();
    }

    byte octet() {
        need(1);
        return in.get();
    }

    int unsignedShort() {
        need(2);
        return in.getShort() & 0xFFFF;
    }

    int integer() {
        need(4);
        return in.getInt();
    }

    /** A count and as many numbers. */
    int[] shorts() {
        int[] values = new int[unsignedShort()];
        for (int i = 0; i < values.length; i++) {
            values[i] = unsignedShort();
        }
        return values;
    }

    ByteBuffer bytes(int length) {
        need(length);
        ByteBuffer part = in.slice(in.position(), length);
        in.position(in.position() + length);
        return part;
    }

    /** A text that ends with a zero. */
    String text() {
        int begin = in.position();
        while (in.hasRemaining()) {
            if (in.get() == 0) {
                return new String(in.array(), begin, in.position() - begin - 1, StandardCharsets.UTF_8);
            }
        }
        throw new LazyBaseException(Code.PROTOCOL, "A text of a message does not end.");
    }

    byte[] rest() {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return bytes;
    }
}
