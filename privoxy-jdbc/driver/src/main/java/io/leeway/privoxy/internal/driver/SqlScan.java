package io.leeway.privoxy.internal.driver;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The words and semicolons of a text outside strings, quoted names and comments. Only for questions where a wrong
 * answer leads to a refusal; deciding on a text is the guard's.
 *
 * <p>It reads no better than it must: what it takes for several statements, or for a word, is refused or asked about,
 * and what it misses is seen by the guard's own reader.
 */
final class SqlScan {

    private final String sql;
    private final Set<String> words = new HashSet<>();
    private int firstSemicolon = -1;
    private boolean afterSemicolon;
    private int depth;

    private SqlScan(String sql) {
        this.sql = sql;
    }

    static SqlScan of(String sql) {
        var scan = new SqlScan(sql);
        int at = 0;
        while (at < sql.length()) {
            at = scan.token(at);
        }
        return scan;
    }

    /** Whether an unquoted word occurs outside all parentheses, in any case. */
    boolean hasWord(String lowerCase) {
        return words.contains(lowerCase);
    }

    /**
     * Whether anything but comments follows a semicolon.
     *
     * <p>Behind a semicolon anything but a comment, as drivers send the rest, too.
     */
    boolean hasSeveralStatements() {
        return afterSemicolon;
    }

    /** The text up to its first semicolon. */
    String withoutSemicolon() {
        return firstSemicolon < 0 ? sql : sql.substring(0, firstSemicolon);
    }

    /** Takes in the token at a place; returns where the next one begins. */
    private int token(int at) {
        char c = sql.charAt(at);
        if (Character.isWhitespace(c)) {
            return at + 1;
        }
        // To the end of the line, whatever follows; MariaDB wants a blank behind it, and what it takes for
        // operators then is read by the guard.
        if (sql.startsWith("--", at)) {
            return after(sql.indexOf('\n', at), 1);
        }
        if (sql.startsWith("/*", at)) {
            return comment(at + 2);
        }
        if (c == ';') {
            firstSemicolon = firstSemicolon < 0 ? at : firstSemicolon;
            return at + 1;
        }
        afterSemicolon |= firstSemicolon >= 0;
        return lexeme(at, c);
    }

    private int lexeme(int at, char c) {
        if (c == '\'' || c == '"' || c == '`') {
            // PostgreSQL's E'…': a backslash keeps the quote open.
            boolean escapes = at > 0 && (sql.charAt(at - 1) == 'E' || sql.charAt(at - 1) == 'e');
            return quoted(at + 1, c, escapes && c == '\'');
        }
        if (c == '(' || c == ')') {
            depth += c == '(' ? 1 : -1;
            return at + 1;
        }
        if (c == '$') {
            return dollarQuoted(at);
        }
        if (!Character.isUnicodeIdentifierStart(c)) {
            return at + 1;
        }
        int end = at + 1;
        while (end < sql.length() && (Character.isUnicodeIdentifierPart(sql.charAt(end)) || sql.charAt(end) == '$')) {
            end++;
        }
        if (depth == 0) {
            words.add(sql.substring(at, end).toLowerCase(Locale.ROOT));
        }
        return end;
    }

    /** Nested, as PostgreSQL has it; where comments do not nest this only hides words. */
    private int comment(int from) {
        int open = 1;
        int at = from;
        while (at < sql.length() && open > 0) {
            boolean opens = sql.startsWith("/*", at);
            boolean closes = sql.startsWith("*/", at);
            open += opens ? 1 : closes ? -1 : 0;
            at += opens || closes ? 2 : 1;
        }
        return at;
    }

    private int quoted(int from, char quote, boolean escapes) {
        int at = from;
        // A doubled quote ends the string and begins another one, which comes to the same.
        while (at < sql.length() && sql.charAt(at) != quote) {
            at += escapes && sql.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    private int dollarQuoted(int at) {
        int end = at + 1;
        while (end < sql.length() && Character.isUnicodeIdentifierPart(sql.charAt(end))) {
            end++;
        }
        if (end >= sql.length() || sql.charAt(end) != '$') {
            // A dollar sign in a name, or a parameter.
            return at + 1;
        }
        String tag = sql.substring(at, end + 1);
        return after(sql.indexOf(tag, end + 1), tag.length());
    }

    private int after(int found, int length) {
        return found < 0 ? sql.length() : found + length;
    }
}
