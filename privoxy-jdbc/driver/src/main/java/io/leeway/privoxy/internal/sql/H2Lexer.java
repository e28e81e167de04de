package io.leeway.privoxy.internal.sql;

/**
 * H2's lexical rules ({@code Tokenizer}) in its regular mode.
 *
 * <p>Other modes (compatibility with other databases) change the grammar, not so much the tokens; they are refused at
 * connect.
 */
final class H2Lexer extends Lexer {

    H2Lexer(String sql, SqlOptions options) {
        super(sql, options);
    }

    @Override
    protected void skipBlank() {
        while (pos < end) {
            char c = sql.charAt(pos);
            if (isSpace(c)) {
                pos++;
                // H2 alone takes two slashes for a comment.
            } else if (c == '-' && at(pos + 1) == '-' || c == '/' && at(pos + 1) == '/') {
                skipLine(true);
            } else if (c == '/' && at(pos + 1) == '*') {
                skipBlock(true);
            } else {
                return;
            }
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }

    @Override
    protected void token(char c) {
        switch (c) {
            case '\'' -> string(pos, pos, TokenKind.STRING);
            case '"' -> quotedName(pos, '"');
            case '`' -> throw unsupported("`", pos);
            case '$' -> dollar();
            case '?' -> parameterMark();
            // A variable of H2's can be set within a query and carry values to the next one.
            case '@' -> throw unsupported("variable", pos);
            case '.' -> point();
            case '<' -> operator(at(pos + 1) == '=' || at(pos + 1) == '>' ? 2 : 1);
            case '>' -> operator(at(pos + 1) == '=' ? 2 : 1);
            case '!' -> exclamation();
            case '|', '&' -> doubled(c);
            case ':' -> operator(at(pos + 1) == ':' ? 2 : 1);
            case '+', '-', '*', '/', '%', '=', '~' -> operator(1);
            default -> other(c);
        }
    }

    private void other(char c) {
        if (Chars.isDigit(c)) {
            numeric();
        } else if (Chars.isWordStart(c)) {
            wordOrPrefixed(c);
        } else if (!punctuation(c)) {
            throw unexpected(pos);
        }
    }

    /** {@code ||} and {@code &&}; alone neither is an operator of H2's. */
    private void doubled(char c) {
        if (at(pos + 1) != c) {
            throw unexpected(pos);
        }
        operator(2);
    }

    private void exclamation() {
        switch (at(pos + 1)) {
            case '=' -> tokens.add(TokenKind.OPERATOR, pos, pos + 2, "<>", 0);
            case '~' -> tokens.add(TokenKind.OPERATOR, pos, pos + 2, "!~", 0);
            default -> throw unexpected(pos);
        }
        pos += 2;
    }

    /** {@code ?} or {@code ?1}: H2 has parameters by number, too. */
    private void parameterMark() {
        if (options.policyParameters()) {
            policyParameter();
        } else if (!options.jdbcParameters()) {
            throw unexpected(pos);
        } else if (Chars.isDigit(at(pos + 1))) {
            numberedParameter();
        } else {
            parameter();
        }
    }

    private void dollar() {
        if (at(pos + 1) != '$') {
            if (options.policyParameters() || !Chars.isDigit(at(pos + 1))) {
                throw unexpected(pos);
            }
            numberedParameter();
            return;
        }
        int close = sql.indexOf("$$", pos + 2);
        if (close < 0) {
            throw unsupported("dollar-quoted string without end", pos);
        }
        tokens.add(TokenKind.STRING, pos, close + 2, sql.substring(pos + 2, close), 0);
        pos = close + 2;
    }

    private void point() {
        if (Chars.isDigit(at(pos + 1))) {
            numeric();
        } else {
            dot();
        }
    }

    private void numeric() {
        int start = pos;
        TokenKind kind = number();
        if (pos < end && (Chars.isWordPart(sql.charAt(pos)) || sql.charAt(pos) == '.')) {
            throw unsupported("number glued to what follows", start);
        }
        tokens.add(kind, start, pos);
    }

    private void wordOrPrefixed(char c) {
        char next = at(pos + 1);
        if (next == '\'' && (c == 'n' || c == 'N')) {
            string(pos, pos + 1, TokenKind.NATIONAL);
        } else if (next == '\'' && (c == 'x' || c == 'X')) {
            hexadecimal();
        } else if ((c == 'u' || c == 'U') && next == '&' && (at(pos + 2) == '\'' || at(pos + 2) == '"')) {
            // With an escape character of its own behind it, as in PostgreSQL; nobody writes it for H2.
            throw unsupported("Unicode escapes", pos);
        } else {
            word();
        }
    }

    private void hexadecimal() {
        int start = pos;
        digits(TokenKind.HEX, pos, pos + 1);
        if (continuation(pos) >= 0 || tokens.text(tokens.size() - 1).length() % 2 != 0) {
            throw unsupported("binary string", start);
        }
    }

    /** A string and those that follow it with nothing but space and comments between. */
    private void string(int start, int open, TokenKind kind) {
        pos = open + 1;
        String text = quoted('\'', start, "string");
        int next = continuation(pos);
        if (next >= 0) {
            var whole = new StringBuilder(text);
            while (next >= 0) {
                pos = next + 1;
                whole.append(quoted('\'', start, "string"));
                next = continuation(pos);
            }
            text = whole.toString();
        }
        tokens.add(kind, start, pos, text, 0);
    }

    /**
     * Offset of the quote that continues a string, or -1. H2 looks for it behind comments of both kinds of slashes but
     * not behind the other kind; there the two strings would be two tokens, which no syntax allows.
     */
    private int continuation(int from) {
        pos = from;
        skipBlank();
        int next = pos;
        pos = from;
        return at(next) == '\'' ? next : -1;
    }
}
