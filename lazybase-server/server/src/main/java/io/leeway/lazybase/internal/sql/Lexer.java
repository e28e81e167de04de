package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import java.util.ArrayList;
import java.util.List;

/** Cuts a text into the tokens of SQL, as PostgreSQL does: nested comments, doubled quotes, E'' and $tag$ texts. */
final class Lexer {

    /** What a token is. */
    enum Kind {
        WORD,
        QUOTED,
        TEXT,
        NUMBER,
        PARAMETER,
        HINT,
        SIGN,
        END
    }

    /**
     * A token.
     *
     * @param kind what it is
     * @param text as it is meant: quotes and escapes are gone
     * @param from where it begins
     * @param to where it ends
     */
    record Token(Kind kind, String text, int from, int to) {

        boolean is(String word) {
            return (kind == Kind.WORD || kind == Kind.SIGN) && text.equalsIgnoreCase(word);
        }
    }

    private final String sql;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String sql) {
        this.sql = sql;
    }

    /** All tokens, an END last. */
    static List<Token> tokens(String sql) {
        var lexer = new Lexer(sql);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            int from = at;
            if (Character.isWhitespace(c)) {
                at++;
            } else if (sql.startsWith("--", at)) {
                int end = sql.indexOf('\n', at);
                at = end < 0 ? sql.length() : end + 1;
            } else if (sql.startsWith("/*", at)) {
                comment();
            } else if ((c == 'E' || c == 'e') && at + 1 < sql.length() && sql.charAt(at + 1) == '\'') {
                at++;
                quoted('\'', true, from);
            } else if (c == '\'') {
                quoted('\'', false, from);
            } else if (c == '"') {
                quoted('"', false, from);
            } else if (c == '$' && at + 1 < sql.length() && Character.isDigit(sql.charAt(at + 1))) {
                at++;
                while (at < sql.length() && Character.isDigit(sql.charAt(at))) {
                    at++;
                }
                add(Kind.PARAMETER, sql.substring(from + 1, at), from);
            } else if (c == '$') {
                dollar(from);
            } else if (Character.isDigit(c)
                    || (c == '.' && at + 1 < sql.length() && Character.isDigit(sql.charAt(at + 1)))) {
                number(from);
            } else if (Character.isJavaIdentifierStart(c)) {
                while (at < sql.length() && Character.isJavaIdentifierPart(sql.charAt(at))) {
                    at++;
                }
                add(Kind.WORD, sql.substring(from, at), from);
            } else {
                sign(from);
            }
        }
        tokens.add(new Token(Kind.END, "", sql.length(), sql.length()));
    }

    private void add(Kind kind, String text, int from) {
        tokens.add(new Token(kind, text, from, at));
    }

    private void comment() {
        int from = at;
        int depth = 0;
        do {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else if (at >= sql.length()) {
                throw new LazyBaseException(Code.SYNTAX, "A comment does not end.");
            } else {
                at++;
            }
        } while (depth > 0);
        if (sql.startsWith("/*+", from)) {
            add(Kind.HINT, sql.substring(from + 3, at - 2), from);
        }
    }

    private void quoted(char quote, boolean escapes, int from) {
        var text = new StringBuilder();
        at++;
        while (true) {
            if (at >= sql.length()) {
                throw new LazyBaseException(Code.SYNTAX, "A quoted text does not end.");
            }
            char c = sql.charAt(at++);
            if (c == quote && at < sql.length() && sql.charAt(at) == quote) {
                text.append(quote);
                at++;
            } else if (c == quote) {
                break;
            } else if (escapes && c == '\\' && at < sql.length()) {
                text.append(escaped(sql.charAt(at++)));
            } else {
                text.append(c);
            }
        }
        add(quote == '"' ? Kind.QUOTED : Kind.TEXT, text.toString(), from);
    }

    private static char escaped(char c) {
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            default -> c;
        };
    }

    private void dollar(int from) {
        int end = sql.indexOf('$', at + 1);
        String tag = end < 0 ? "" : sql.substring(at, end + 1);
        int close = end < 0 ? -1 : sql.indexOf(tag, end + 1);
        if (close < 0) {
            sign(from);
            return;
        }
        at = close + tag.length();
        add(Kind.TEXT, sql.substring(end + 1, close), from);
    }

    private void number(int from) {
        while (at < sql.length()) {
            char c = sql.charAt(at);
            boolean exponent = (c == '+' || c == '-') && Character.toLowerCase(sql.charAt(at - 1)) == 'e';
            if (!Character.isLetterOrDigit(c) && c != '.' && !exponent) {
                break;
            }
            at++;
        }
        add(Kind.NUMBER, sql.substring(from, at), from);
    }

    private void sign(int from) {
        for (String two : new String[] {"::", "<=", ">=", "<>", "!=", "||"}) {
            if (sql.startsWith(two, at)) {
                at += 2;
                add(Kind.SIGN, two, from);
                return;
            }
        }
        at++;
        add(Kind.SIGN, sql.substring(from, at), from);
    }
}
