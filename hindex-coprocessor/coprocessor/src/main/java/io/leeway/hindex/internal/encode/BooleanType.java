package io.leeway.hindex.internal.encode;

/**
 * One byte, nought for false, as HBase's {@code Bytes} writes it. Whatever else HBase reads as true is one value here
 * too, so that equal values have equal keys.
 */
final class BooleanType extends FixedType {

    BooleanType() {
        super("boolean", Boolean.class, JsonKind.BOOLEAN, 1);
    }

    @Override
    int cellWidth() {
        return 1;
    }

    @Override
    boolean fromCell(byte[] cell, int offset, int length, KeyWriter out) {
        if (length != 1) {
            return false;
        }
        out.put(cell[offset] == 0 ? 0 : 1);
        return true;
    }

    @Override
    boolean fromText(String text, KeyWriter out) {
        boolean isTrue = text.equals("true");
        out.put(isTrue ? 1 : 0);
        return isTrue || text.equals("false");
    }

    @Override
    void fromValue(Object value, KeyWriter out) {
        if (!(value instanceof Boolean truth)) {
            throw new IllegalArgumentException("not a value of type boolean: " + value + "; give a Boolean");
        }
        out.put(truth ? 1 : 0);
    }

    @Override
    Object value(byte[] key, int from, int to) {
        return key[from] != 0;
    }
}
