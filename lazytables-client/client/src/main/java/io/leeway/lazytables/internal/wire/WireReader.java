package io.leeway.lazytables.internal.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads what a {@link WireBuffer} wrote, and believes none of it: what is not there or out of its limits ends in a
 * {@link WireException}.
 */
public final class WireReader {

    private static final String TOO_EARLY = "A message ends too early";
    private static final String TOO_LONG = "A number is longer than ten bytes";

    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private int[] scratch = {};

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

    /** Where it is, for {@link #copySince}. */
    public int position() {
        return at;
    }

    /** Copies what was read since a position to the begin of an array, in which there is room for it. */
    public void copySince(int position, byte[] target) {
        System.arraycopy(bytes, position, target, 0, at - position);
    }

    /** Goes back to a position at which it was. */
    public void goBack(int position) {
        at = position;
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
        throw new WireException(TOO_LONG);
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
        throw new WireException(TOO_LONG);
    }

    public long getSigned() {
        long value = getVar();
        return value >>> 1 ^ -(value & 1);
    }

    /** Reads that many numbers as {@link #getSigned()} does; of each the lower half counts. */
    public void getSigned(int[] target, int count) {
        byte[] from = bytes;
        int next = at;
        for (int i = 0; i < count; i++) {
            int first = next < end ? from[next] : -1;
            if (first >= 0) {
                next++;
                target[i] = signed(first);
            } else {
                at = next;
                target[i] = (int) getSigned();
                next = at;
            }
        }
        at = next;
    }

    /** Reads numbers to some places as {@link #getSigned()} does; of each the lower half counts. */
    public void getSigned(int[] target, int[] places, int count) {
        byte[] from = bytes;
        int next = at;
        for (int i = 0; i < count; i++) {
            int first = next < end ? from[next] : -1;
            int second = first < 0 && next + 1 < end ? from[next + 1] : -1;
            if (first >= 0) {
                next++;
                target[places[i]] = signed(first);
            } else if (second >= 0) {
                next += 2;
                target[places[i]] = signed(first & 0x7F | second << 7);
            } else {
                at = next;
                target[places[i]] = (int) getSigned();
                next = at;
            }
        }
        at = next;
    }

    /** Goes behind that many numbers that {@link #getSigned()} would read. */
    public void passSigned(int count) {
        byte[] from = bytes;
        int left = count;
        int begin = at;
        int next = at;
        while (left > 0) {
            if (next >= end) {
                throw new WireException(TOO_EARLY);
            }
            if (from[next++] >= 0) {
                left--;
                begin = next;
            } else if (next - begin == WireBuffer.VARINT) {
                throw new WireException(TOO_LONG);
            }
        }
        at = next;
    }

    /** Goes behind so many bytes. */
    public void pass(int count, int bytesEach) {
        int length = Math.multiplyExact(count, bytesEach);
        need(length);
        at += length;
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

    /**
     * A number from 0 on and below a limit, which was written as its difference to another one by
     * {@link WireBuffer#putSigned(long)}.
     */
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

    /** Goes behind so many numbers that {@link #getPacked} would read, and checks them as it does. */
    public void passPacked(String what, int count, int limit) {
        int width = getWidth(what, count);
        if (width > 1) {
            at--;
            getPacked(what, count, limit);
            return;
        }
        byte[] from = bytes;
        int most = 0;
        for (int i = at; i < at + count; i++) {
            most = Math.max(most, from[i] & 0xFF);
        }
        if (count > 0) {
            check(what, most, limit);
        }
        at += count;
    }

    /**
     * Reads so many numbers from 0 on, of which each must be less than a limit, as {@link WireBuffer#putPacked} wrote
     * them.
     */
    public int[] getPacked(String what, int count, int limit) {
        int width = getWidth(what, count);
        int[] numbers = new int[count];
        getPacked(what, count, limit, width, numbers);
        return numbers;
    }

    /** Like {@link #getPacked}, in an array that is of use until the next call, and may be longer. */
    public int[] getPackedForNow(String what, int count, int limit) {
        int width = getWidth(what, count);
        if (scratch.length < count) {
            scratch = new int[count];
        }
        getPacked(what, count, limit, width, scratch);
        return scratch;
    }

    private void getPacked(String what, int count, int limit, int width, int[] numbers) {
        switch (width) {
            case 1 -> getBytes(numbers, count);
            case Short.BYTES -> {
                ShortBuffer shorts = next(count, width).asShortBuffer();
                for (int i = 0; i < count; i++) {
                    numbers[i] = shorts.get(i) & 0xFFFF;
                }
            }
            default -> next(count, width).asIntBuffer().get(numbers, 0, count);
        }
        for (int i = 0; i < count; i++) {
            check(what, numbers[i], limit);
        }
    }

    /** How many bytes each of so many numbers has, which are there: before room is made for them. */
    private int getWidth(String what, int count) {
        int width = getByte();
        if (width != 1 && width != Short.BYTES && width != Integer.BYTES) {
            throw new WireException(what + " has " + width + " bytes");
        }
        need(Math.multiplyExact(count, width));
        return width;
    }

    private static void check(String what, int number, int limit) {
        if (number < 0 || number >= limit) {
            throw new WireException(what + " is " + number + ", not 0 to " + (limit - 1));
        }
    }

    /** Reads a byte each, which are there. */
    private void getBytes(int[] numbers, int count) {
        byte[] from = bytes;
        int first = at;
        for (int i = 0; i < count; i++) {
            numbers[i] = from[first + i] & 0xFF;
        }
        at = first + count;
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
            throw new WireException(TOO_EARLY);
        }
    }
}
