package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values as text: {@code NULL}, {@code TRUE}, {@code 5}, {@code 'Post'}, {@code timestamp'2024-05-01T12:00'}.
 *
 * <p>A value that is read back as another one would make a template that nobody has proved. So what is written is read
 * back first, and what does not come out the same has no text.
 */
final class Literals {

    private static final String NULL = "NULL";
    private static final String TRUE = "TRUE";
    private static final String FALSE = "FALSE";

    private Literals() {}

    /** The text of a value, or null if it has none that would be read back as the same value. */
    static @Nullable String print(Value value) {
        return switch (value.kind()) {
            case NULL -> NULL;
            case BOOLEAN -> Value.TRUE.equals(value) ? TRUE : FALSE;
            case NUMBER -> value.raw().toString();
            case TEXT -> value.raw() instanceof String text ? Quoting.quoted(text, '\'') : null;
            // Other opaque values are objects of one execution, which mean nothing in a file.
            case OPAQUE -> value.raw() instanceof String ? typed(value) : null;
            default -> typed(value);
        };
    }

    private static @Nullable String typed(Value value) {
        String text = value.raw().toString();
        try {
            return value.equals(Value.of(value.kind(), raw(value.kind(), text)))
                    ? value.kind().name().toLowerCase(Locale.ROOT) + Quoting.quoted(text, '\'')
                    : null;
        } catch (DateTimeException | IllegalArgumentException otherForm) {
            return null;
        }
    }

    /** A value that is a single word, or null. */
    static @Nullable Value ofWord(String word) {
        return switch (word.toUpperCase(Locale.ROOT)) {
            case NULL -> Value.NULL;
            case TRUE -> Value.TRUE;
            case FALSE -> Value.FALSE;
            default -> null;
        };
    }

    static Value ofNumber(String digits) {
        return Value.of(new BigDecimal(digits));
    }

    /**
     * A value with its type before it.
     *
     * @throws IllegalArgumentException if there is no such type, or the text is none of it
     */
    static Value ofTyped(String type, String text) {
        try {
            ValueKind kind = ValueKind.valueOf(type.toUpperCase(Locale.ROOT));
            return Value.of(kind, raw(kind, text));
        } catch (DateTimeException notOfTheType) {
            throw new IllegalArgumentException(notOfTheType);
        }
    }

    private static Object raw(ValueKind kind, String text) {
        return switch (kind) {
            case UUID -> UUID.fromString(text);
            case DATE -> LocalDate.parse(text);
            case TIME -> LocalTime.parse(text);
            case TIMESTAMP -> LocalDateTime.parse(text);
            case INSTANT -> Instant.parse(text);
            case BYTES, OPAQUE -> text;
            default -> throw new IllegalArgumentException("no type that is written before its value");
        };
    }
}
