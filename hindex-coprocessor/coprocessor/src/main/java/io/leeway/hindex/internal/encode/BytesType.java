package io.leeway.hindex.internal.encode;

/**
 * Bytes of any length, in unsigned order, which is HBase's own. No cell is malformed, and so none is left out of the
 * index.
 */
final class BytesType extends ValueType {

    BytesType() {
        super("bytes", byte[].class, JsonKind.NONE);
    }

    @Override
    boolean hasPrefixes() {
        return true;
    }

    @Override
    boolean fromCell(byte[] cell, int offset, int length, KeyWriter out) {
        Escaped.put(cell, offset, length, out);
        return true;
    }

    /** There is no text form of bytes that everybody would agree on. */
    @Override
    boolean fromText(String text, KeyWriter out) {
        return false;
    }

    @Override
    void fromValue(Object value, KeyWriter out) {
        byte[] bytes = bytes(value);
        Escaped.put(bytes, 0, bytes.length, out);
    }

    @Override
    void fromPrefix(Object prefix, KeyWriter out) {
        byte[] bytes = bytes(prefix);
        Escaped.putOpen(bytes, 0, bytes.length, out);
    }

    @Override
    int end(byte[] key, int from, int to, int mask) {
        return Escaped.end(key, from, to, mask);
    }

    @Override
    Object value(byte[] key, int from, int to) {
        return Escaped.value(key, from, to);
    }

    private static byte[] bytes(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        throw new IllegalArgumentException("not a value of type bytes: " + value + "; give a byte[]");
    }
}
