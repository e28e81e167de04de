package io.leeway.hindex.internal.plan;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Two states of a row may agree in key and timestamp and differ in what is covered, as when a covered cell that is not the
 * newest is deleted. Their entries must not take each other's place, and one must not be removed for the other: so the
 * qualifier of an entry that covers something has a digest of what it covers.
 */
/**
 * How covered values stand in an entry: each after its length, four bytes, which is -1 where there is none.
 *
 * <p>The form is stored, and so is the digest. Without state.
 */
final class CoveredValues {

    /** Bytes of SHA-256; enough that two states of one key and timestamp do not share them. */
    private static final int DIGEST = 16;

    private static final int ABSENT = -1;

    private CoveredValues() {}

    static byte[] encode(RowState state, int[] columns) {
        int length = 0;
        for (int column : columns) {
            length += Integer.BYTES + length(state.value(column));
        }
        ByteBuffer content = ByteBuffer.allocate(length);
        for (int column : columns) {
            byte[] value = state.value(column);
            content.putInt(value == null ? ABSENT : value.length);
            if (value != null) {
                content.put(value);
            }
        }
        return content.array();
    }

    private static int length(byte @Nullable [] value) {
        return value == null ? 0 : value.length;
    }

    static List<byte @Nullable []> decode(byte[] content, int columns) {
        var values = new ArrayList<byte @Nullable []>(columns);
        ByteBuffer rest = ByteBuffer.wrap(content);
        try {
            for (int i = 0; i < columns; i++) {
                int length = rest.getInt();
                // Before anything is made: a damaged length must not ask for gigabytes.
                if (length > rest.remaining()) {
                    throw new BufferUnderflowException();
                }
                byte[] value = length == ABSENT ? null : new byte[length];
                if (value != null) {
                    rest.get(value);
                }
                values.add(value);
            }
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw new IllegalArgumentException(
                    "an entry of " + content.length + " bytes does not cover " + columns
                            + " columns; the definition was changed without building the index anew",
                    e);
        }
        return values;
    }

    /** A qualifier that begins so, for these values. */
    static byte[] qualifier(byte[] start, byte[] content) {
        byte[] digest = sha256().digest(content);
        byte[] qualifier = Arrays.copyOf(start, start.length + DIGEST);
        System.arraycopy(digest, 0, qualifier, start.length, DIGEST);
        return qualifier;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
