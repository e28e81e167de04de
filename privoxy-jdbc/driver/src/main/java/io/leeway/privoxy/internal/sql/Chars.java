package io.leeway.privoxy.internal.sql;

/** Questions about characters, in ASCII as the databases' lexers ask them. */
final class Chars {

    private static final int CASE_BIT = 0x20;

    private Chars() {}

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    static boolean isHexDigit(char c) {
        return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
    }

    static boolean isAsciiLetter(char c) {
        int lower = c | CASE_BIT;
        return lower >= 'a' && lower <= 'z';
    }

    /** A character that all dialects take as part of a name without quotes. */
    static boolean isWordPart(char c) {
        return isAsciiLetter(c) || isDigit(c) || c == '_' || c == '$' || c >= 0x80;
    }

    static boolean isWordStart(char c) {
        return isAsciiLetter(c) || c == '_' || c >= 0x80;
    }

    /** Compares a range with a word in capitals, folding ASCII letters only. */
    static boolean equalsWord(CharSequence text, int start, int end, String word) {
        int length = word.length();
        if (end - start != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (upper(text.charAt(start + i)) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - CASE_BIT) : c;
    }

    static boolean isAscii(CharSequence text) {
        return text.chars().allMatch(c -> c < 128);
    }

    /** ASCII letters to lower case; the same object if there are none to change. */
    static String toLowerAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                char[] chars = text.toCharArray();
                for (int j = i; j < chars.length; j++) {
                    if (chars[j] >= 'A' && chars[j] <= 'Z') {
                        chars[j] = (char) (chars[j] + CASE_BIT);
                    }
                }
                return new String(chars);
            }
        }
        return text;
    }

    /** ASCII letters to upper case. */
    static String toUpperAscii(String text) {
        char[] chars = text.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            chars[i] = upper(chars[i]);
        }
        return new String(chars);
    }
}
