package io.leeway.privoxy.internal.cache.file;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Names and texts in quotes. The quote is doubled; a backslash, and every character that is not seen or that changes
 * how others are shown (controls, bidirectional marks, unusual spaces), is written {@code \}{@code uXXXX}, so that a
 * reviewer sees what is there.
 *
 * <p>Signed is what a person has seen. A name with a mark that turns the direction of writing, or with a letter of no
 * width, could show one thing and mean another ("Trojan Source").
 */
final class Quoting {

    /** ASCII only, as letters of other scripts may look like these. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final HexFormat HEX = HexFormat.of();

    private Quoting() {}

    /** A name, in quotes if it is not plain. */
    static String name(String name) {
        return isPlain(name) ? name : quoted(name, '"');
    }

    static boolean isPlain(String name) {
        return PLAIN.matcher(name).matches();
    }

    static String quoted(String text, char quote) {
        StringBuilder quoted = new StringBuilder().append(quote);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == quote) {
                quoted.append(quote).append(quote);
            } else if (c == '\\' || !isSeen(c)) {
                quoted.append("\\u").append(HEX.toHexDigits(c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append(quote).toString();
    }

    /** Whether the character may stand as it is. */
    static boolean isSeen(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            // Other blanks look like none, or like the plain one.
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}
