package io.leeway.privoxy.internal.sql;

/**
 * Splits a text into tokens exactly as the database would. One subclass per dialect; what all of them share is here. An
 * object reads one text.
 *
 * <p>Every difference to the database is a hole: what is a comment here and runs there, or the other way round, makes a
 * text another statement than the one that was decided on. Between the two stands the JDBC driver, which looks for
 * parameters and escapes by lexical rules of its own. Where the three may differ (by version, by a setting that cannot
 * be seen, by the driver's idea) the text is refused. {@code PostgresReadingIT}, {@code MariaDbReadingIT} and
 * {@code H2ReadingTest} hold the lexers against the servers; {@code docs/adr/0002-own-sql-front-end.md} says why there
 * are lexers at all.
 */
abstract class Lexer {

    // Interned, so that comparing operators by equals is mostly comparing references, and a statement makes no strings
    // for its signs.
    private static final String[] SINGLE = new String[128];

    static {
        for (char c = ' '; c < SINGLE.length; c++) {
            SINGLE[c] = String.valueOf(c).intern();
        }
    }

    protected final String sql;
    protected final SqlOptions options;
    protected final Tokens tokens;
    protected final int end;
    protected int pos;

    private final Keywords keywords;
    private int parameters;

    Lexer(String sql, SqlOptions options) {
        this.sql = sql;
        this.options = options;
        this.tokens = new Tokens(sql);
        this.end = sql.length();
        this.keywords = Keywords.of(options.dialect());
    }

    /** The tokens of a text. */
    static Tokens tokens(String sql, SqlOptions options) {
        Lexer lexer = switch (options.dialect()) {
            case POSTGRESQL -> new PostgresLexer(sql, options);
            case MARIADB -> new MariaDbLexer(sql, options);
            case H2 -> new H2Lexer(sql, options);
        };
        return lexer.run();
    }

    private Tokens run() {
        checkCharacters();
        skipBlank();
        while (pos < end) {
            token(sql.charAt(pos));
            skipBlank();
        }
        tokens.add(TokenKind.END, end, end);
        return tokens;
    }

    /** Skips white space and comments. */
    protected abstract void skipBlank();

    /** Reads the token that begins with {@code c} at {@link #pos}. */
    protected abstract void token(char c);

