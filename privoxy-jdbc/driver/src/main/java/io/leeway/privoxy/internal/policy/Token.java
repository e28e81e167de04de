package io.leeway.privoxy.internal.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * A word of a statement, as far as the statement's frame needs it: comments are gone before.
 *
 * <p>The frame's own few kinds; the query inside is read by the lexer of the database in question.
 *
 * @param kind what it is
 * @param text the word; for quoted names without the quotes
 * @param start offset in the file
 * @param end offset behind it
 * @param depth number of parentheses around it
 */
record Token(Kind kind, String text, int start, int end, int depth) {

    enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        /** {@code ?Name}. */
        PARAMETER,
        /** Any other character. */
        SIGN
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    boolean isSign(char sign) {
        return kind == Kind.SIGN && text.charAt(0) == sign;
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
    }

    /** The words of a part of a file. */
    static List<Token> of(String text, int start, int end) {
        var tokens = new ArrayList<Token>();
        int depth = 0;
        int i = Scanner.firstNonSpace(text, start, end);
        while (i < end) {
            Token token = at(text, i, end, depth);
            // Depth is that outside of the parenthesis, for both of a pair.
            if (token.isSign(')')) {
                depth--;
                token = new Token(token.kind, token.text, token.start, token.end, depth);
            } else if (token.isSign('(')) {
                depth++;
            }
            tokens.add(token);
            i = Scanner.firstNonSpace(text, token.end, end);
        }
        return tokens;
    }

    private static Token at(String text, int start, int limit, int depth) {
        char c = text.charAt(start);
        if (c == '\'' || c == '"' || c == '`') {
            int end = quoteEnd(text, start, limit);
            Kind kind = c == '\'' ? Kind.STRING : Kind.QUOTED_NAME;
            return new Token(kind, unquoted(text, start, end), start, end, depth);
        }
        if (Names.isPart(c)) {
            int end = Math.min(Names.end(text, start), limit);
            return new Token(Kind.WORD, text.substring(start, end), start, end, depth);
        }
        // A question mark without a name is a sign; what it means there is for the reader of the query.
        if (c == '?' && start + 1 < limit && Names.isStart(text.charAt(start + 1))) {
            int end = Math.min(Names.end(text, start + 1), limit);
            return new Token(Kind.PARAMETER, text.substring(start + 1, end), start, end, depth);
        }
        return new Token(Kind.SIGN, text.substring(start, start + 1), start, start + 1, depth);
    }

    private static int quoteEnd(String text, int start, int limit) {
        char quote = text.charAt(start);
        int i = start + 1;
        while (i < limit) {
            if (text.charAt(i) != quote) {
                i++;
                // A quote within quotes stands twice; backslashes have been refused before.
            } else if (i + 1 < limit && text.charAt(i + 1) == quote) {
                i += 2;
            } else {
                return i + 1;
            }
        }
        return limit;
    }

    private static String unquoted(String text, int start, int end) {
        String quote = text.substring(start, start + 1);
        return text.substring(start + 1, Math.max(start + 1, end - 1)).replace(quote + quote, quote);
    }
}
