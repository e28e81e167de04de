package io.leeway.hindex.internal.encode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Decimals as HBase's {@code Bytes} writes them: scale, then the unscaled value. 1.0 and 1.00 are one value.
 *
 * <p>The key is the sign (1, 2 for nought, 3), the exponent of 0.d1d2... and the digits in pairs, each plus one, ended
 * by a nought. All but the sign is turned round for negative values. Exponents from -64 to 63 take one byte, others
 * six.
 */
final class DecimalType extends ValueType {

    /**
     * About a thousand digits: beyond, turning binary into decimal costs more than a write should.
     *
     * <p>That grows with the square of the digits. Longer ones are malformed.
     */
    static final int MAX_UNSCALED_BYTES = 420;

    /** Signs, in the order of the values. Stored, as all numbers here. */
    private static final int NEGATIVE = 1;

    private static final int ZERO = 2;
    private static final int POSITIVE = 3;
    /** Exponents from minus this up to this take one byte: nearly all that anybody writes. */
    private static final int SMALL_EXPONENT = 64;
    /** Before an exponent of five bytes that is below all small ones. */
    private static final int BELOW = 0x3F;
    /** The byte of the smallest small exponent; 128 of them, up to {@link #ABOVE}. */
    private static final int FIRST_SMALL = 0x40;
    /** Before an exponent of five bytes that is above all small ones. */
    private static final int ABOVE = 0xC0;
    /** Bytes of a wide exponent. Four are not enough: the scale has 32 bits, and the number of digits is taken off. */
    private static final int WIDE = 5;
    /** Added, so that wide exponents are positive and in the order of their bytes. */
    private static final long WIDE_BIAS = 1L << 39;

    DecimalType() {
        super("decimal", BigDecimal.class, JsonKind.NUMBER);
    }

    /** A scale alone is no number. */
    @Override
    boolean fromCell(byte[] cell, int offset, int length, KeyWriter out) {
        int unscaled = length - Integer.BYTES;
        if (unscaled < 1 || unscaled > MAX_UNSCALED_BYTES) {
            return false;
        }
        int scale = (int) FixedType.number(cell, offset, Integer.BYTES);
        return put(new BigDecimal(new BigInteger(cell, offset + Integer.BYTES, unscaled), scale), out);
    }

    /** Looked at before it is parsed: a document may have a number of a million digits. */
    @Override
    boolean fromText(String text, KeyWriter out) {
        if (text.length() > 2 * MAX_UNSCALED_BYTES) {
            return false;
        }
        try {
            return put(new BigDecimal(text), out);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @Override
    void fromValue(Object value, KeyWriter out) {
        if (!put(decimal(value), out)) {
            throw new IllegalArgumentException("decimal of too many digits; give at most 1000");
        }
    }

    /** Two masks: that of a descending column for the sign, and in the rest also that of a negative value. */
    @Override
    int end(byte[] key, int from, int to, int mask) {
        if (from >= to) {
            return -1;
        }
        int sign = (key[from] ^ mask) & 0xFF;
        if (sign == ZERO) {
            return from + 1;
        }
        if (sign != NEGATIVE && sign != POSITIVE || from + 1 >= to) {
            return -1;
        }
        int inner = sign == NEGATIVE ? mask ^ 0xFF : mask;
        int exponent = (key[from + 1] ^ inner) & 0xFF;
        int digits = from + 2 + (exponent < FIRST_SMALL || exponent >= ABOVE ? WIDE : 0);
        for (int i = digits; i < to; i++) {
            // Pairs are from 1 to 100, so nought is the end and nothing else.
            if (((key[i] ^ inner) & 0xFF) == 0) {
                return i + 1;
            }
        }
        return -1;
    }

    @Override
    Object value(byte[] key, int from, int to) {
        int sign = key[from];
        if (sign == ZERO) {
            return BigDecimal.ZERO;
        }
        byte[] inner = Arrays.copyOfRange(key, from + 1, to);
        if (sign == NEGATIVE) {
            for (int i = 0; i < inner.length; i++) {
                inner[i] = (byte) ~inner[i];
            }
        }
        int first = inner[0] & 0xFF;
        boolean wide = first < FIRST_SMALL || first >= ABOVE;
        long exponent =
                wide ? FixedType.number(inner, 1, WIDE) - WIDE_BIAS : first - FIRST_SMALL - (long) SMALL_EXPONENT;
        var digits = new StringBuilder();
        for (int i = wide ? 1 + WIDE : 1; i < inner.length - 1; i++) {
            int pair = inner[i] - 1;
            digits.append((char) ('0' + pair / 10)).append((char) ('0' + pair % 10));
        }
        return signed(sign, digits, exponent);
    }

    private static BigDecimal signed(int sign, StringBuilder digits, long exponent) {
        // No number ends with a nought here, but the last pair may have been filled with one.
        if (digits.charAt(digits.length() - 1) == '0') {
            digits.setLength(digits.length() - 1);
        }
        // 1E+2147483649 can only be written as 10E+2147483648.
        while (digits.length() - exponent < Integer.MIN_VALUE) {
            digits.append('0');
        }
        var unscaled = new BigInteger(digits.toString());
        int scale = Math.toIntExact(digits.length() - exponent);
        return new BigDecimal(sign == NEGATIVE ? unscaled.negate() : unscaled, scale);
    }

    private static BigDecimal decimal(Object value) {
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        if (value instanceof BigInteger integer) {
            return new BigDecimal(integer);
        }
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return BigDecimal.valueOf(((Number) value).longValue());
        }
        throw new IllegalArgumentException("not a value of type decimal: " + value + "; give a BigDecimal");
    }

    /**
     * By sign, exponent and digits, without noughts at the end: so 1.0 and 1.00 have one key. False if there are too
     * many digits.
     */
    private static boolean put(BigDecimal value, KeyWriter out) {
        if (value.signum() == 0) {
            out.put(ZERO);
            return true;
        }
        BigInteger unscaled = value.unscaledValue().abs();
        if (unscaled.bitLength() >= 8 * MAX_UNSCALED_BYTES) {
            return false;
        }
        out.put(value.signum() < 0 ? NEGATIVE : POSITIVE);
        int start = out.length();
        String digits = unscaled.toString();
        putExponent((long) digits.length() - value.scale(), out);
        putDigits(digits, out);
        if (value.signum() < 0) {
            out.complementFrom(start);
        }
        return true;
    }

    /** The greater exponent is the greater number, since the digits begin with one that is not nought. */
    private static void putExponent(long exponent, KeyWriter out) {
        if (exponent >= -SMALL_EXPONENT && exponent < SMALL_EXPONENT) {
            out.put((int) exponent + SMALL_EXPONENT + FIRST_SMALL);
            return;
        }
        out.put(exponent < 0 ? BELOW : ABOVE);
        out.putNumber(exponent + WIDE_BIAS, WIDE);
    }

    /** The end is below all pairs, so a number stands before those that go on where it ends. */
    private static void putDigits(String digits, KeyWriter out) {
        int length = digits.length();
        while (digits.charAt(length - 1) == '0') {
            length--;
        }
        for (int i = 0; i < length; i += 2) {
            int high = digits.charAt(i) - '0';
            int low = i + 1 < length ? digits.charAt(i + 1) - '0' : 0;
            out.put(10 * high + low + 1);
        }
        out.put(0);
    }
}
