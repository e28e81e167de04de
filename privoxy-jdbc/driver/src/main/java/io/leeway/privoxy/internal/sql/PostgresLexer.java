package io.leeway.privoxy.internal.sql;

/**
 * PostgreSQL's lexical rules ({@code scan.l}), after what its JDBC driver does to {@code ?} and {@code ??}. Where the
 * versions 14 to 18 read a text differently (digits glued to letters, {@code 0x10}, {@code 1_000}) it is refused.
 */
final class PostgresLexer extends Lexer {

    private static final String OPERATOR_CHARS = "~!@#^&|`?+-*/%<>=";
    /** An operator that has none of these cannot end in a sign. */
    private static final String SIGN_ALLOWING = "~!@#^&|`?%";

    private static final int MAX_NAME_BYTES = 63;

    /** No operator is as long; of a longer run a sign at a time would be cut off its end, which takes time. */
    private static final int MAX_OPERATOR = 63;

    PostgresLexer(String sql, SqlOptions options) {
        super(sql, options);
        // Without a string there is nothing that would be read otherwise: the setting can be put right, a transaction
        // ended. With the setting off a backslash escapes in ordinary strings, and the whole text would be read by
        // other rules.
        int quote = options.standardConformingStrings() ? -1 : sql.indexOf('\'');
        if (quote >= 0) {
            throw unsupported("a string with standard_conforming_strings = off", quote);
        }
    }

    @Override
    protected void skipBlank() {
        while (pos < end) {
            char c = sql.charAt(pos);
            if (isSpace(c)) {
                pos++;
            } else if (c == '-' && at(pos + 1) == '-') {
                skipLine(true);
            } else if (c == '/' && at(pos + 1) == '*') {
                skipBlock(true);
            } else {
                return;
            }
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    }

    @Override
    protected void token(char c) {
        switch (c) {
            case '\'' -> string(pos, pos, TokenKind.STRING);
            case '"' -> {
                quotedName(pos, '"');
                checkLength();
            }
            case '$' -> dollar();
            // Casts, and names of arguments (:=), which are tokens of their own and no operator characters.
            case ':' -> operator(at(pos + 1) == ':' || at(pos + 1) == '=' ? 2 : 1);
            case '.' -> point();
            default -> other(c);
        }
    }

    private void other(char c) {
        if (Chars.isDigit(c)) {
            numeric();
        } else if (Chars.isWordStart(c)) {
            wordOrPrefixed(c);
        } else if (c == '?' && isParameterAt(pos)) {
            parameterMark();
        } else if (OPERATOR_CHARS.indexOf(c) >= 0) {
            operatorRun();
        } else if (!punctuation(c)) {
            throw unexpected(pos);
        }
    }

    private void parameterMark() {
        if (options.policyParameters()) {
            policyParameter();
        } else {
            parameter();
        }
    }

    /**
     * A single {@code ?} is a parameter where parameters are; the driver turns {@code ??} into the operator's
     * character.
     */
    private boolean isParameterAt(int offset) {
        return (options.policyParameters() || options.jdbcParameters()) && at(offset + 1) != '?';
    }

    private void point() {
        // Two points are a range in PL/pgSQL and cannot stand in SQL.
        if (at(pos + 1) == '.') {
            throw unsupported("..", pos);
        }
        if (Chars.isDigit(at(pos + 1))) {
            numeric();
        } else {
            dot();
        }
    }

    /**
     * A number, with nothing glued to it: whether {@code 123abc} is a number and a name depends on the server's
     * version.
     */
    private void numeric() {
        int start = pos;
        TokenKind kind = number();
        // SELECT 1a has an alias before version 15 and is an error since; 0x1F and 1_000 are numbers since 16.
        if (pos < end && (Chars.isWordPart(sql.charAt(pos)) || sql.charAt(pos) == '.')) {
            throw unsupported("number glued to what follows", start);
        }
        tokens.add(kind, start, pos);
    }

    /**
     * A word, unless a quote follows at once that makes it the prefix of a string: {@code e'…'} has escapes, {@code e
     * '…'} is a type and a string.
     */
    private void wordOrPrefixed(char c) {
        char next = at(pos + 1);
        if (next == '\'') {
            switch (c) {
                case 'e', 'E' -> {
                    escapeString();
                    return;
                }
                case 'n', 'N' -> {
                    string(pos, pos + 1, TokenKind.NATIONAL);
                    return;
                }
                case 'b', 'B' -> {
                    digits(TokenKind.BIT, pos, pos + 1);
                    refuseContinuation();
                    return;
                }
                case 'x', 'X' -> {
                    digits(TokenKind.HEX, pos, pos + 1);
                    refuseContinuation();
                    return;
                }
                default -> {
                    // a word and then a string: a typed literal
                }
            }
        }
        if ((c == 'u' || c == 'U') && next == '&' && (at(pos + 2) == '\'' || at(pos + 2) == '"')) {
            unicode();
            return;
        }
        word();
        checkLength();
    }

    /**
     * Longer names are cut by the server, at a byte.
     *
     * <p>Two names that are alike in 63 bytes are one to the server and two here; and a WITH or an alias of such a name
     * would be another than a reference to it.
     */
    private void checkLength() {
        int last = tokens.size() - 1;
        String name = tokens.kind(last) == TokenKind.WORD ? tokens.raw(last) : tokens.text(last);
        int bytes = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            // As in UTF-8, a surrogate being half of four bytes.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        if (bytes > MAX_NAME_BYTES) {
            throw unsupported("name of more than 63 bytes", tokens.start(last));
        }
    }

