package io.leeway.privoxy.internal.policy;

/** Unquoted names in policy text. */
final class Names {

    private Names() {}

    static boolean isStart(char c) {
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
