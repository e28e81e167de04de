package io.leeway.eppi.internal.net;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;

/** Takes a payload from outside apart; whatever does not fit is {@link Code#MALFORMED}. */
public final class Reading {

    private final String from;
    private final int length;
    private final DataInputStream in;

    /**
     * Begins.
     *
     * @param from who sent it, for errors
     */
    public Reading(String from, byte[] payload) {
        this.from = from;
        this.length = payload.length;
        this.in = new DataInputStream(new ByteArrayInputStream(payload));
    }

    /** Four bytes. */
    public int number() {
        return get(in::readInt);
    }

    /** Eight bytes. */
    public long longNumber() {
        return get(in::readLong);
    }

    /** Eight bytes. */
    public double real() {
        return get(in::readDouble);
    }

    /** A text. */
    public String text() {
        return get(in::readUTF);
    }

    /** Bytes of a length that is known. */
    public byte[] bytes(int expected) {
        byte[] bytes = bytes();
        if (bytes.length != expected) {
            throw malformed("has " + bytes.length + " bytes where " + expected + " have to be");
        }
        return bytes;
    }

    /** Bytes with their length. */
    public byte[] bytes() {
        return get(() -> {
            int count = count(1);
            return in.readNBytes(count);
        });
    }

    /** Numbers with their count. */
    public int[] numbers() {
        return get(() -> {
            int[] values = new int[count(Integer.BYTES)];
            for (int i = 0; i < values.length; i++) {
                values[i] = in.readInt();
            }
            return values;
        });
    }

    /** A count of things, each of which takes so many bytes at least. */
    public int count(int bytesEach) {
        int count = number();
        if (count < 0 || (long) count * bytesEach > length) {
            throw malformed("counts " + count + " things");
        }
        return count;
    }

    /** Asserts that nothing is left. */
    public void end() {
        if (get(in::available) != 0) {
            throw malformed("is longer than it has to be");
        }
    }

    /** An error that names who sent it. */
    public EppiException malformed(String what) {
        return EppiException.of(Code.MALFORMED, "a message of " + from + " " + what);
    }

    private interface Get<T> {
        T run() throws IOException;
    }

    private <T> T get(Get<T> get) {
        try {
            return get.run();
        } catch (IOException e) {
            throw EppiException.of(Code.MALFORMED, "a message of " + from + " ends too early", e);
        }
    }
}
