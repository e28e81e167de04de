package io.leeway.hindex.internal.cli;

import java.util.Locale;

/** Numbers in sentences. */
final class Words {

    private Words() {}

    /** {@code 1 error}, {@code 2 errors}. */
    static String count(long number, String noun) {
        return number(number) + " " + (number == 1 ? noun : plural(noun));
    }

    private static String plural(String noun) {
        return noun.endsWith("y") ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
    }

    /** With a full stop, unless it ends already. */
    static String sentence(String text) {
        return text.endsWith("?") || text.endsWith(".") ? text : text + ".";
    }

    /** With separators: {@code 12,345}. */
    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
