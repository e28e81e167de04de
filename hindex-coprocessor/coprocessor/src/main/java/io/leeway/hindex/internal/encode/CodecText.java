package io.leeway.hindex.internal.encode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The text form of a codec: words joined by dots, some with an argument in brackets.
 *
 * <p>Definitions are attributes of tables: what is written here is stored, and read by later versions. Brackets and
 * dots within an argument have no meaning, but a closing bracket has, and is escaped.
 */
final class CodecText {

    /**
     * What an argument may hold as it stands; the rest is written as percent and two digits.
     *
     * <p>Whatever means something in the text around, as a comma or a bracket, is not among them.
     */
    private static final String PLAIN = "_-.[]*|/+ ";

    private CodecText() {}

    /**
     * The words; at least one.
     *
     * @throws IllegalArgumentException if brackets do not fit, saying what to write
     */
    static List<Word> words(String text) {
        var words = new ArrayList<Word>();
        int at = 0;
        while (at <= text.length()) {
            int dot = indexOf('.', text, at);
            int open = text.indexOf('(', at);
            if (open >= 0 && open < dot) {
                int close = text.indexOf(')', open);
                if (close < 0) {
                    throw new IllegalArgumentException("'" + text + "' has a bracket that is not closed; add )");
                }
                dot = indexOf('.', text, close);
                if (dot != close + 1) {
                    throw new IllegalArgumentException(
                            "'" + text + "' goes on after ) without a dot; join words by dots");
                }
                words.add(new Word(text.substring(at, open), unescape(text.substring(open + 1, close))));
            } else {
                words.add(new Word(text.substring(at, dot), null));
            }
            at = dot + 1;
        }
        return words;
    }

    static String escape(String argument) {
        var text = new StringBuilder();
        for (byte b : argument.getBytes(StandardCharsets.UTF_8)) {
            boolean plain =
                    b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || PLAIN.indexOf(b) >= 0;
            if (plain) {
                text.append((char) b);
            } else {
                text.append('%').append(String.format(Locale.ROOT, "%02X", b));
            }
        }
        return text.toString();
    }

    private static String unescape(String argument) {
        var bytes = new ByteArrayOutputStream();
        byte[] source = argument.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (at < source.length) {
            byte b = source[at++];
            if (b != '%') {
                bytes.write(b);
                continue;
            }
            boolean two = at + 1 < source.length;
            int high = two ? Character.digit(source[at], 16) : -1;
            int low = two ? Character.digit(source[at + 1], 16) : -1;
            if (high < 0 || low < 0) {
                throw new IllegalArgumentException(
                        "'" + argument + "' has a % without two hexadecimal digits; write %25");
            }
            bytes.write(high << 4 | low);
            at += 2;
        }
        String text = TextType.decode(bytes.toByteArray(), 0, bytes.size());
        if (text == null) {
            throw new IllegalArgumentException("'" + argument + "' is not UTF-8; write the bytes of UTF-8 text");
        }
        return text;
    }

    private static int indexOf(char c, String text, int from) {
        int index = text.indexOf(c, from);
        return index < 0 ? text.length() : index;
    }

    /** A word and its argument. */
    record Word(String name, @Nullable String argument) {
        @Override
        public String toString() {
            return argument == null ? name : name + '(' + argument + ')';
        }
    }
}
