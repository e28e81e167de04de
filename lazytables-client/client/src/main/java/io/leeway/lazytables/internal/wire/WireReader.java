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

    /*
     * What is read may be of a stranger with the token, of another release, or of a disk. So each number has its limits
     * where it is read, and what does not fit ends in a WireException, which refuses the sender and nobody else. Three
     * rules make that hold: no index goes beyond "end" (need() before each step, or a loop that asks for it); no room
     * is made for what is announced but only for what can be there (getCount divides what is left by the least that
     * each takes); a number is checked as it came, before it is made shorter (but for values of cells, of which the
     * lower half counts).
     *
     * The loops over many numbers keep the position in a local variable and have the short case in place: they are most
     * of the time that a message takes. They give way to the checked method for anything longer, or where the end is
     * near.
     *
     * One reader is opened again and again, so that a message costs no object. Not for several threads at once.
     */

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

    /**
     * Lets the other reader read the next bytes, and goes behind them. The other one cannot leave these bytes: what a
     * message says of itself ends with it.
     */
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

    /**
     * Goes back to a position at which it was. Only within what was opened.
     */
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
        // One byte: most numbers.
        if (at < end && bytes[at] >= 0) {
            return bytes[at++];
        }
        return getLongVar();
    }

    private long getLongVar() {
        // Where ten bytes are left no number can go beyond them, and the loop need not ask.
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
        // Ten bytes are more than 64 bits: whatever wrote this was no WireBuffer.
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
        // The lowest bit is the sign.
        return value >>> 1 ^ -(value & 1);
    }

    /** Reads that many numbers as {@link #getSigned()} does; of each the lower half counts. */
    public void getSigned(int[] target, int count) {
        byte[] from = bytes;
        int next = at;
        for (int i = 0; i < count; i++) {
            // A negative byte goes on, and so does what is not there: both are for the checked method.
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
                // Two bytes, without a call: counts of a few hundred are what cells of integers mostly hold.
                target[places[i]] = signed(first & 0x7F | second << 7);
            } else {
                at = next;
                target[places[i]] = (int) getSigned();
                next = at;
            }
        }
        at = next;
    }

    /**
     * Goes behind that many numbers that {@link #getSigned()} would read. Checks what {@link #getSigned()} would
     * refuse, since nobody reads these numbers any more.
     */
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
        // Of a count that was checked: one that is too large for this is a fault of the caller, and no message's.
        int length = Math.multiplyExact(count, bytesEach);
        need(length);
        at += length;
    }

    private static int signed(int value) {
        return value >>> 1 ^ -(value & 1);
    }

    /**
     * A number that must be in these limits, both included. The name is for the message: who is refused is told what
     * was wrong.
     */
    public long getVar(String what, long least, long most) {
        long value = getVar();
        if (value < least || value > most) {
            throw new WireException(what + " is " + value + ", not " + least + " to " + most);
        }
        return value;
    }

    /**
     * A number of things that take at least so many bytes each, so that they can be there. Whatever a message
     * announces, no more room is made than it has bytes.
     */
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

    /** A number that must be in these limits, both included: those of an int, so that nothing is cut off. */
    public int getInt(String what, int least, int most) {
        return (int) getVar(what, least, most);
    }

    /** Goes behind so many numbers that {@link #getPacked} would read, and checks them as it does. */
    public void passPacked(String what, int count, int limit) {
        // First of all, as it says whether the numbers are there.
        int width = getWidth(what, count);
        if (width > 1) {
            // The width is read once more: only the shortest form has a way of its own.
            at--;
            getPacked(what, count, limit);
            return;
        }
        byte[] from = bytes;
        int most = 0;
        for (int i = at; i < at + count; i++) {
            // Checked once, at the greatest: nobody needs to know which one it was.
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

    /**
     * Like {@link #getPacked}, in an array that is of use until the next call, and may be longer. For columns that are
     * looked at once: no array for each row of a message.
     */
    public int[] getPackedForNow(String what, int count, int limit) {
        int width = getWidth(what, count);
        // The count was checked against what is there, by getWidth.
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

    /**
     * A text of at most so many bytes. Bytes that are no UTF-8 are refused, since two different ones would become the
     * same text.
     */
    public String getText(String what, int longest) {
        int length = (int) getVar("The length of " + what, 0, longest);
        need(length);
        try {
            // A decoder that reports what it cannot read; String's own would put marks in its place.
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
        // By difference: a sum could overflow, and a negative length would go back.
        if (count < 0 || end - at < count) {
            throw new WireException(TOO_EARLY);
        }
    }
}
