package io.leeway.privoxy.internal.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;

/**
 * A concrete value in canonical form: {@code equals} means "the same value in every database", and two unequal values
 * count as different only where {@link #isKnownToDifferFrom} says so.
 *
 * <p>Immutable and thread-safe.
 *
 * @param kind family of the value
 * @param raw canonical Java object: {@link Long} or {@link BigDecimal} for numbers (whole numbers that fit are always a
 *     {@code Long}, others have no trailing zeros), {@link Boolean}, {@link String}, {@link java.util.UUID}, or a
 *     {@code java.time} object; for {@link ValueKind#NULL} the kind itself
 */
public record Value(ValueKind kind, Object raw) {

    /** The SQL null. */
    public static final Value NULL = new Value(ValueKind.NULL, ValueKind.NULL);
    /** SQL TRUE. */
    public static final Value TRUE = new Value(ValueKind.BOOLEAN, Boolean.TRUE);
    /** SQL FALSE. */
    public static final Value FALSE = new Value(ValueKind.BOOLEAN, Boolean.FALSE);

    private static final int MOST_DIGITS = 200_000;
    private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

    public Value {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(raw, "raw");
    }

    /** A whole number. */
    public static Value of(long number) {
        return new Value(ValueKind.NUMBER, number);
    }

    /** A string that the database compares by its characters. */
    public static Value of(String text) {
        return new Value(ValueKind.TEXT, text);
    }

    /** TRUE or FALSE. */
    public static Value of(boolean truth) {
        return truth ? TRUE : FALSE;
    }

    /**
     * A number in canonical form: 5, 5.0 and 5E0 are one value. One of more digits than any database holds, which nobody
     * is to write out, is known only to be the same as itself.
     */
    public static Value of(BigDecimal number) {
        if (number.signum() == 0) {
            return of(0L);
        }
        if (Math.abs((long) number.scale()) > MOST_DIGITS || number.precision() > MOST_DIGITS) {
            return new Value(ValueKind.OPAQUE, number);
        }
        BigDecimal stripped = number.stripTrailingZeros();
        if (stripped.scale() <= 0 && stripped.precision() - stripped.scale() <= 19) {
            BigInteger whole = stripped.toBigIntegerExact();
            if (whole.compareTo(MIN_LONG) >= 0 && whole.compareTo(MAX_LONG) <= 0) {
                return of(whole.longValue());
            }
        }
        return new Value(ValueKind.NUMBER, stripped);
    }

    /** A value of a kind without special form; {@code raw} must have value equality. */
    public static Value of(ValueKind kind, Object raw) {
        return new Value(kind, raw);
    }

    public boolean isNull() {
        return kind == ValueKind.NULL;
    }

    /** Whether the two are different values in every database (never claimed across kinds, or for opaque values). */
    public boolean isKnownToDifferFrom(Value other) {
        if (equals(other)) {
            return false;
        }
        if (isNull() || other.isNull()) {
            return true;
        }
        return kind == other.kind && kind != ValueKind.OPAQUE;
    }

    /**
     * Whether {@link #compareOrdered} may be asked: both are numbers, or both dates or times of one Java type. (The order
     * of texts is the collation's, which the checker does not know.)
     */
    public boolean isOrderedWith(Value other) {
        return kind == other.kind
                && switch (kind) {
                    case NUMBER -> true;
                    case DATE, TIME, TIMESTAMP, INSTANT ->
                        raw instanceof Comparable<?> && raw.getClass() == other.raw.getClass();
                    default -> false;
                };
    }

    /** The database's order of two values for which {@link #isOrderedWith} holds. */
    @SuppressWarnings("unchecked")
    public int compareOrdered(Value other) {
        if (kind != ValueKind.NUMBER) {
            return ((Comparable<Object>) raw).compareTo(other.raw);
        }
        if (raw instanceof Long a && other.raw instanceof Long b) {
            return Long.compare(a, b);
        }
        return decimal().compareTo(other.decimal());
    }

    private BigDecimal decimal() {
        return raw instanceof Long whole ? BigDecimal.valueOf(whole) : (BigDecimal) raw;
    }

    /** For proofs and tests only: shows data. Never to be put into a log or an exception message. */
    @Override
    public String toString() {
        return switch (kind) {
            case NULL -> "NULL";
            case NUMBER, BOOLEAN -> raw.toString();
            default -> "'" + raw + "'";
        };
    }
}
