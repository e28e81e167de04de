package io.leeway.hindex.internal.encode;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;

/**
 * Dates and times: written as ISO 8601 text, or instants as milliseconds since 1970 in eight bytes. Keys are numbers:
 * texts of one moment differ by their zones and their digits, and years beyond four digits are not in the order of
 * their text.
 */
abstract class TimeType<T> extends FixedType {

    /** The longest ISO text of any of these types, with room. */
    private static final int MAX_TEXT = 64;

    private final Class<T> type;

    private TimeType(String name, Class<T> type, int width) {
        super(name, type, JsonKind.STRING, width);
        this.type = type;
    }

    static ValueType date() {
        return new TimeType<>("date", LocalDate.class, Long.BYTES) {
            @Override
            void put(LocalDate value, KeyWriter out) {
                out.putNumber(value.toEpochDay() ^ Long.MIN_VALUE, Long.BYTES);
            }

            @Override
            LocalDate parse(String text) {
                return LocalDate.parse(text);
            }

            @Override
            Object value(byte[] key, int from, int to) {
                return LocalDate.ofEpochDay(number(key, from, Long.BYTES) ^ Long.MIN_VALUE);
            }
        };
    }

    static ValueType time() {
        return new TimeType<>("time", LocalTime.class, Long.BYTES) {
            @Override
            void put(LocalTime value, KeyWriter out) {
                out.putNumber(value.toNanoOfDay(), Long.BYTES);
            }

            @Override
            LocalTime parse(String text) {
                return LocalTime.parse(text);
            }

            @Override
            Object value(byte[] key, int from, int to) {
                return LocalTime.ofNanoOfDay(number(key, from, Long.BYTES));
            }
        };
    }

    /**
     * Seconds and nanoseconds, so that no instant of Java's is cut off; with an offset in the text, since without one
     * it is no moment.
     */
    static ValueType dateTime() {
        return new TimeType<>("datetime", Instant.class, Long.BYTES + Integer.BYTES) {
            @Override
            void put(Instant value, KeyWriter out) {
                out.putNumber(value.getEpochSecond() ^ Long.MIN_VALUE, Long.BYTES);
                out.putNumber(value.getNano(), Integer.BYTES);
            }

            @Override
            Instant parse(String text) {
                return OffsetDateTime.parse(text).toInstant();
            }

            @Override
            Object value(byte[] key, int from, int to) {
                long seconds = number(key, from, Long.BYTES) ^ Long.MIN_VALUE;
                return Instant.ofEpochSecond(seconds, number(key, from + Long.BYTES, Integer.BYTES));
            }
        };
    }

    /**
     * The only one of these whose cells are numbers, as HBase's {@code Bytes} writes them: what many applications
     * store.
     */
    static ValueType millis() {
        return new TimeType<>("millis", Instant.class, Long.BYTES) {
            @Override
            int cellWidth() {
                return Long.BYTES;
            }

            @Override
            boolean fromCell(byte[] cell, int offset, int length, KeyWriter out) {
                if (length != Long.BYTES) {
                    return false;
                }
                out.putNumber(number(cell, offset, length) ^ Long.MIN_VALUE, Long.BYTES);
                return true;
            }

            @Override
            void put(Instant value, KeyWriter out) {
                out.putNumber(value.toEpochMilli() ^ Long.MIN_VALUE, Long.BYTES);
            }

            @Override
            Instant parse(String text) {
                return OffsetDateTime.parse(text).toInstant();
            }

            @Override
            Object value(byte[] key, int from, int to) {
                return Instant.ofEpochMilli(number(key, from, Long.BYTES) ^ Long.MIN_VALUE);
            }
        };
    }

    abstract void put(T value, KeyWriter out);

    /** May throw for what is none; that is the answer. */
    abstract T parse(String text);

    /** All characters of these texts are ASCII; what is not becomes something that cannot be parsed. */
    @Override
    boolean fromCell(byte[] cell, int offset, int length, KeyWriter out) {
        return length <= MAX_TEXT && fromText(new String(cell, offset, length, StandardCharsets.ISO_8859_1), out);
    }

    @Override
    final boolean fromText(String text, KeyWriter out) {
        try {
            put(parse(text), out);
            return true;
        } catch (DateTimeException | ArithmeticException e) {
            return false;
        }
    }

    @Override
    final void fromValue(Object value, KeyWriter out) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    "not a value of type " + name() + ": " + value + "; give a " + type.getSimpleName());
        }
        try {
            put(type.cast(value), out);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("out of the bounds of type " + name() + ": " + value, e);
        }
    }
}
