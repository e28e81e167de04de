package io.leeway.lazybase.internal.merge;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What updates of one row amount to.
 *
 * <p>Updates stand newest first, from several runs or from several places of one batch. A column's value is the newest that was set, plus
 * what was added since; the row hides older runs if one of them did ({@link Batch#RESET}) and is there if the newest says so
 * ({@link Batch#EXISTS}). Both rules are associative, so that parts of a history can be resolved first and the results afterwards:
 * that is what merging does.
 */
public final class Resolver {

    private Resolver() {}

    /** Number of updates that count, newest first: up to the first that hides what is older. */
    public static int depth(byte[] flags, int count) {
        for (int i = 0; i < count; i++) {
            if ((flags[i] & Batch.RESET) != 0) {
                return i + 1;
            }
        }
        return count;
    }

    /** The flags of the result. */
    public static byte flags(byte[] flags, int depth) {
        byte result = (byte) (flags[0] & Batch.EXISTS);
        return (byte) (result | (flags[depth - 1] & Batch.RESET));
    }

    /**
     * Appends the value of one column.
     *
     * @param out where to
     * @param vectors the column at each update, newest first; null where an update's rows do not have it
     * @param rows the row at each update
     * @param flags of each update
     * @param depth number of updates that count
     * @param last whether nothing older exists, so that what is untouched is NULL and what was added is the value
     */
    public static void column(
            VectorBuilder out, @Nullable Vector[] vectors, int[] rows, byte[] flags, int depth, boolean last) {
        boolean hides = last || (flags[depth - 1] & Batch.RESET) != 0;
        long added = 0;
        boolean isAdded = false;
        for (int i = 0; i < depth; i++) {
            Vector vector = vectors[i];
            boolean hidesHere = (flags[i] & Batch.RESET) != 0;
            byte state = vector == null ? Vector.ABSENT : vector.state(rows[i]);
            if (state == Vector.SET && vector != null) {
                if (isAdded) {
                    out.addLong(vector.getLong(rows[i]) + added);
                } else {
                    out.add(vector, rows[i]);
                }
                return;
            }
            if (state == Vector.ADD && vector != null) {
                added += vector.getLong(rows[i]);
                isAdded = true;
            }
            if (state == Vector.NULL || hidesHere) {
                // Adding to nothing begins at zero.
                if (isAdded) {
                    out.addLong(added);
                } else {
                    out.addNull();
                }
                return;
            }
        }
        if (isAdded && hides) {
            out.addLong(added);
        } else if (isAdded) {
            out.addDelta(added);
        } else if (hides) {
            out.addNull();
        } else {
            out.addAbsent();
        }
    }
}
