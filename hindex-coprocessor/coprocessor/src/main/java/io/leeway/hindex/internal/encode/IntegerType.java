package io.leeway.hindex.internal.encode;

/**
 * Signed integers of one to eight bytes, as HBase's {@code Bytes} writes them. The key has the sign bit turned round.
 *
 * <p>So negative numbers, whose first bit is set, come before the others in unsigned order.
 */
final class IntegerType extends FixedType {

    private final long min;
    private final long max;
    /** Queries return the class that the column's type promises. */
    private final Boxing boxing;

    private IntegerType(String name, Class<?> javaType, int width, Boxing boxing) {
        super(name, javaType, JsonKind.NUMBER, width);
        this.max = -1L >>> (65 - 8 * width);
        this.min = -max - 1;
        this.boxing = boxing;
    }

    static ValueType ofLong() {
        return new IntegerType("long", Long.class, Long.BYTES, value -> value);
    }

    static ValueType ofInt() {
        return new IntegerType("int", Integer.class, Integer.BYTES, value -> (int) value);
    }

    static ValueType ofShort() {
        return new IntegerType("short", Short.class, Short.BYTES, value -> (short) value);
    }

    static ValueType ofByte() {
        return new IntegerType("byte", Byte.class, Byte.BYTES, value -> (byte) value);
    }

    @Override
    int cellWidth() {
        return width();
    }

    @Override
    boolean fromCell(byte[] cell, int offset, int length, KeyWriter out) {
        if (length != width()) {
            return false;
        }
        out.putNumber(number(cell, offset, length) ^ min, length);
        return true;
    }

    @Override
    boolean fromText(String text, KeyWriter out) {
        try {
            return put(Long.parseLong(text), out);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @Override
    void fromValue(Object value, KeyWriter out) {
        if (!isInteger(value) || !put(((Number) value).longValue(), out)) {
            throw new IllegalArgumentException("not a value of type " + name() + ": " + value
                    + "; give a whole number from " + min + " to " + max);
        }
    }

    @Override
    Object value(byte[] key, int from, int to) {
        int unused = 64 - 8 * width();
        return boxing.box((number(key, from, width()) ^ min) << unused >> unused);
    }

    private boolean put(long value, KeyWriter out) {
        if (value < min || value > max) {
            return false;
        }
        out.putNumber(value ^ min, width());
        return true;
    }

    /** A value in a query may be of any width; whether it fits is looked at afterwards. */
    private static boolean isInteger(Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
    }

    private interface Boxing {
        Object box(long value);
    }
}