    /** A string from {@code start}, its quote being at {@code open}, with its continuations on later lines. */
    private void string(int start, int open, TokenKind kind) {
        String text = readString(start, open);
        tokens.add(kind, start, pos, text, 0);
    }

    private String readString(int start, int open) {
        pos = open + 1;
        String text = quoted('\'', start, "string");
        int next = continuation(pos);
        if (next < 0) {
            return text;
        }
        var whole = new StringBuilder(text);
        while (next >= 0) {
            pos = next + 1;
            whole.append(quoted('\'', start, "string"));
            next = continuation(pos);
        }
        return whole.toString();
    }

    /** {@code E'…'}. The driver takes its continuation for an ordinary string, so that is refused. */
    private void escapeString() {
        int start = pos;
        pos += 2;
        String text = escaped(start);
        refuseContinuation();
        tokens.add(TokenKind.STRING, start, pos, text, 0);
    }

    /**
     * Offset of the quote that continues a string that ended at {@code from}, or -1. A line feed must lie between.
     *
     * <p>A rule of the standard that few know: {@code 'a'} and on the next line {@code 'b'} are the string
     * {@code 'ab'}; on the same line that is an error.
     */
    private int continuation(int from) {
        int i = from;
        boolean newline = false;
        while (i < end) {
            char c = sql.charAt(i);
            if (c == '\n' || c == '\r') {
                newline = true;
                i++;
            } else if (isSpace(c)) {
                i++;
            } else if (c == '-' && at(i + 1) == '-') {
                while (i < end && sql.charAt(i) != '\n' && sql.charAt(i) != '\r') {
                    i++;
                }
            } else {
                return newline && c == '\'' ? i : -1;
            }
        }
        return -1;
    }

    private void refuseContinuation() {
        if (continuation(pos) >= 0) {
            throw unsupported("continuation of a string with prefix", pos);
        }
    }

