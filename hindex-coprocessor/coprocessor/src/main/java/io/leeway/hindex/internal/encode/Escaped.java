package io.leeway.hindex.internal.encode;

import java.util.Arrays;

/**
 * Bytes of any length as a key: {@code 00} is written {@code 00 FF}, and {@code 00 01} ends it. The end sorts before
 * any byte, so a value stands before its continuations; no key begins another. Keys of values with a common beginning
 * have one, too.
 *
 * <p>That is why the nought is the byte to escape, and why the end is below what an escaped one has in its second
 * place. The form is stored in all keys of text and bytes. Without state.
 */
final class Escaped {

    private static final int ESCAPE = 0x00;
    private static final int ESCAPED_ZERO = 0xFF;
    private static final int END = 0x01;

    private Escaped() {}

    /** A whole value, with its end. */
    static void put(byte[] source, int offset, int length, KeyWriter out) {
        putOpen(source, offset, length, out);
        out.put(ESCAPE);
        out.put(END);
    }

    /** Without the end: what the keys of all continuations begin with. */
    static void putOpen(byte[] source, int offset, int length, KeyWriter out) {
        int copied = offset;
        int stop = offset + length;
        for (int i = offset; i < stop; i++) {
            if (source[i] == 0) {
                out.put(source, copied, i + 1 - copied);
                out.put(ESCAPED_ZERO);
                copied = i + 1;
            }
        }
        out.put(source, copied, stop - copied);
    }

    /**
     * The offset behind the end, or -1.
     *
     * <p>A nought before anything else is none of ours, so this is no key.
     */
    static int end(byte[] key, int from, int to, int mask) {
        int at = from;
        while (at + 1 < to) {
            if (((key[at] ^ mask) & 0xFF) != ESCAPE) {
                at++;
                continue;
            }
            int next = (key[at + 1] ^ mask) & 0xFF;
            if (next == END) {
                return at + 2;
            }
            if (next != ESCAPED_ZERO) {
                return -1;
            }
            at += 2;
        }
        return -1;
    }

    /** Of a whole key with its end, which is left out. */
    static byte[] value(byte[] key, int from, int to) {
        var bytes = new byte[to - from - 2];
        int length = 0;
        int at = from;
        while (at < to - 2) {
            bytes[length++] = key[at];
            at += key[at] == ESCAPE ? 2 : 1;
        }
        return Arrays.copyOf(bytes, length);
    }
}
