package io.leeway.privoxy.internal.policy;

/**
 * Unquoted names in policy text.
 *
 * <p>Wider than any one database's rule: this only finds where a name ends, and the database's own reader decides later
 * whether it is one.
 */
final class Names {

    private Names() {}

    static boolean isStart(char c) {
        // Beyond ASCII databases differ; to end a name too early could split a word.
        return Character.isLetter(c) || c == '_' || c >= 0x80;
    }

    static boolean isPart(char c) {
        return isStart(c) || (c >= '0' && c <= '9') || c == '$';
    }

    /** End of the run of name characters that begins at {@code start}; a dollar sign does not begin one. */
    static int end(String text, int start) {
        int i = start;
        while (i < text.length() && isPart(text.charAt(i))) {
            i++;
        }
        return i;
    }
}