    /** NUL ends the text for some databases and not for others; unpaired surrogates change in transit. */
    private void checkCharacters() {
        for (int i = 0; i < end; i++) {
            char c = sql.charAt(i);
            if (c == 0) {
                throw unsupported("NUL character", i);
            }
            if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c) || i + 1 == end || !Character.isLowSurrogate(sql.charAt(i + 1))) {
                    throw unsupported("unpaired surrogate", i);
                }
                i++;
            }
        }
    }

    /** Character at an offset, or NUL behind the end. */
    protected final char at(int offset) {
        return offset < end ? sql.charAt(offset) : 0;
    }

    protected final UnsupportedSqlException unsupported(String construct, int offset) {
        return UnsupportedSqlException.at(construct, sql, offset);
    }

    protected final UnsupportedSqlException unexpected(int offset) {
        return unsupported("this character", offset);
    }

    /** One of the characters that mean the same to all; false if it is none. */
    protected final boolean punctuation(char c) {
        TokenKind kind;
        switch (c) {
            case '(' -> kind = TokenKind.LEFT_PAREN;
            case ')' -> kind = TokenKind.RIGHT_PAREN;
            case ',' -> kind = TokenKind.COMMA;
            case ';' -> kind = TokenKind.SEMICOLON;
            case '[' -> kind = TokenKind.LEFT_BRACKET;
            case ']' -> kind = TokenKind.RIGHT_BRACKET;
            case '{' -> kind = TokenKind.LEFT_BRACE;
            case '}' -> kind = TokenKind.RIGHT_BRACE;
            default -> {
                return false;
            }
        }
        boolean brace = kind == TokenKind.LEFT_BRACE || kind == TokenKind.RIGHT_BRACE;
        if (brace && !options.jdbcEscapes()) {
            throw unsupported("a brace while escape processing is off", pos);
        }
        tokens.add(kind, pos, pos + 1);
        pos++;
        return true;
    }

    /** An operator of the given length at the current position. */
    protected final void operator(int length) {
        String text = length == 1 ? SINGLE[sql.charAt(pos)] : sql.substring(pos, pos + length);
        tokens.add(TokenKind.OPERATOR, pos, pos + length, text, 0);
        pos += length;
    }

    protected final void dot() {
        tokens.add(TokenKind.DOT, pos, pos + 1);
        pos++;
    }

    /** A word up to the first character that is no part of one. */
    protected final void word() {
        int start = pos;
        while (pos < end && isWordPart(pos)) {
            pos++;
        }
        int keyword = keywords.find(sql, start, pos);
        if (keyword < 0) {
            tokens.add(TokenKind.WORD, start, pos, null, 0);
        } else {
            tokens.add(TokenKind.WORD, start, pos, keywords.word(keyword), keywords.flags(keyword));
        }
    }

    /**
     * Whether a character belongs to a word. Beyond ASCII the databases take anything, even invisible characters; only
     * letters, digits and marks are read, so that nothing is hidden in a name.
     */
    private boolean isWordPart(int offset) {
        char c = sql.charAt(offset);
        if (c < 0x80) {
            return Chars.isWordPart(c);
        }
        int codePoint = sql.codePointAt(Character.isLowSurrogate(c) ? offset - 1 : offset);
        if (!isReadable(codePoint)) {
            throw unexpected(offset);
        }
        return true;
    }

    /**
     * Above the basic plane MariaDB's identifiers do not go; H2 takes what Java takes; PostgreSQL folds {@code É} in a
     * single-byte encoding and not in UTF-8, so capitals beyond ASCII might be another name.
     */
    private boolean isReadable(int codePoint) {
        if (options.dialect() == Dialect.MARIADB && codePoint > 0xFFFF) {
            return false;
        }
        if (options.dialect() == Dialect.H2 && !Character.isJavaIdentifierPart(codePoint)) {
            return false;
        }
        // PostgreSQL folds capitals beyond ASCII or not, depending on the database's encoding.
        boolean folded = options.dialect() == Dialect.POSTGRESQL && Character.toLowerCase(codePoint) != codePoint;
        return !folded && (Character.isLetterOrDigit(codePoint) || isMark(codePoint));
    }

    private static boolean isMark(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
    }

    /** A quoted identifier in which the quote is doubled. */
    protected final void quotedName(int start, char quote) {
        pos = start + 1;
        String name = quoted(quote, start, "quoted identifier");
        if (name.isEmpty()) {
            throw unsupported("empty identifier", start);
        }
        tokens.add(TokenKind.QUOTED, start, pos, name, 0);
    }

    /** Text up to the closing quote, the quote being doubled; {@link #pos} is behind the opening one. */
    protected final String quoted(char quote, int start, String what) {
        StringBuilder text = null;
        int from = pos;
        while (true) {
            int close = sql.indexOf(quote, pos);
            if (close < 0) {
                throw unsupported(what + " without end", start);
            }
            pos = close + 1;
            if (at(pos) != quote) {
                return text == null
                        ? sql.substring(from, close)
                        : text.append(sql, from, close).toString();
            }
            text = (text == null ? new StringBuilder() : text).append(sql, from, pos);
            pos++;
            from = pos;
        }
    }

    /** A string between quotes whose characters are all of a set; for hexadecimal and bit strings. */
    protected final void digits(TokenKind kind, int start, int open) {
        int close = sql.indexOf('\'', open + 1);
        if (close < 0 || at(close + 1) == '\'') {
            throw unsupported("binary string", start);
        }
        for (int i = open + 1; i < close; i++) {
            char c = sql.charAt(i);
            if (kind == TokenKind.HEX ? !Chars.isHexDigit(c) : c != '0' && c != '1') {
                throw unsupported("digit of a binary string", i);
            }
        }
        pos = close + 1;
        tokens.add(kind, start, pos, sql.substring(open + 1, close), 0);
    }

    /**
     * {@code ?} as the next JDBC parameter. Drivers put a number or a literal in its place, so it must not touch
     * anything that would make another token of the two.
     *
     * <p>{@code a?b} with the number 1 becomes {@code a1b} when a driver writes values into the text, {@code ?'x'} two
     * strings that are one.
     */
    protected final void parameter() {
        if (pos > 0 && touches(sql.charAt(pos - 1)) || touches(at(pos + 1))) {
            throw unsupported("parameter glued to its neighbour", pos);
        }
        parameters++;
        tokens.add(TokenKind.PARAMETER, pos, pos + 1, null, parameters);
        pos++;
    }

    private static boolean touches(char c) {
        return Chars.isWordPart(c) || c == '\'' || c == '"' || c == '`' || c == '.' || c == '?';
    }

    /** {@code prefix} and digits: a parameter by its number. */
    protected final void numberedParameter() {
        int start = pos;
        int number = 0;
        pos++;
        while (Chars.isDigit(at(pos))) {
            number = number * 10 + sql.charAt(pos) - '0';
            // The protocol's limit; a longer run of digits would overflow.
            if (number > 65_535) {
                throw unsupported("parameter number", start);
            }
            pos++;
        }
        if (number == 0 || pos < end && Chars.isWordPart(sql.charAt(pos))) {
            throw unsupported("parameter number", start);
        }
        tokens.add(TokenKind.PARAMETER, start, pos, null, number);
    }

    /** {@code ?name} of a policy. */
    protected final void policyParameter() {
        int start = pos;
        pos++;
        if (!Chars.isWordStart(at(pos))) {
            throw unsupported("? without the name of a context parameter", start);
        }
        int from = pos;
        while (pos < end && isWordPart(pos)) {
            pos++;
        }
        tokens.add(TokenKind.POLICY_PARAMETER, start, pos, sql.substring(from, pos), 0);
    }

    /**
     * To the end of the line.
     *
     * <p>Whether a carriage return ends the line is different: to PostgreSQL and H2 it does, to MariaDB not, so that
     * what stands behind one may be comment or text.
     */
    protected final void skipLine(boolean carriageReturnEnds) {
        while (pos < end) {
            char c = sql.charAt(pos);
            if (c == '\n' || carriageReturnEnds && c == '\r') {
                return;
            }
            pos++;
        }
    }

    /**
     * A comment in slashes and stars, possibly with comments inside.
     *
     * <p>PostgreSQL and H2 nest comments, MariaDB does not, so behind a comment in a comment each reads on at another
     * place.
     */
    protected final void skipBlock(boolean nested) {
        int start = pos;
        int depth = 1;
        if (at(pos + 2) == '/') {
            // PostgreSQL's and MariaDB's drivers take these three characters for a whole comment, the servers do not.
            throw unsupported("comment that begins with /*/", start);
        }
        pos += 2;
        while (depth > 0) {
            if (pos + 1 >= end) {
                throw unsupported("comment without end", start);
            }
            char c = sql.charAt(pos);
            char next = sql.charAt(pos + 1);
            if (c == '*' && next == '/') {
                depth--;
                pos += 2;
            } else if (nested && c == '/' && next == '*') {
                depth++;
                pos += 2;
            } else {
                pos++;
            }
        }
    }

    /**
     * Digits, point and exponent. Whether what follows may stand there is the dialect's affair.
     *
     * <p>{@code 1e} without digits is a number and a word to some and an error to others, so an exponent is taken only
     * with digits behind it, and what is glued to the number is then judged by the dialect.
     *
     * @return kind of the number
     */
    protected final TokenKind number() {
        TokenKind kind = TokenKind.INTEGER;
        skipDigits();
        if (at(pos) == '.') {
            kind = TokenKind.DECIMAL;
            pos++;
            skipDigits();
        }
        if ((at(pos) | 0x20) == 'e') {
            int sign = at(pos + 1) == '+' || at(pos + 1) == '-' ? 1 : 0;
            if (Chars.isDigit(at(pos + 1 + sign))) {
                kind = TokenKind.FLOAT;
                pos += 1 + sign;
                skipDigits();
            }
        }
        return kind;
    }

    private void skipDigits() {
        while (Chars.isDigit(at(pos))) {
            pos++;
        }
    }
}
