package io.leeway.hindex.internal.encode;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * UTF-8 text in the order of its code points. Folded, upper and lower case are one: every code point is replaced by the
 * lower case of its upper case, whatever the locale; the index then holds the folded text only.
 *
 * <p>The order of UTF-8's bytes is that of code points, so the bytes can be the key. Character by character folding has
 * no rules of languages in it: a key must be the same on every server, and in ten years.
 */
final class TextType extends ValueType {

    /** Cells stay as they are; only keys, and values in queries, are folded. */
    private final boolean folded;

    TextType(boolean folded) {
        super(folded ? "fold" : "utf8", String.class, JsonKind.STRING);
        this.folded = folded;
    }

    @Override
    boolean hasPrefixes() {
        return true;
    }

    /** ASCII needs no decoding to be known as UTF-8, nor to be folded. */
    @Override
    boolean fromCell(byte[] cell, int offset, int length, KeyWriter out) {
        if (isAscii(cell, offset, length)) {
            putAscii(cell, offset, length, out);
            return true;
        }
        String text = decode(cell, offset, length);
        return text != null && fromText(text, out);
    }

    @Override
    boolean fromText(String text, KeyWriter out) {
        byte[] bytes = encode(folded ? fold(text) : text);
        if (bytes == null) {
            return false;
        }
        Escaped.put(bytes, 0, bytes.length, out);
        return true;
    }

    @Override
    void fromValue(Object value, KeyWriter out) {
        byte[] bytes = bytes(value);
        Escaped.put(bytes, 0, bytes.length, out);
    }

    @Override
    void fromPrefix(Object prefix, KeyWriter out) {
        byte[] bytes = bytes(prefix);
        Escaped.putOpen(bytes, 0, bytes.length, out);
    }

    @Override
    int end(byte[] key, int from, int to, int mask) {
        return Escaped.end(key, from, to, mask);
    }

    @Override
    Object value(byte[] key, int from, int to) {
        return new String(Escaped.value(key, from, to), StandardCharsets.UTF_8);
    }

    /**
     * The text, or null if the bytes are not UTF-8.
     *
     * <p>Strictly: with replacement characters, different cells would have one key.
     */
    static @Nullable String decode(byte[] bytes, int offset, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, offset, length))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Upper case first, as some letters have several lower cases for one upper case; then they are one. */
    static String fold(String text) {
        return text.codePoints()
                .map(point -> Character.toLowerCase(Character.toUpperCase(point)))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private byte[] bytes(Object value) {
        if (!(value instanceof CharSequence text)) {
            throw new IllegalArgumentException("not a value of type " + name() + ": " + value + "; give a text");
        }
        byte[] bytes = encode(folded ? fold(text.toString()) : text.toString());
        if (bytes == null) {
            throw new IllegalArgumentException("not a value of type " + name() + ": half a surrogate pair is no text");
        }
        return bytes;
    }

    /** Null for halves of surrogate pairs, which UTF-8 has no bytes for. */
    private static byte @Nullable [] encode(String text) {
        try {
            ByteBuffer buffer = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            var bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean isAscii(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Most cells: no object is made. */
    private void putAscii(byte[] cell, int offset, int length, KeyWriter out) {
        int start = out.length();
        Escaped.put(cell, offset, length, out);
        if (folded) {
            byte[] key = out.buffer();
            for (int i = start; i < out.length(); i++) {
                key[i] += key[i] >= 'A' && key[i] <= 'Z' ? (byte) ('a' - 'A') : 0;
            }
        }
    }
}