    /**
     * A string with backslash escapes. The driver sees two strings where a quote is doubled, the second one without
     * escapes; so no backslash may follow.
     */
    private String escaped(int start) {
        var text = new StringBuilder();
        boolean doubled = false;
        while (true) {
            if (pos >= end) {
                throw unsupported("string without end", start);
            }
            char c = sql.charAt(pos++);
            if (c == '\'') {
                if (at(pos) != '\'') {
                    return text.toString();
                }
                pos++;
                doubled = true;
                text.append('\'');
            } else if (c == '\\') {
                if (doubled) {
                    throw unsupported("backslash after a doubled quote", pos - 1);
                }
                escape(text);
            } else {
                text.append(c);
            }
        }
    }

    private void escape(StringBuilder text) {
        int start = pos - 1;
        char c = at(pos);
        pos++;
        switch (c) {
            case 0 -> throw unsupported("string without end", start);
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'u' -> codePoint(text, 4, start);
            case 'U' -> codePoint(text, 8, start);
            case 'x' -> {
                if (Chars.isHexDigit(at(pos))) {
                    byteEscape(text, 16, 2, start);
                } else {
                    text.append('x');
                }
            }
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                pos--;
                byteEscape(text, 8, 3, start);
            }
            default -> text.append(c);
        }
    }

    /**
     * A byte by its number; only ASCII, as the others make characters only together.
     *
     * <p>Which character a byte above 127 is depends on the server's encoding.
     */
    private void byteEscape(StringBuilder text, int radix, int maximum, int start) {
        int value = 0;
        for (int i = 0; i < maximum; i++) {
            int digit = at(pos) < 0x80 ? Character.digit(at(pos), radix) : -1;
            if (digit < 0) {
                break;
            }
            value = value * radix + digit;
            pos++;
        }
        if (value == 0 || value > 0x7F) {
            throw unsupported("byte escape", start);
        }
        text.append((char) value);
    }

    private void codePoint(StringBuilder text, int length, int start) {
        int value = hex(length, start);
        // PostgreSQL has no NUL in texts; it puts two halves of a pair together, which is not read here.
        if (value == 0 || !Character.isValidCodePoint(value) || isSurrogate(value)) {
            throw unsupported("Unicode escape", start);
        }
        text.appendCodePoint(value);
    }

    private static boolean isSurrogate(int value) {
        return value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE;
    }

    private int hex(int length, int start) {
        int value = 0;
        for (int i = 0; i < length; i++) {
            char c = at(pos);
            if (!Chars.isHexDigit(c) || value > 0x10FFFF) {
                throw unsupported("Unicode escape", start);
            }
            value = value * 16 + Character.digit(c, 16);
            pos++;
        }
        return value;
    }

    /** {@code U&'…'} and {@code U&"…"}. */
    private void unicode() {
        int start = pos;
        char quote = sql.charAt(pos + 2);
        if (quote == '"') {
            pos += 3;
            String name = decodeUnicode(quoted('"', start, "quoted identifier"), start);
            if (name.isEmpty()) {
                throw unsupported("empty identifier", start);
            }
            tokens.add(TokenKind.QUOTED, start, pos, name, 0);
            checkLength();
        } else {
            String text = decodeUnicode(readString(start, start + 2), start);
            tokens.add(TokenKind.STRING, start, pos, text, 0);
        }
        int after = pos;
        skipBlank();
        // Another escape character, given behind the text that it is for.
        if (end - pos >= 7 && Chars.equalsWord(sql, pos, pos + 7, "UESCAPE")) {
            throw unsupported("UESCAPE", pos);
        }
        pos = after;
    }

    private String decodeUnicode(String text, int start) {
        var decoded = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (c != '\\') {
                decoded.append(c);
            } else if (text.startsWith("\\", i)) {
                decoded.append('\\');
                i++;
            } else {
                boolean six = text.startsWith("+", i);
                int from = six ? i + 1 : i;
                int to = from + (six ? 6 : 4);
                decoded.appendCodePoint(codePoint(text, from, to, start));
                i = to;
            }
        }
        return decoded.toString();
    }

    private int codePoint(String text, int from, int to, int start) {
        if (to > text.length()) {
            throw unsupported("Unicode escape", start);
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            if (!Chars.isHexDigit(text.charAt(i))) {
                throw unsupported("Unicode escape", start);
            }
            value = value * 16 + Character.digit(text.charAt(i), 16);
        }
        if (value == 0 || !Character.isValidCodePoint(value) || isSurrogate(value)) {
            throw unsupported("Unicode escape", start);
        }
        return value;
    }

    /** {@code $1} is a parameter, {@code $$…$$} and {@code $tag$…$tag$} are strings in which nothing has a meaning. */
    private void dollar() {
        if (Chars.isDigit(at(pos + 1))) {
            if (options.policyParameters()) {
                throw unsupported("numbered parameter", pos);
            }
            numberedParameter();
            return;
        }
        int tagEnd = pos + 1;
        while (tagEnd < end && isTagPart(sql.charAt(tagEnd))) {
            tagEnd++;
        }
        if (at(tagEnd) != '$') {
            throw unexpected(pos);
        }
        String tag = sql.substring(pos, tagEnd + 1);
        // The same tag, letter by letter: what stands between is text, quotes and all.
        int close = sql.indexOf(tag, tagEnd + 1);
        if (close < 0) {
            throw unsupported("dollar-quoted string without end", pos);
        }
        int start = pos;
        pos = close + tag.length();
        tokens.add(TokenKind.STRING, start, pos, sql.substring(tagEnd + 1, close), 0);
    }

    private static boolean isTagPart(char c) {
        return Chars.isWordPart(c) && c != '$';
    }

    /**
     * The longest run of operator characters, cut before a comment, and without a sign at its end unless it may have
     * one.
     *
     * <p>{@code a=-1} is {@code a = -1}, but {@code a@-1} is one operator {@code @-}: a run may end in a sign only if
     * it has a character that SQL's own operators have not. Read otherwise the operator, and with it the function that
     * runs, would be another.
     */
    private void operatorRun() {
        int start = pos;
        int stop = pos;
        boolean doubled = false;
        int most = Math.min(end, start + MAX_OPERATOR + 1);
        while (stop < most && OPERATOR_CHARS.indexOf(sql.charAt(stop)) >= 0 && !startsComment(stop)) {
            if (sql.charAt(stop) == '?') {
                // The driver puts $1 in its place, which ends the operator.
                if (isParameterAt(stop)) {
                    break;
                }
                if (at(stop + 1) == '?') {
                    doubled = true;
                    stop++;
                }
            }
            stop++;
        }
        if (stop - start > MAX_OPERATOR) {
            throw unsupported("operator of more than " + MAX_OPERATOR + " characters", start);
        }
        String text = sql.substring(start, stop);
        if (doubled) {
            text = text.replace("??", "?");
        }
        int length = lengthWithoutSign(text);
        // No ?? lies in the part that is cut off: that part is signs only.
        stop -= text.length() - length;
        text = text.substring(0, length);
        // Two spellings of one operator.
        if (text.equals("!=")) {
            text = "<>";
        }
        tokens.add(TokenKind.OPERATOR, start, stop, text.intern(), 0);
        pos = stop;
    }

    private boolean startsComment(int offset) {
        char c = sql.charAt(offset);
        return c == '/' && at(offset + 1) == '*' || c == '-' && at(offset + 1) == '-';
    }

    private static int lengthWithoutSign(String text) {
        int length = text.length();
        if (length < 2 || !isSign(text.charAt(length - 1))) {
            return length;
        }
        for (int i = length - 2; i >= 0; i--) {
            if (SIGN_ALLOWING.indexOf(text.charAt(i)) >= 0) {
                return length;
            }
        }
        while (length > 1 && isSign(text.charAt(length - 1))) {
            length--;
        }
        return length;
    }

    private static boolean isSign(char c) {
        return c == '+' || c == '-';
    }
}
