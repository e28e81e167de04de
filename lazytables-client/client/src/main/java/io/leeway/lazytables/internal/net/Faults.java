package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes the transport's exceptions, and the frames that tell the other side. */
final class Faults {

    /*
     * What the other side says goes into exceptions and logs here, so it is cut and printed in ASCII: no line breaks
     * that would look like another entry, no control characters for a terminal.
     */

    /**
     * In bytes: with its number a last word stays below what a handshake's frame may have, so that it can be said at
     * any time.
     */
    private static final int MOST_TEXT = 500;

    private Faults() {}

    static LazyTablesException of(Code code, String what) {
        return of(code, what, null);
    }

    static LazyTablesException of(Code code, String what, @Nullable Throwable cause) {
        return LazyTablesException.of(code, what + " [" + code.remedy() + "]", cause);
    }

    /** What a GOODBYE says: the code's number, or 0 for an end without a fault, and what happened. */
    static byte[] goodbye(@Nullable LazyTablesException fault) {
        if (fault == null) {
            // A number and no words.
            return new byte[4];
        }
        String text = String.valueOf(fault.getMessage());
        // Without the code, which goes as a number: the other side puts its own before the text.
        text = text.substring(Math.min(text.length(), fault.code().text().length() + 2));
        // The limit is one of bytes; a character that is cut becomes a question mark there.
        byte[] words = text.substring(0, Math.min(MOST_TEXT, text.length())).getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[4 + Math.min(words.length, MOST_TEXT)];
        Wire.putInt(bytes, 0, fault.code().number());
        System.arraycopy(words, 0, bytes, 4, bytes.length - 4);
        return bytes;
    }

    /** What a GOODBYE means here; null if the connection just ends. */
    static @Nullable LazyTablesException read(String peer, byte[] bytes, int offset, int length) {
        // Too short for a number: it is told as what it is, and not read beyond.
        if (length < 4) {
            return of(Code.MALFORMED, peer + " ended the connection without saying why");
        }
        int number = Wire.getInt(bytes, offset);
        if (number == 0) {
            return null;
        }
        // A code of a later release is an end for a reason that only the text tells.
        Code code = Code.ENDED;
        for (Code known : Code.values()) {
            if (known.number() == number) {
                code = known;
            }
        }
        return LazyTablesException.of(code, peer + " said: " + printable(bytes, offset + 4, length - 4));
    }

    /** Text of a stranger, as it may stand in a log. */
    static String printable(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, Math.min(length, MOST_TEXT), StandardCharsets.UTF_8);
        // One for each that is not printable.
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }
}
