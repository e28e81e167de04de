package io.leeway.privoxy.internal.sql;

/**
 * MariaDB's lexical rules ({@code sql_lex.cc}), with the SQL modes of the session. Texts that its JDBC driver splits
 * otherwise than the server (it takes {@code --} for a comment without a space, and <code>/&#42;/</code> for a whole
 * comment) are refused, and so is all that the server runs or not depending on its version.
 *
 * <p>What is run and looks like a comment (<code>/&#42;! … &#42;/</code>) is one way to have another statement run than
 * the one that was read; a quote behind a backslash, which ends the string or does not by {@code sql_mode}, another. So
 * the modes of the session are read before a text is ({@link SqlOptions}), and a statement that sets them runs alone.
 */
final class MariaDbLexer extends Lexer {

    MariaDbLexer(String sql, SqlOptions options) {
        super(sql, options);
    }

    @Override
    protected void skipBlank() {
        while (pos < end) {
            char c = sql.charAt(pos);
            if (isSpace(c)) {
                pos++;
            } else if (c == '#') {
                skipLine(false);
            } else if (c == '-' && at(pos + 1) == '-') {
                lineComment();
            } else if (c == '/' && at(pos + 1) == '*') {
                blockComment();
            } else {
                return;
            }
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }

    private void lineComment() {
        // To the server 5--1 is 6; to the driver, and to people, a comment begins.
        if (pos + 2 < end && !isSpace(sql.charAt(pos + 2))) {
            throw unsupported("-- without a space behind it", pos);
        }
        skipLine(false);
    }

    private void blockComment() {
        int start = pos;
        char first = at(pos + 2);
        if (first == '!' || (first == 'M' || first == 'm') && at(pos + 3) == '!') {
            throw unsupported("executable comment", start);
        }
        // Hints choose plans, and so the order of rows.
        if (first == '+') {
            throw unsupported("optimizer hint", start);
        }
        skipBlock(false);
        // What the server makes of it depends on how it skips the end of a comment.
        if (at(pos) == '*' || at(pos) == '/') {
            throw unsupported("comment glued to what follows", start);
        }
    }

    @Override
    protected void token(char c) {
        switch (c) {
            case '\'' -> string(pos, pos, TokenKind.STRING);
            case '"' -> doubleQuote();
            case '`' -> quotedName(pos, '`');
            case '@' -> variable();
            case '?' -> parameterMark();
            case '.' -> point();
            case '<', '>', '=', '!' -> comparison();
            // What || means is a matter of sql_mode, for the parser.
            case '|', '&' -> operator(at(pos + 1) == c ? 2 : 1);
            case ':' -> throw unsupported(at(pos + 1) == '=' ? "assignment :=" : ":", pos);
            case '-' -> minus();
            case '+', '*', '/', '%', '^', '~' -> operator(1);
            default -> other(c);
        }
    }

    private void other(char c) {
        if (Chars.isDigit(c)) {
            numeric();
        } else if (c == '$' || Chars.isWordStart(c)) {
            wordOrPrefixed(c);
        } else if (!punctuation(c)) {
            throw unexpected(pos);
        }
    }

    private void parameterMark() {
        if (options.policyParameters()) {
            policyParameter();
        } else if (options.jdbcParameters()) {
            parameter();
        } else {
            throw unexpected(pos);
        }
    }

    private void minus() {
        if (at(pos + 1) == '>') {
            operator(at(pos + 2) == '>' ? 3 : 2);
        } else {
            operator(1);
        }
    }

    /**
     * The server swallows a character of {@code =!}, so runs that are no operator are refused.
     *
     * <p>So {@code a=!b} would be read as another comparison than it is run as.
     */
    private void comparison() {
        int stop = pos;
        while (stop < end && "<>=!".indexOf(sql.charAt(stop)) >= 0) {
            stop++;
        }
        String text = sql.substring(pos, stop);
        switch (text) {
            case "!=" -> tokens.add(TokenKind.OPERATOR, pos, stop, "<>", 0);
            case "=", "<", ">", "<=", ">=", "<>", "<=>", "<<", ">>", "!" ->
                tokens.add(TokenKind.OPERATOR, pos, stop, text.intern(), 0);
            default -> throw unsupported("operator " + text, pos);
        }
        pos = stop;
    }

    /** A string, or with ANSI_QUOTES a name. */
    private void doubleQuote() {
        if (!options.ansiQuotes()) {
            string(pos, pos, TokenKind.STRING);
            return;
        }
        int start = pos;
        quotedName(start, '"');
        if (sql.substring(start, pos).indexOf('\\') >= 0) {
            // an escape to the driver, a character to the server
            throw unsupported("backslash in a quoted identifier", start);
        }
    }

    /** {@code .5} is a number, {@code t.5} a column, and behind a point each word is a name, reserved or not. */
    private void point() {
        // t.1 is a column called 1, t .1 a table and a number.
        boolean afterName = tokens.isLast(TokenKind.WORD) || tokens.isLast(TokenKind.QUOTED);
        boolean glued = tokens.size() > 0 && tokens.end(tokens.size() - 1) == pos;
        if (Chars.isDigit(at(pos + 1)) && !(afterName && glued)) {
            numeric();
            return;
        }
        dot();
        if (pos < end && Chars.isWordPart(sql.charAt(pos))) {
            // never a keyword or a number behind a point
            int start = pos;
            word();
            tokens.retype(TokenKind.QUOTED, sql.substring(start, pos));
        }
    }

    /** A number, or a name that begins with digits. */
    private void numeric() {
        int start = pos;
        if (sql.charAt(pos) == '0' && (at(pos + 1) == 'x' || at(pos + 1) == 'b') && prefixedDigits()) {
            return;
        }
        TokenKind kind = number();
        if (pos == end || !Chars.isWordPart(sql.charAt(pos))) {
            tokens.add(kind, start, pos);
            return;
        }
        if (kind != TokenKind.INTEGER) {
            throw unsupported("number glued to what follows", start);
        }
        // 1a is a name: unlike other databases MariaDB lets names begin with digits.
        pos = start;
        word();
    }

    /**
     * {@code 0x1F} and {@code 0b01}; a name if other characters follow.
     *
     * <p>{@code 0x1F} is a number or bytes, by what stands beside it; {@code 0x1G} is a name.
     */
    private boolean prefixedDigits() {
        boolean hex = at(pos + 1) == 'x';
        int stop = pos + 2;
        while (hex ? Chars.isHexDigit(at(stop)) : at(stop) == '0' || at(stop) == '1') {
            stop++;
        }
        if (stop == pos + 2 || stop < end && Chars.isWordPart(sql.charAt(stop))) {
            return false;
        }
        tokens.add(hex ? TokenKind.HEX_NUMBER : TokenKind.BIT, pos, stop, sql.substring(pos + 2, stop), 0);
        pos = stop;
        return true;
    }

    private void wordOrPrefixed(char c) {
        if (at(pos + 1) == '\'') {
            switch (c) {
                case 'n', 'N' -> {
                    string(pos, pos + 1, TokenKind.NATIONAL);
                    return;
                }
                case 'x', 'X' -> {
                    digits(TokenKind.HEX, pos, pos + 1);
                    // An error to the server; 0x1 is not, and means 01.
                    if (tokens.text(tokens.size() - 1).length() % 2 != 0) {
                        throw unsupported("odd number of hexadecimal digits", pos);
                    }
                    return;
                }
                case 'b', 'B' -> {
                    digits(TokenKind.BIT, pos, pos + 1);
                    return;
                }
                default -> {
                    // a word and then a string
                }
            }
        }
        word();
    }

    /**
     * A string with those directly after it (also across comments), which continue it.
     *
     * <p>{@code 'a' 'b'} is the string {@code 'ab'}; behind a typed literal ({@code DATE '…' 'b'}) the second one is an
     * alias.
     */
    private void string(int start, int open, TokenKind kind) {
        String text = content(start, open);
        int stop = pos;
        StringBuilder whole = null;
        for (skipBlank(); isStringQuote(at(pos)); skipBlank()) {
            refuseUnjoined(pos);
            whole = whole == null ? new StringBuilder(text) : whole;
            whole.append(content(pos, pos));
            stop = pos;
        }
        pos = stop;
        tokens.add(kind, start, stop, whole == null ? text : whole.toString(), 0);
    }

    private boolean isStringQuote(char c) {
        return c == '\'' || c == '"' && !options.ansiQuotes();
    }

    private String content(int start, int open) {
        pos = open + 1;
        return options.backslashEscapes() ? escaped(sql.charAt(open), start) : plain(sql.charAt(open), start);
    }

    /** Behind DATE and its like, and as a JSON path, a string is one token: what follows it is an alias. */
    private void refuseUnjoined(int start) {
        int before = tokens.size() - 1;
        boolean typed = before >= 0
                && (tokens.isWord(before, "DATE")
                        || tokens.isWord(before, "TIME")
                        || tokens.isWord(before, "TIMESTAMP")
                        || tokens.isOperator(before, "->")
                        || tokens.isOperator(before, "->>"));
        if (typed) {
            throw unsupported("string behind a typed one", start);
        }
    }

    /** Without backslash escapes; the driver, looking for braces, takes them for escapes all the same. */
    private String plain(char quote, int start) {
        String text = quoted(quote, start, "string");
        if (text.indexOf('\\') >= 0 && sql.indexOf('{') >= 0) {
            throw unsupported("backslash beside a brace", start);
        }
        return text;
    }

    /** With backslash escapes; the quote may also be doubled. */
    private String escaped(char quote, int start) {
        StringBuilder text = null;
        int from = pos;
        while (pos < end) {
            char c = sql.charAt(pos);
            if (c != quote && c != '\\') {
                pos++;
                continue;
            }
            if (c == quote && at(pos + 1) != quote) {
                String tail = sql.substring(from, pos);
                pos++;
                return text == null ? tail : text.append(tail).toString();
            }
            if (pos + 1 >= end) {
                break;
            }
            text = (text == null ? new StringBuilder() : text).append(sql, from, pos);
            if (c == quote) {
                text.append(quote);
            } else {
                escape(text, sql.charAt(pos + 1));
            }
            pos += 2;
            from = pos;
        }
        throw unsupported("string without end", start);
    }

    private static void escape(StringBuilder text, char c) {
        switch (c) {
            case '0' -> text.append('\0');
            case 'b' -> text.append('\b');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'Z' -> text.append('\u001A');
            // Kept for LIKE, to which they are escapes of its own.
            case '%', '_' -> text.append('\\').append(c);
            default -> text.append(c);
        }
    }

    /** {@code @x} or {@code @@x}; in quotes ({@code @'a b'}) it is refused, as nobody needs it. */
    private void variable() {
        int start = pos;
        boolean system = at(pos + 1) == '@';
        pos += system ? 2 : 1;
        int from = pos;
        while (pos < end && isVariablePart(sql.charAt(pos))) {
            pos++;
        }
        if (pos == from || pos < end && (Chars.isWordPart(sql.charAt(pos)) || "'\"`@".indexOf(sql.charAt(pos)) >= 0)) {
            throw unsupported("variable", start);
        }
        TokenKind kind = system ? TokenKind.SYSTEM_VARIABLE : TokenKind.USER_VARIABLE;
        tokens.add(kind, start, pos, sql.substring(from, pos), 0);
    }

    private static boolean isVariablePart(char c) {
        return Chars.isAsciiLetter(c) || Chars.isDigit(c) || c == '_' || c == '.' || c == '$';
    }
}
