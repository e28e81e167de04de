package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * Makes values for counterexamples: small, readable, and different from all others. Not thread-safe.
 *
 * <p>In examples for people: a for a text, 1 for a number, days of one year.
 */
final class FreshValues {

    private static final long START = LocalDate.of(2024, 1, 1).toEpochDay();
    private static final long SECONDS_A_DAY = 86_400;
    private static final BigDecimal NANOS = BigDecimal.TEN.pow(9);
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";

    private final Set<Object> taken = new HashSet<>();
    private int number;

    /** Positions count as taken, too: a fresh number must not be one that an order has fixed. */
    FreshValues(Collection<Value> known, Collection<BigDecimal> positions) {
        for (Value value : known) {
            // Without regard to case: under a collation without cases 'A' would be the known 'a'.
            taken.add(value.raw() instanceof String text ? text.toLowerCase(Locale.ROOT) : value);
        }
        positions.forEach(position -> taken.add(Value.of(position)));
    }

    /** A value of the kind that is nowhere else. */
    Value next(ValueKind kind) {
        if (kind == ValueKind.BOOLEAN || kind == ValueKind.NULL || kind == ValueKind.OPAQUE) {
            // A third truth value, or a value of a type that nobody can write down.
            throw new UnreadableModel("there is no further value of this kind");
        }
        Value value;
        do {
            number++;
            value = numbered(kind, number);
        } while (!taken.add(value.raw() instanceof String text ? text : value));
        return value;
    }

    private static Value numbered(ValueKind kind, int number) {
        return switch (kind) {
            case NUMBER -> Value.of(number);
            case UUID -> Value.of(kind, new UUID(0, number));
            case BYTES -> Value.of(kind, String.format(Locale.ROOT, "%02x", number));
            case TEXT -> Value.of(text(number));
            default -> at(kind, BigDecimal.valueOf(kind == ValueKind.DATE ? START + number : seconds(kind, number)));
        };
    }

    private static long seconds(ValueKind kind, int number) {
        return kind == ValueKind.TIME ? number : START * SECONDS_A_DAY + number;
    }

    private static String text(int number) {
        String letter = LETTERS.substring(number % LETTERS.length(), number % LETTERS.length() + 1);
        return number < LETTERS.length() ? letter : letter + number / LETTERS.length();
    }

    /**
     * The value at a position, the inverse of {@link Ordering#position}.
     *
     * <p>Exact or not at all: a position between two values of the type is no value.
     */
    static Value at(ValueKind kind, BigDecimal position) {
        return switch (kind) {
            case NUMBER -> Value.of(position);
            case DATE -> Value.of(kind, LocalDate.ofEpochDay(position.longValueExact()));
            case TIME ->
                Value.of(kind, LocalTime.ofNanoOfDay(position.multiply(NANOS).longValueExact()));
            case TIMESTAMP ->
                Value.of(kind, LocalDateTime.ofEpochSecond(seconds(position), nanos(position), ZoneOffset.UTC));
            case INSTANT -> Value.of(kind, Instant.ofEpochSecond(seconds(position), nanos(position)));
            default -> throw new UnreadableModel("values of this kind have no position");
        };
    }

    private static long seconds(BigDecimal position) {
        return position.setScale(0, RoundingMode.FLOOR).longValueExact();
    }

    private static int nanos(BigDecimal position) {
        return position.subtract(BigDecimal.valueOf(seconds(position)))
                .multiply(NANOS)
                .intValue();
    }

    /**
     * A value for a column that nothing looks at.
     *
     * <p>For columns that no condition, key or reference reads.
     */
    static Value any(ValueKind kind) {
        return switch (kind) {
            case BOOLEAN -> Value.FALSE;
            case OPAQUE, NULL -> Value.of(ValueKind.OPAQUE, "?");
            case NUMBER -> Value.of(0);
            case TEXT -> Value.of("");
            default -> numbered(kind, 0);
        };
    }
}
