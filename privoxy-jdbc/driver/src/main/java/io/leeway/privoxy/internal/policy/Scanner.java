package io.leeway.privoxy.internal.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a policy file into statements. Comments become spaces, so that offsets stay and nothing behind this class
 * meets a comment.
 *
 * <p>Databases disagree about where some strings and comments end. Since a wrong end could make a view show more than
 * was written, what they disagree about is an error here: backslashes before quotes, nested and executable comments,
 * dollar quotes, {@code #} and {@code //}. For the same reason the last statement needs its semicolon, too: of a file
 * that was only half written, no view is taken without its condition.
 */
final class Scanner {

    private final SourceText source;
    private final String text;
    private final List<Finding> findings;
    private final StringBuilder blanked;
    private final List<Chunk> chunks = new ArrayList<>();
    private int at;

    private Scanner(SourceText source, List<Finding> findings) {
        this.source = source;
        this.text = source.text();
        this.findings = findings;
        this.blanked = new StringBuilder(text);
    }

    /**
     * A statement.
     *
     * @param blanked the whole file with spaces in place of comments
     * @param start offset of its first character
     * @param end offset of its semicolon
     */
    record Chunk(SourceText source, String blanked, int start, int end) {}

    /** The file's statements; what is wrong is added to the findings. */
    static List<Chunk> split(SourceText source, List<Finding> findings) {
        return new Scanner(source, findings).split();
    }

    private List<Chunk> split() {
        var ends = new ArrayList<Integer>();
        while (at < text.length()) {
            if (text.charAt(at) == ';') {
                ends.add(at++);
            } else {
                step();
            }
        }
        String result = blanked.toString();
        int start = 0;
        for (int end : ends) {
            addChunk(result, start, end);
            start = end + 1;
        }
        // A file that was cut off while it was written ends without one.
        int rest = firstNonSpace(result, start, result.length());
        if (rest < result.length()) {
            error(
                    rest,
                    "the statement does not end with a semicolon",
                    "End every statement with ';', so that a half-written file is not taken for a whole one.");
        }
        return chunks;
    }

    private void addChunk(String result, int from, int end) {
        int start = firstNonSpace(result, from, end);
        if (start < end) {
            chunks.add(new Chunk(source, result, start, end));
        }
    }

    private void step() {
        char c = text.charAt(at);
        if (c == '\'' || c == '"' || c == '`') {
            quoted(c);
            // MariaDB wants a space behind it. A text that relies on the difference is refused by the database's own
            // reader later, which meets no comments at all.
        } else if (text.startsWith("--", at)) {
            blankTo(lineEnd(at));
        } else if (text.startsWith("/*", at)) {
            blockComment();
        } else if (c == '#') {
            error(at++, "'#' means different things to different databases", "Begin comments with '-- '.");
        } else if (text.startsWith("//", at)) {
            error(at, "some databases take '//' for a comment", "Begin comments with '-- '.");
            at += 2;
        } else if (c == '$' && isDollarQuote()) {
            error(at++, "dollar quotes are not read in policies", "Write the string in single quotes.");
        } else if (Names.isPart(c)) {
            at = Names.end(text, at);
        } else {
            at++;
        }
    }

    private void quoted(char quote) {
        int start = at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            // MariaDB takes the backslash for an escape, PostgreSQL does not: the string would end at different
            // places.
            if (c == '\\' && at < text.length() && text.charAt(at) == quote) {
                error(
                        at - 1,
                        "a backslash before a quote means different things to different databases",
                        "Write a quote within quotes twice.");
            } else if (c == quote && (at == text.length() || text.charAt(at) != quote)) {
                return;
            } else if (c == quote) {
                at++;
            }
        }
        error(start, "the quote is not closed", "Close it with " + quote + ".");
    }

    private void blockComment() {
        int start = at;
        int end = text.indexOf("*/", at + 2);
        // MariaDB runs what is in it: a condition there would be part of the view for one database only.
        if (text.startsWith("/*!", at) || text.startsWith("/*M!", at)) {
            error(start, "some databases execute this comment", "Begin comments with '-- '.");
        }
        if (end < 0) {
            error(start, "the comment is not closed", "Close it with */.");
            blankTo(text.length());
            return;
        }
        // PostgreSQL nests comments, MariaDB does not.
        int nested = text.indexOf("/*", at + 2);
        if (nested >= 0 && nested < end) {
            error(nested, "comments within comments end differently in different databases", "Do not nest comments.");
        }
        blankTo(end + 2);
    }

    /** Same length, same lines: offsets go on to mean the same place. */
    private void blankTo(int end) {
        for (; at < end; at++) {
            char c = text.charAt(at);
            if (c != '\n' && c != '\r') {
                blanked.setCharAt(at, ' ');
            }
        }
    }

    private int lineEnd(int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != '\r') {
            i++;
        }
        return i;
    }

    private boolean isDollarQuote() {
        int i = at + 1;
        while (i < text.length() && Names.isPart(text.charAt(i)) && text.charAt(i) != '$') {
            i++;
        }
        return i < text.length() && text.charAt(i) == '$';
    }

    /** Read on after an error, so that the next one is found as well. */
    private void error(int offset, String message, String remedy) {
        findings.add(Finding.error(source.position(offset), message, remedy));
    }

    static int firstNonSpace(String text, int from, int end) {
        int i = from;
        while (i < end && Character.isWhitespace(text.charAt(i))) {
            i++;
        }
        return i;
    }
}
