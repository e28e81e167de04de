package io.leeway.eppi.internal.net;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.node.EppiMetrics;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/**
 * A connection to a member whose certificate was checked. A message is a length, a kind and a payload; long ones come in
 * parts. Nothing is read ahead: who does not take messages makes the other side wait, up to its limit.
 *
 * <p>Sending and receiving may be done by two threads.
 */
public final class Connection implements AutoCloseable {

    /** All parts but the last are as long as this: shorter ones could go on for ever within the limit of a message. */
    private static final int PART_BYTES = 1 << 18;

    private static final Kind[] KINDS = Kind.values();

    private final SSLSocket socket;
    private final Socket plain;
    private final Member peer;
    private final long limit;
    private volatile long wholeLimit;
    private final Meters meters;
    private final DataInputStream in;
    private final DataOutputStream out;
    private volatile Duration patience;
    private volatile boolean isTakingSignsOfLife;
    private volatile boolean isLate;

    Connection(SSLSocket socket, Socket plain, Member peer, long limit, Duration patience, Meters meters)
            throws IOException {
        this.socket = socket;
        this.plain = plain;
        this.peer = peer;
        this.limit = limit;
        this.wholeLimit = limit;
        this.patience = patience;
        this.meters = meters;
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
    }

    /** Who is at the other end. */
    public Member peer() {
        return peer;
    }

    /** Sends a message. */
    public void send(Kind kind, byte[] payload) {
        try {
            synchronized (out) {
                int at = 0;
                while (payload.length - at > PART_BYTES) {
                    frame(Kind.PART, payload, at, PART_BYTES);
                    at += PART_BYTES;
                }
                frame(kind, payload, at, payload.length - at);
            }
            meters.add(EppiMetrics.MESSAGES, "direction=\"out\"", 1);
            meters.add(EppiMetrics.BYTES, "direction=\"out\"", payload.length + 5.0);
        } catch (IOException e) {
            throw fault(e);
        }
    }

    @SuppressWarnings("EnumOrdinal") // The order of kinds is part of the protocol's version.
    private void frame(Kind kind, byte[] payload, int from, int length) throws IOException {
        try (Watchdog.Guard guard = guard(patience)) {
            out.writeInt(length);
            out.writeByte(kind.ordinal());
            out.write(payload, from, length);
            if (kind != Kind.PART) {
                out.flush();
            }
        }
    }

    private Watchdog.Guard guard(Duration limit) {
        return Watchdog.guard(limit, () -> {
            isLate = true;
            Net.closeQuietly(plain);
        });
    }

    /** Sends bytes that need not be a message; for tests. */
    void raw(int... bytes) throws IOException {
        for (int each : bytes) {
            out.write(each);
        }
        out.flush();
    }

    /** Tells the other side why this is the end. Does not fail. */
    public void refuse(EppiException reason) {
        try {
            send(
                    Kind.REFUSAL,
                    new Writing()
                            .text(reason.code().name())
                            .text(reason.detail())
                            .done());
        } catch (EppiException alreadyGone) {
            // Then it knows.
        }
    }

    /**
     * Waits for a message of a kind.
     *
     * @throws EppiException what the other side refused with, or {@link Code#MALFORMED} for another kind
     */
    public Reading expect(Kind kind) {
        Frame frame = receive();
        if (frame.kind() != kind) {
            throw EppiException.of(Code.MALFORMED, peer + " sent " + frame.kind() + " where " + kind + " has to be");
        }
        return new Reading(peer.name(), frame.payload());
    }

    /** Waits for a message; a sign of life is one only where they are expected. */
    public Frame receive() {
        try {
            Frame frame = next();
            while (frame.kind() == Kind.ALIVE && isTakingSignsOfLife) {
                frame = next();
            }
            meters.add(EppiMetrics.MESSAGES, "direction=\"in\"", 1);
            meters.add(EppiMetrics.BYTES, "direction=\"in\"", frame.payload().length + 5.0);
            if (frame.kind() == Kind.REFUSAL) {
                throw refusal(new Reading(peer.name(), frame.payload()));
            }
            return frame;
        } catch (IOException e) {
            throw fault(e);
        }
    }

    private Frame next() throws IOException {
        ByteArrayOutputStream parts = null;
        while (true) {
            // The wait for its begin has a limit of its own; together they may take twice as long.
            try (Watchdog.Guard guard = guard(patience.multipliedBy(2))) {
                Frame frame = frame(parts == null ? 0 : parts.size());
                if (frame.kind() != Kind.PART) {
                    return parts == null ? frame : new Frame(frame.kind(), concat(parts, frame.payload()));
                }
                parts = parts == null ? new ByteArrayOutputStream() : parts;
                parts.write(frame.payload());
            }
        }
    }

    private Frame frame(long before) throws IOException {
        int length = in.readInt();
        int number = in.readUnsignedByte();
        if (number >= KINDS.length || length < 0 || (KINDS[number] == Kind.PART && length != PART_BYTES)) {
            throw EppiException.of(Code.MALFORMED, peer + " sent something that is no message");
        }
        if (length > limit || length + before > wholeLimit) {
            throw EppiException.of(Code.FRAME_TOO_LARGE, peer + " sent a message of " + (length + before) + " bytes");
        }
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new EOFException();
        }
        return new Frame(KINDS[number], payload);
    }

    private static byte[] concat(ByteArrayOutputStream parts, byte[] last) {
        byte[] first = parts.toByteArray();
        byte[] all = Arrays.copyOf(first, first.length + last.length);
        System.arraycopy(last, 0, all, first.length, last.length);
        return all;
    }

    private EppiException refusal(Reading reading) {
        String name = reading.text();
        Code code = Arrays.stream(Code.values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(Code.ABORTED);
        return EppiException.of(code, peer + " says: " + Shown.line(reading.text()));
    }

    /** From now on signs of life may come while something is waited for. */
    public void takeSignsOfLife() {
        isTakingSignsOfLife = true;
    }

    /** Takes messages of any size: for the index, which is as large as it is. */
    public void takeAll() {
        wholeLimit = Integer.MAX_VALUE - 64L;
    }

    /** Limits the waits for messages. */
    public void limitWaits(Duration timeout) {
        patience = timeout;
        try {
            socket.setSoTimeout(Math.toIntExact(Math.max(1, timeout.toMillis())));
        } catch (SocketException e) {
            throw fault(e);
        }
    }

    private EppiException fault(IOException e) {
        if (isLate) {
            return EppiException.of(Code.TIMEOUT, peer + " takes or sends a message too slowly", e);
        }
        if (e instanceof SocketTimeoutException) {
            return EppiException.of(Code.TIMEOUT, "nothing came from " + peer, e);
        }
        if (e instanceof SSLHandshakeException) {
            return EppiException.of(Code.CERTIFICATE, "TLS with " + peer + " failed: " + e.getMessage(), e);
        }
        return EppiException.of(Code.GONE, peer + " ended the connection", e);
    }

    /** Ends it at once. TLS would wait for whoever reads; messages have lengths, so none can be cut unnoticed. */
    @Override
    public void close() {
        Net.closeQuietly(plain);
    }

    @Override
    public String toString() {
        return "Connection[" + peer + "]";
    }
}
