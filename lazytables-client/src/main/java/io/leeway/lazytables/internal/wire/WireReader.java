package io.leeway.lazytables.internal.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads what a {@link WireBuffer} wrote, and believes none of it: what is not there or out of its limits ends in a {@link WireException}. */
public final class WireReader {

    private byte[] bytes = new byte[0];
    private int at;
    private int end;

    /** Goes to the begin of these bytes. */
    public void open(byte[] source, int offset, int length) {
        bytes = source;
        at = offset;
        end = offset + length;
    }

    /** Lets the other reader read the next bytes, and goes behind them. */
    public void slice(int length, WireReader into) {
        need(length);
        into.open(bytes, at, length);
        at += length;
    }

    public boolean more() {
        return at < end;
    }

    public int remaining() {
        return end - at;
    }

    public int getByte() {
        need(1);
        return bytes[at++] & 0xFF;
    }

    public int getInt() {
        need(Integer.BYTES);
        int value = (int) WireBuffer.INT.get(bytes, at);
        at += Integer.BYTES;
        return value;
    }

    public long getLong() {
        need(Long.BYTES);
        long value = (long) WireBuffer.LONG.get(bytes, at);
        at += Long.BYTES;
        return value;
    }

    public long getVar() {
        if (at < end && bytes[at] >= 0) {
            return bytes[at++];
        }
        return getLongVar();
    }

    private long getLongVar() {
        if (end - at < WireBuffer.VARINT) {
            return getLastVar();
        }
        byte[] from = bytes;
        int next = at;
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte part = from[next++];
            value |= (part & 0x7FL) << shift;
            if (part >= 0) {
                at = next;
                return value;
            }
        }
        throw new WireException("A number is longer than ten bytes");
    }

    /** A number that may end too early. */
    private long getLastVar() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            need(1);
            byte next = bytes[at++];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new WireException("A number is longer than ten bytes");
    }

    public long getSigned() {
        long value = getVar();
        return value >>> 1 ^ -(value & 1);
    }

    /** Reads that many numbers as {@link #getSigned()} does; of each the lower half counts. */
    public void getSigned(int[] target, int count) {
        byte[] from = bytes;
        for (int i = 0; i < count; i++) {
            target[i] = at < end && from[at] >= 0 ? signed(from[at++]) : (int) getSigned();
        }
    }

    /** Reads numbers to some places as {@link #getSigned()} does; of each the lower half counts. */
    public void getSigned(int[] target, int[] places, int count) {
        byte[] from = bytes;
        for (int i = 0; i < count; i++) {
            target[places[i]] = at < end && from[at] >= 0 ? signed(from[at++]) : (int) getSigned();
        }
    }

    private static int signed(int value) {
        return value >>> 1 ^ -(value & 1);
    }

    /** A number that must be in these limits, both included. */
    public long getVar(String what, long least, long most) {
        long value = getVar();
        if (value < least || value > most) {
            throw new WireException(what + " is " + value + ", not " + least + " to " + most);
        }
        return value;
    }

    /** A number of things that take at least so many bytes each, so that they can be there. */
    public int getCount(String what, int bytesEach) {
        return (int) getVar(what, 0, remaining() / Math.max(1, bytesEach));
    }

    /** A number from 0 on and below a limit, which was written as its difference to another one by {@link WireBuffer#putSigned(long)}. */
    public long getNext(String what, long before, long limit) {
        long value = before + getSigned();
        if (value < 0 || value >= limit) {
            throw new WireException(what + " is " + value + ", not 0 to " + (limit - 1));
        }
        return value;
    }

    public int getInt(String what, int least, int most) {
        return (int) getVar(what, least, most);
    }

    /** Reads so many numbers from 0 on, of which each must be less than a limit, as {@link WireBuffer#putPacked} wrote them. */
    public int[] getPacked(String what, int count, int limit) {
        int width = getByte();
        if (width != 1 && width != Short.BYTES && width != Integer.BYTES) {
            throw new WireException(what + " has " + width + " bytes");
        }
        // Before room is made for it.
        need(Math.multiplyExact(count, width));
        int[] numbers = new int[count];
        switch (width) {
            case 1 -> getBytes(numbers);
            case Short.BYTES -> {
                ShortBuffer shorts = next(count, width).asShortBuffer();
                for (int i = 0; i < count; i++) {
                    numbers[i] = shorts.get(i) & 0xFFFF;
                }
            }
            default -> next(count, width).asIntBuffer().get(numbers);
        }
        for (int number : numbers) {
            if (number < 0 || number >= limit) {
                throw new WireException(what + " is " + number + ", not 0 to " + (limit - 1));
            }
        }
        return numbers;
    }

    /** Reads a byte each, which are there. */
    private void getBytes(int[] numbers) {
        byte[] from = bytes;
        int first = at;
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = from[first + i] & 0xFF;
        }
        at = first + numbers.length;
    }

    /** Reads that many numbers of four bytes. */
    public void getFloats(float[] target, int count) {
        next(count, Float.BYTES).asFloatBuffer().get(target, 0, count);
    }

    /** Reads that many numbers of eight bytes. */
    public void getDoubles(double[] target, int count) {
        next(count, Double.BYTES).asDoubleBuffer().get(target, 0, count);
    }

    public String getText(String what, int longest) {
        int length = (int) getVar("The length of " + what, 0, longest);
        need(length);
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, at, length))
                    .toString();
            at += length;
            return text;
        } catch (CharacterCodingException e) {
            throw new WireException(what + " is not UTF-8");
        }
    }

    private ByteBuffer next(int count, int bytesEach) {
        int length = Math.multiplyExact(count, bytesEach);
        need(length);
        ByteBuffer next = ByteBuffer.wrap(bytes, at, length).order(ByteOrder.LITTLE_ENDIAN);
        at += length;
        return next;
    }

    private void need(int count) {
        if (count < 0 || end - at < count) {
            throw new WireException("A message ends too early");
        }
    }
}
