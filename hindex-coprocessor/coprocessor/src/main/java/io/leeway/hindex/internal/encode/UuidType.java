package io.leeway.hindex.internal.encode;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * UUIDs, written as sixteen bytes or as text of 36 characters; in the order of their text.
 *
 * <p>{@code UUID.compareTo} has another order, with signed halves; that of the text is what people see.
 */
final class UuidType extends FixedType {

    private static final int WIDTH = 16;
    private static final int TEXT = 36;

    UuidType() {
        super("uuid", UUID.class, JsonKind.STRING, WIDTH);
    }

    @Override
    boolean fromCell(byte[] cell, int offset, int length, KeyWriter out) {
        if (length == WIDTH) {
            out.put(cell, offset, length);
            return true;
        }
        return length == TEXT && fromText(new String(cell, offset, length, StandardCharsets.ISO_8859_1), out);
    }

    /** Java's parser takes shorter groups too, of which several texts would be one value. */
    @Override
    boolean fromText(String text, KeyWriter out) {
        if (text.length() != TEXT) {
            return false;
        }
        try {
            fromValue(UUID.fromString(text), out);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    void fromValue(Object value, KeyWriter out) {
        if (!(value instanceof UUID uuid)) {
            throw new IllegalArgumentException("not a value of type uuid: " + value + "; give a UUID");
        }
        out.putNumber(uuid.getMostSignificantBits(), Long.BYTES);
        out.putNumber(uuid.getLeastSignificantBits(), Long.BYTES);
    }

    @Override
    Object value(byte[] key, int from, int to) {
        return new UUID(number(key, from, Long.BYTES), number(key, from + Long.BYTES, Long.BYTES));
    }
}
