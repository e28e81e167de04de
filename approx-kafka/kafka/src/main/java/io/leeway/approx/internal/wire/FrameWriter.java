package io.leeway.approx.internal.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes the fields of a frame. */
final class FrameWriter {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    FrameWriter kind(int kind) {
        return write(() -> out.writeByte(kind));
    }

    FrameWriter number(long value) {
        return write(() -> out.writeLong(value));
    }

    FrameWriter real(double value) {
        return write(() -> out.writeDouble(value));
    }

    FrameWriter bytes(byte[] value) {
        return write(() -> {
            out.writeInt(value.length);
            out.write(value);
        });
    }

    FrameWriter text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    private FrameWriter write(Writing writing) {
        try {
            writing.run();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail to be written", e);
        }
    }

    private interface Writing {
        void run() throws IOException;
    }
}
