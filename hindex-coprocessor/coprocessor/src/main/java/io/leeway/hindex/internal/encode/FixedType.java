package io.leeway.hindex.internal.encode;

/**
 * A type whose keys all have the same width, which delimits them. What the bytes are does not matter for that, so a
 * mask does not either.
 */
abstract class FixedType extends ValueType {

    private final int width;

    FixedType(String name, Class<?> javaType, JsonKind json, int width) {
        super(name, javaType, json);
        this.width = width;
    }

    final int width() {
        return width;
    }

    @Override
    final int end(byte[] key, int from, int to, int mask) {
        return to - from < width ? -1 : from + width;
    }

    /** The number in big-endian bytes, as HBase's {@code Bytes} writes it. */
    static long number(byte[] bytes, int offset, int width) {
        long value = 0;
        for (int i = 0; i < width; i++) {
            value = value << 8 | bytes[offset + i] & 0xFF;
        }
        return value;
    }
}
