package io.leeway.hindex.internal.encode;

import java.util.Arrays;

/**
 * A fixed number of bytes, in unsigned order. The width delimits them, so that keys are as long as cells: two bytes
 * less than for bytes of any length, and no escapes.
 */
final class FixedBytesType extends FixedType {

    FixedBytesType(int width) {
        super("fixed(" + width + ")", byte[].class, JsonKind.NONE, width);
    }

    @Override
    int cellWidth() {
        return width();
    }

    @Override
    boolean hasPrefixes() {
        return true;
    }

    @Override
    boolean fromCell(byte[] cell, int offset, int length, KeyWriter out) {
        if (length != width()) {
            return false;
        }
        out.put(cell, offset, length);
        return true;
    }

    @Override
    boolean fromText(String text, KeyWriter out) {
        return false;
    }

    @Override
    void fromValue(Object value, KeyWriter out) {
        if (!(value instanceof byte[] bytes) || !fromCell(bytes, 0, bytes.length, out)) {
            throw new IllegalArgumentException(
                    "not a value of type " + name() + "; give a byte[] of " + width() + " bytes");
        }
    }

    @Override
    void fromPrefix(Object prefix, KeyWriter out) {
        if (!(prefix instanceof byte[] bytes) || bytes.length > width()) {
            throw new IllegalArgumentException(
                    "not a prefix of type " + name() + "; give a byte[] of at most " + width() + " bytes");
        }
        out.put(bytes, 0, bytes.length);
    }

    @Override
    Object value(byte[] key, int from, int to) {
        return Arrays.copyOfRange(key, from, to);
    }
}
