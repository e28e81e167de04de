package io.leeway.lazybase.internal.column;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Updates of one table, in columns. Immutable, so thread-safe.
 *
 * <p>What an update does to a row is in its flags: {@link #RESET} hides everything older, {@link #EXISTS} says that the row is there
 * afterwards. A put has both, a delete only RESET, a patch or an add only EXISTS. Applying one update after another is associative
 * (see {@code Resolver}), so parts of a history may be merged in any order of grouping.
 *
 * @param rows number of updates
 * @param flags of each row, or null if all are puts
 * @param ids numbers of the columns
 * @param columns the columns, one for each number
 */
@SuppressWarnings("ArrayRecordComponent")
public record Batch(int rows, byte @Nullable [] flags, int[] ids, Vector[] columns) {

    /** The row hides what is older. */
    public static final byte RESET = 1;
    /** The row is there after the update. */
    public static final byte EXISTS = 2;
    /** A whole row. */
    public static final byte PUT = RESET | EXISTS;
    /** No row any more. */
    public static final byte DELETE = RESET;
    /** Some columns of a row. */
    public static final byte PATCH = EXISTS;

    /** The column with this number, or null if no row has it. */
    public @Nullable Vector column(int id) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == id) {
                return columns[i];
            }
        }
        return null;
    }

    /** The flags of a row. */
    public byte flag(int row) {
        return flags == null ? PUT : flags[row];
    }

    /** About how much memory it takes, in bytes. */
    public long memory() {
        long sum = flags == null ? 0 : rows;
        for (Vector column : columns) {
            sum += column.memory();
        }
        return sum;
    }

    /**
     * Batches one after the other as one. A column that one of them does not have is NULL in its puts and untouched in its patches.
     */
    public static Batch concat(List<Batch> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        var ids = new ArrayList<Integer>();
        var isLong = new ArrayList<Boolean>();
        int rows = 0;
        boolean allPuts = true;
        for (Batch part : parts) {
            rows += part.rows;
            allPuts &= part.flags == null;
            for (int i = 0; i < part.ids.length; i++) {
                if (!ids.contains(part.ids[i])) {
                    ids.add(part.ids[i]);
                    isLong.add(part.columns[i].isLong());
                }
            }
        }
        Vector[] columns = new Vector[ids.size()];
        for (int c = 0; c < columns.length; c++) {
            var builder = new VectorBuilder(isLong.get(c), rows);
            for (Batch part : parts) {
                Vector column = part.column(ids.get(c));
                if (column != null) {
                    builder.addRange(column, 0, part.rows);
                } else {
                    for (int row = 0; row < part.rows; row++) {
                        if ((part.flag(row) & RESET) != 0) {
                            builder.addNull();
                        } else {
                            builder.addAbsent();
                        }
                    }
                }
            }
            columns[c] = builder.build();
        }
        return new Batch(rows, allPuts ? null : flags(parts, rows), toArray(ids), columns);
    }

    private static byte[] flags(List<Batch> parts, int rows) {
        byte[] all = new byte[rows];
        int at = 0;
        for (Batch part : parts) {
            for (int row = 0; row < part.rows; row++) {
                all[at++] = part.flag(row);
            }
        }
        return all;
    }

    private static int[] toArray(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }
}
