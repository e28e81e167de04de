package io.leeway.eppi.internal.net;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Puts a payload together. */
public final class Writing {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    /** Four bytes. */
    public Writing number(int value) {
        return put(() -> out.writeInt(value));
    }

    /** Eight bytes. */
    public Writing longNumber(long value) {
        return put(() -> out.writeLong(value));
    }

    /** Eight bytes. */
    public Writing real(double value) {
        return put(() -> out.writeDouble(value));
    }

    /** A text up to 64 KB. */
    public Writing text(String value) {
        return put(() -> out.writeUTF(value));
    }

    /** Bytes with their length. */
    public Writing bytes(byte[] value) {
        return put(() -> {
            out.writeInt(value.length);
            out.write(value);
        });
    }

    /** Numbers with their count. */
    public Writing numbers(int[] values) {
        return put(() -> {
            out.writeInt(values.length);
            for (int value : values) {
                out.writeInt(value);
            }
        });
    }

    /** The payload. */
    public byte[] done() {
        return bytes.toByteArray();
    }

    private interface Put {
        void run() throws IOException;
    }

    private Writing put(Put put) {
        try {
            put.run();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
