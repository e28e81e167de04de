package io.leeway.hindex.internal.cli;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.apache.hadoop.hbase.util.Bytes;

/** Values of indexed columns as words of a command line. */
final class ValueText {

    private static final Map<Class<?>, Kind> KINDS = kinds();

    private ValueText() {}

    private record Kind(Function<String, Object> reader, String example) {}

    private static Map<Class<?>, Kind> kinds() {
        var kinds = new LinkedHashMap<Class<?>, Kind>();
        kinds.put(String.class, new Kind(text -> text, "Oslo"));
        kinds.put(byte[].class, new Kind(Bytes::toBytesBinary, "abc\\x00"));
        kinds.put(Long.class, new Kind(Long::valueOf, "12"));
        kinds.put(Integer.class, new Kind(Integer::valueOf, "12"));
        kinds.put(Short.class, new Kind(Short::valueOf, "12"));
        kinds.put(Byte.class, new Kind(Byte::valueOf, "12"));
        kinds.put(Double.class, new Kind(Double::valueOf, "1.5"));
        kinds.put(Float.class, new Kind(Float::valueOf, "1.5"));
        kinds.put(BigDecimal.class, new Kind(BigDecimal::new, "1.50"));
        kinds.put(Boolean.class, new Kind(ValueText::truth, "true"));
        kinds.put(LocalDate.class, new Kind(LocalDate::parse, "2026-01-31"));
        kinds.put(LocalTime.class, new Kind(LocalTime::parse, "17:30:00"));
        kinds.put(Instant.class, new Kind(ValueText::instant, "2026-01-31T17:30:00Z"));
        kinds.put(UUID.class, new Kind(UUID::fromString, "01234567-89ab-cdef-0123-456789abcdef"));
        return kinds;
    }

    private static Object truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(text);
        }
        return text.equals("true");
    }

    private static Instant instant(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    /**
     * The value that a word says.
     *
     * @throws IllegalArgumentException saying what it may look like
     */
    static Object read(Class<?> type, String text) {
        Kind kind = KINDS.get(type);
        if (kind == null) {
            throw new IllegalStateException("values of " + type + " cannot be given in words");
        }
        try {
            return kind.reader.apply(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException("write for instance " + kind.example, e);
        }
    }

    /**
     * A point in time: milliseconds since 1970, or text.
     *
     * @throws IllegalArgumentException saying what it may look like
     */
    static long time(String text) {
        try {
            return text.matches("[0-9]{1,18}")
                    ? Long.parseLong(text)
                    : instant(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "write for instance 2026-01-31T17:30:00Z, or milliseconds since 1970", e);
        }
    }

    /** What bytes look like: printable ASCII as it is, others as {@code \xNN}. */
    static String ofBytes(byte[] bytes) {
        return Bytes.toStringBinary(bytes);
    }

    /**
     * What a value looks like that stays in its line and field: with {@code \\t}, {@code \\n}, {@code \\r} and
     * {@code \\\\}.
     */
    static String line(Object value) {
        return value instanceof byte[] bytes
                ? ofBytes(bytes)
                : String.valueOf(value)
                        .replace("\\", "\\\\")
                        .replace("\t", "\\t")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r");
    }

    /** What a value looks like. */
    static String of(Object value) {
        return value instanceof byte[] bytes ? ofBytes(bytes) : String.valueOf(value);
    }
}
