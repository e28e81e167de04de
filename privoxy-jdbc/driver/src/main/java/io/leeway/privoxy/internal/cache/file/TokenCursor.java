package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.file.Token.Kind;
import java.util.List;

/** Reads tokens one after the other, and says what was expected where something else stands. Not thread-safe. */
final class TokenCursor {

    private final List<Token> tokens;
    private int position;

    TokenCursor(List<Token> tokens) {
        this.tokens = tokens;
    }

    int position() {
        return position;
    }

    void moveTo(int earlierOrLater) {
        position = earlierOrLater;
    }

    Token peek() {
        return tokens.get(position);
    }

    Token peekSecond() {
        return tokens.get(Math.min(position + 1, tokens.size() - 1));
    }

    /** The end is never passed, so that no reader has to ask for it. */
    Token take() {
        Token token = tokens.get(position);
        if (token.kind() != Kind.END) {
            position++;
        }
        return token;
    }

    Token take(Kind kind, String expected) throws TemplateSyntaxException {
        if (peek().kind() != kind) {
            throw expected(expected);
        }
        return take();
    }

    /** Takes the words if they stand here in this order. */
    boolean takeWords(String... words) {
        for (int i = 0; i < words.length; i++) {
            int index = Math.min(position + i, tokens.size() - 1);
            if (!tokens.get(index).isWord(words[i])) {
                return false;
            }
        }
        position += words.length;
        return true;
    }

    void expectWords(String... words) throws TemplateSyntaxException {
        for (String word : words) {
            if (!takeWords(word)) {
                throw expected(word);
            }
        }
    }

    boolean takeSymbol(String symbol) {
        boolean stands = peek().isSymbol(symbol);
        position += stands ? 1 : 0;
        return stands;
    }

    void expectSymbol(String symbol) throws TemplateSyntaxException {
        if (!takeSymbol(symbol)) {
            throw expected("'" + symbol + "'");
        }
    }

    /** A plain or quoted name. */
    String name(String expected) throws TemplateSyntaxException {
        if (peek().kind() != Kind.WORD && peek().kind() != Kind.QUOTED) {
            throw expected(expected);
        }
        return take().text();
    }

    TemplateSyntaxException expected(String what) {
        return error(what + " expected instead of " + peek().described());
    }

    TemplateSyntaxException error(String message) {
        return new TemplateSyntaxException(peek().line(), peek().column(), message);
    }
}
