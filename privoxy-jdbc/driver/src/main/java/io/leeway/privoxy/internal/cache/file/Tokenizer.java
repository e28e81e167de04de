package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.file.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a template file into tokens. Comments run from {@code --} to the end of the line.
 *
 * <p>Everything that is not a token is an error: a character that is passed over could be one that a reviewer sees as
 * something else.
 */
final class Tokenizer {

    private static final int ESCAPE_DIGITS = 4;

    private final String text;
    private int position;
    private int line = 1;
    private int lineStart;

    private Tokenizer(String text) {
        this.text = text;
    }

    /** All tokens; the last one is the end. */
    static List<Token> tokens(String text) throws TemplateSyntaxException {
        Tokenizer tokenizer = new Tokenizer(text);
        List<Token> tokens = new ArrayList<>();
        Token token;
        do {
            token = tokenizer.next();
            tokens.add(token);
        } while (token.kind() != Kind.END);
        return tokens;
    }

    private Token next() throws TemplateSyntaxException {
        skipBlanks();
        int start = position;
        if (start == text.length()) {
            return token(Kind.END, "", start);
        }
        char c = text.charAt(start);
        if (isNameStart(c)) {
            return token(Kind.WORD, name(), start);
        }
        if (c == '"' || c == '\'') {
            return token(c == '"' ? Kind.QUOTED : Kind.STRING, quoted(c), start);
        }
        if (isDigit(c) || (c == '-' && isDigit(peek(1)))) {
            return number(start);
        }
        if (c == '?') {
            return parameter(start);
        }
        if (c == '#') {
            return hash(start);
        }
        return symbol(start);
    }

    private void skipBlanks() {
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c == '-' && peek(1) == '-') {
                int end = text.indexOf('\n', position);
                position = end < 0 ? text.length() : end;
            } else if (c == '\n') {
                position++;
                line++;
                lineStart = position;
            } else if (c == ' ' || c == '\t' || c == '\r') {
                position++;
            } else {
                return;
            }
        }
    }

    private char peek(int ahead) {
        int index = position + ahead;
        return index < text.length() ? text.charAt(index) : '\0';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    }

    private String name() {
        int start = position;
        while (isNameStart(peek(0)) || isDigit(peek(0))) {
            position++;
        }
        return text.substring(start, position);
    }

    private String quoted(char quote) throws TemplateSyntaxException {
        StringBuilder content = new StringBuilder();
        int start = position++;
        // A quote ends on its line: one that is forgotten would take in the rest of the file.
        while (position < text.length() && peek(0) != '\n') {
            char c = text.charAt(position++);
            if (c == quote) {
                if (peek(0) != quote) {
                    return content.toString();
                }
                position++;
                content.append(quote);
            } else if (c == '\\') {
                content.append(escaped());
            } else if (Quoting.isSeen(c)) {
                content.append(c);
            } else {
                // As it is written, so it is read (Quoting).
                throw error(position - 1, "a character that cannot be seen; write it as \\uXXXX");
            }
        }
        throw error(start, "a quote without an end");
    }

    private char escaped() throws TemplateSyntaxException {
        int start = position - 1;
        int end = position + 1 + ESCAPE_DIGITS;
        if (peek(0) == 'u' && end <= text.length()) {
            String digits = text.substring(position + 1, end);
            if (digits.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128)) {
                position = end;
                return (char) Integer.parseInt(digits, 16);
            }
        }
        throw error(start, "after a backslash stands u and four hexadecimal digits");
    }

    private Token number(int start) throws TemplateSyntaxException {
        position++;
        skipDigits();
        if (peek(0) == '.' && isDigit(peek(1))) {
            position++;
            skipDigits();
        }
        if (peek(0) == 'E' || peek(0) == 'e') {
            position++;
            if (peek(0) == '+' || peek(0) == '-') {
                position++;
            }
            skipDigits();
        }
        // 5x is neither a number nor a name.
        if (isNameStart(peek(0)) || !isDigit(text.charAt(position - 1))) {
            throw error(start, "not a number");
        }
        return token(Kind.NUMBER, text.substring(start, position), start);
    }

    private void skipDigits() {
        while (isDigit(peek(0))) {
            position++;
        }
    }

    private Token parameter(int start) throws TemplateSyntaxException {
        position++;
        if (isDigit(peek(0))) {
            int first = position;
            skipDigits();
            return token(Kind.PARAMETER, text.substring(first, position), start);
        }
        String name = peek(0) == '"' ? quoted('"') : name();
        if (name.isEmpty() || isDigit(name.charAt(0))) {
            throw error(start, "after a question mark stands a number or a name");
        }
        return token(Kind.PARAMETER, name, start);
    }

    private Token hash(int start) throws TemplateSyntaxException {
        position++;
        int first = position;
        while (Character.digit(peek(0), 16) >= 0 && peek(0) < 128) {
            position++;
        }
        if (first == position) {
            throw error(start, "after # stand hexadecimal digits");
        }
        return token(Kind.HASH, text.substring(first, position), start);
    }

    private Token symbol(int start) throws TemplateSyntaxException {
        String two = text.substring(start, Math.min(text.length(), start + 2));
        int length = two.equals("<>") || two.equals("<=") ? 2 : 1;
        String symbol = two.substring(0, Math.min(length, two.length()));
        if (length == 1 && "(),.*=<".indexOf(symbol.charAt(0)) < 0) {
            throw error(start, "an unexpected character");
        }
        position += length;
        return token(Kind.SYMBOL, symbol, start);
    }

    private Token token(Kind kind, String content, int start) {
        return new Token(kind, content, text.substring(start, position), line, start - lineStart + 1);
    }

    private TemplateSyntaxException error(int at, String message) {
        return new TemplateSyntaxException(line, at - lineStart + 1, message);
    }
}
