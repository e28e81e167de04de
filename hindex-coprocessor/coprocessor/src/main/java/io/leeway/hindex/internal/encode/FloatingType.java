package io.leeway.hindex.internal.encode;

/**
 * Binary floating point as HBase's {@code Bytes} writes it, in IEEE 754's total order: -NaN, -infinity, ..., -0.0, 0.0,
 * ..., infinity, NaN. Minus nought and nought are two values.
 *
 * <p>That every bit pattern has its place means that no cell of the right width is malformed, and that equal keys are
 * equal cells. Java's own comparison takes all NaN for one.
 */
final class FloatingType extends FixedType {

    private FloatingType(String name, Class<?> javaType, int width) {
        super(name, javaType, JsonKind.NUMBER, width);
    }

    static ValueType ofDouble() {
        return new FloatingType("double", Double.class, Double.BYTES);
    }

    static ValueType ofFloat() {
        return new FloatingType("float", Float.class, Float.BYTES);
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
        putBits(number(cell, offset, length), out);
        return true;
    }

    /** Rounded to what the type can hold: a document's 0.1 has the key of the double that Java makes of 0.1. */
    @Override
    boolean fromText(String text, KeyWriter out) {
        try {
            fromValue(isDouble() ? (Number) Double.valueOf(text) : (Number) Float.valueOf(text), out);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @Override
    void fromValue(Object value, KeyWriter out) {
        if (!javaType().isInstance(value)) {
            throw new IllegalArgumentException("not a value of type " + name() + ": " + value + "; give a "
                    + javaType().getSimpleName());
        }
        long bits = isDouble()
                ? Double.doubleToRawLongBits((Double) value)
                : Float.floatToRawIntBits((Float) value) & 0xFFFFFFFFL;
        putBits(bits, out);
    }

    @Override
    Object value(byte[] key, int from, int to) {
        long stored = number(key, from, width());
        long bits = (stored & signBit()) != 0 ? stored ^ signBit() : ~stored;
        return isDouble() ? (Object) Double.longBitsToDouble(bits) : (Object) Float.intBitsToFloat((int) bits);
    }

    /** Positive: above all negative ones. Negative: the greater the number of the bits, the smaller the value. */
    private void putBits(long bits, KeyWriter out) {
        out.putNumber((bits & signBit()) != 0 ? ~bits : bits | signBit(), width());
    }

    /** The highest bit of the width: below 64 bits a number has none of its own in a long. */
    private long signBit() {
        return 1L << (8 * width() - 1);
    }

    private boolean isDouble() {
        return width() == Double.BYTES;
    }
}
