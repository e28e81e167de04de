package io.leeway.privoxy.internal.guard;

/** SQL text for people, without data. */
final class SqlText {

    private SqlText() {}

    /**
     * A skeleton with its marks made {@code ?}, and what literals are left made {@code ?} too: strings in quotes, and
     * numbers that do not belong to a name. For messages only, so it errs on the side of leaving out.
     *
     * <p>Texts go to logs, metrics' names and error pages ({@code NoValuesInLogsTest}).
     */
    static String withoutLiterals(String skeleton) {
        StringBuilder text = new StringBuilder(skeleton.length());
        int i = 0;
        while (i < skeleton.length()) {
            char c = skeleton.charAt(i);
            if (c == '\'') {
                i = endOfQuoted(skeleton, i);
                text.append('?');
                // Marks of the skeleton, and whatever else cannot be printed.
            } else if (c < ' ') {
                text.append('?');
                i++;
            } else if (Character.isDigit(c) && (i == 0 || !Character.isJavaIdentifierPart(skeleton.charAt(i - 1)))) {
                i = endOfNumber(skeleton, i);
                text.append('?');
            } else {
                text.append(c);
                i++;
            }
        }
        return text.toString();
    }

    private static int endOfQuoted(String text, int start) {
        int i = start + 1;
        while (i < text.length() && text.charAt(i) != '\'') {
            i++;
        }
        return i + 1;
    }

    /** Letters too, so that {@code 1e5} and {@code 0xFF} go as a whole. */
    private static int endOfNumber(String text, int start) {
        int i = start;
        while (i < text.length() && (Character.isLetterOrDigit(text.charAt(i)) || text.charAt(i) == '.')) {
            i++;
        }
        return i;
    }
}
