package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.file.Token.Kind;
import io.leeway.privoxy.internal.model.Value;
import org.jspecify.annotations.Nullable;

/** Reads values. */
final class LiteralParser {

    private LiteralParser() {}

    /** The value that stands here, or null if there is none. */
    static @Nullable Value take(TokenCursor cursor) throws TemplateSyntaxException {
        Token token = cursor.peek();
        try {
            return switch (token.kind()) {
                case STRING -> Value.of(cursor.take().text());
                case NUMBER -> Literals.ofNumber(cursor.take().text());
                // date'2024-05-01': a word directly before a text is its type.
                case WORD -> cursor.peekSecond().kind() == Kind.STRING ? typed(cursor) : word(cursor);
                default -> null;
            };
            // With the place, and without the value: it may be a user's.
        } catch (IllegalArgumentException noValue) {
            throw new TemplateSyntaxException(token.line(), token.column(), "not a value of this type");
        }
    }

    private static Value typed(TokenCursor cursor) {
        String type = cursor.take().text();
        return Literals.ofTyped(type, cursor.take().text());
    }

    private static @Nullable Value word(TokenCursor cursor) {
        Value value = Literals.ofWord(cursor.peek().text());
        if (value != null) {
            cursor.take();
        }
        return value;
    }
}
