package io.leeway.lazytables.internal.net;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;

/** A plain socket that says what a test wants it to say: as the protocol has it, or not. */
final class RawClient implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    /** A frame that was read. */
    @SuppressWarnings("ArrayRecordComponent")
    record Frame(int kind, byte[] bytes) {

        int code() {
            return Wire.getInt(bytes, 0);
        }
    }

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** Goes through the handshake as a client of no token. */
    static RawClient admitted(int port) throws IOException {
        var client = new RawClient(port);
        client.send(Wire.preamble());
        client.readPreamble();
        client.read();
        byte[] proof = new byte[4 + Proofs.NONCE];
        Wire.putInt(proof, 0, 1 << 20);
        client.frame(Kind.PROOF, proof);
        client.read();
        return client;
    }

    RawClient send(byte... bytes) throws IOException {
        out.write(bytes);
        return this;
    }

    RawClient header(int kind, int length) throws IOException {
        byte[] header = new byte[4];
        Wire.putInt(header, 0, Wire.header(kind, length));
        return send(header);
    }

    RawClient frame(int kind, byte... bytes) throws IOException {
        byte[] whole = new byte[4 + bytes.length];
        Wire.putInt(whole, 0, Wire.header(kind, bytes.length));
        System.arraycopy(bytes, 0, whole, 4, bytes.length);
        return send(whole);
    }

    byte[] readPreamble() throws IOException {
        return in.readNBytes(Wire.PREAMBLE);
    }

    Frame read() throws IOException {
        int header = in.readInt();
        return new Frame(Wire.kind(header), in.readNBytes(Wire.length(header)));
    }

    /** Frames until this kind. */
    Frame read(int kind) throws IOException {
        Frame frame = read();
        while (frame.kind() != kind) {
            frame = read();
        }
        return frame;
    }

    /** All until the other side closes, be it gently or not. */
    byte[] readToEnd() throws IOException {
        var all = new java.io.ByteArrayOutputStream();
        byte[] some = new byte[4_096];
        try {
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                all.writeBytes(Arrays.copyOf(some, count));
            }
        } catch (SocketException reset) {
            // As good an end as another.
        }
        return all.toByteArray();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
