package io.leeway.lazybase.internal.merge;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.KeyCodec;
import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sorts updates by a key and resolves those of the same key (James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014,
 * section 3.3.3, "sort").
 *
 * <p>The first eight bytes of each key are sorted as longs, eleven bits at a time from the lowest, which keeps the order of equal ones;
 * digits that all keys share are skipped, and so is everything if the rows are in order already. Rows that share their first eight bytes
 * are then put in order by the rest. Cost: a handful of passes over 12 bytes a row, whatever the order was.
 */
public final class Sorter {

    private static final int BITS = 11;
    private static final int BUCKETS = 1 << BITS;
    private static final int PASSES = 6;

    private Sorter() {}

    /** The rows of a batch in the order of their keys, each key once. */
    public static MemoryRun sort(Batch batch, KeyCodec codec) {
        Keys keys = codec.keys(batch.rows(), batch::column);
        int rows = batch.rows();
        if (isSortedAndDistinct(keys)) {
            return new MemoryRun(batch, keys);
        }
        int[] order = order(keys);
        int distinct = distinct(keys, order);
        if (distinct == rows) {
            return picked(batch, keys, order, rows);
        }
        return resolved(batch, keys, order, distinct);
    }

    private static boolean isSortedAndDistinct(Keys keys) {
        for (int i = 1; i < keys.size(); i++) {
            if (keys.compare(i - 1, keys, i) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** The rows in the order of their keys; equal ones in the order in which they came. */
    static int[] order(Keys keys) {
        int size = keys.size();
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
        long[] values = new long[size];
        int shift = spread(keys, values);
        radix(values, order, shift);
        if (!keys.isExact()) {
            orderTies(keys, order);
        }
        return order;
    }

    /** Copies the prefixes, moved so that they count as unsigned; returns the number of highest bits that are the same in all. */
    private static int spread(Keys keys, long[] values) {
        long differing = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = keys.prefix(i) ^ Long.MIN_VALUE;
            differing |= values[i] ^ values[0];
        }
        return Long.numberOfLeadingZeros(differing);
    }

    private static void radix(long[] given, int[] order, int sameBits) {
        int size = given.length;
        long[] values = given;
        int[] rows = order;
        long[] otherValues = new long[size];
        int[] otherRows = new int[size];
        for (int pass = 0; pass < PASSES && pass * BITS < 64 - sameBits; pass++) {
            int[] begins = begins(values, pass * BITS);
            if (begins.length == 0) {
                continue;
            }
            for (int i = 0; i < size; i++) {
                int at = begins[(int) (values[i] >>> (pass * BITS)) & (BUCKETS - 1)]++;
                otherValues[at] = values[i];
                otherRows[at] = rows[i];
            }
            long[] swapped = values;
            values = otherValues;
            otherValues = swapped;
            int[] swappedRows = rows;
            rows = otherRows;
            otherRows = swappedRows;
        }
        if (rows != order) {
            System.arraycopy(rows, 0, order, 0, size);
        }
    }

    /** Where each digit's rows begin; nothing if all rows have the same digit. */
    private static int[] begins(long[] values, int shift) {
        int[] counts = new int[BUCKETS];
        for (long value : values) {
            counts[(int) (value >>> shift) & (BUCKETS - 1)]++;
        }
        int sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            int count = counts[i];
            if (count == values.length) {
                return new int[0];
            }
            counts[i] = sum;
            sum += count;
        }
        return counts;
    }

    private static void orderTies(Keys keys, int[] order) {
        int begin = 0;
        while (begin < order.length) {
            int end = begin + 1;
            long prefix = keys.prefix(order[begin]);
            while (end < order.length && keys.prefix(order[end]) == prefix) {
                end++;
            }
            if (end - begin > 1) {
                orderTies(keys, order, begin, end);
            }
            begin = end;
        }
    }

    private static void orderTies(Keys keys, int[] order, int begin, int end) {
        Integer[] rows = new Integer[end - begin];
        for (int i = begin; i < end; i++) {
            rows[i - begin] = order[i];
        }
        Arrays.sort(rows, (a, b) -> keys.compare(a, keys, b));
        for (int i = begin; i < end; i++) {
            order[i] = rows[i - begin];
        }
    }

    private static int distinct(Keys keys, int[] order) {
        int count = 1;
        for (int i = 1; i < order.length; i++) {
            if (keys.compare(order[i - 1], keys, order[i]) != 0) {
                count++;
            }
        }
        return count;
    }

    private static MemoryRun picked(Batch batch, Keys keys, int[] order, int count) {
        Vector[] columns = new Vector[batch.columns().length];
        for (int c = 0; c < columns.length; c++) {
            var builder = new VectorBuilder(batch.columns()[c].isLong(), count);
            builder.addAll(batch.columns()[c], order, count);
            columns[c] = builder.build();
        }
        byte[] flags = batch.flags();
        byte[] picked = flags == null ? null : pick(flags, order, count);
        return new MemoryRun(new Batch(count, picked, batch.ids(), columns), keys.pick(order, count));
    }

    private static byte[] pick(byte[] flags, int[] order, int count) {
        byte[] picked = new byte[count];
        for (int i = 0; i < count; i++) {
            picked[i] = flags[order[i]];
        }
        return picked;
    }

    private static MemoryRun resolved(Batch batch, Keys keys, int[] order, int distinct) {
        if (batch.flags() == null) {
            return picked(batch, keys, lastOfEach(keys, order, distinct), distinct);
        }
        int[] ends = ends(keys, order, distinct);
        byte[] flags = new byte[distinct];
        int[] lasts = new int[distinct];
        Vector[] columns = new Vector[batch.columns().length];
        for (int c = 0; c < columns.length; c++) {
            columns[c] = resolvedColumn(batch, c, order, ends, flags);
        }
        for (int i = 0; i < distinct; i++) {
            lasts[i] = order[ends[i] - 1];
        }
        return new MemoryRun(new Batch(distinct, allPuts(flags), batch.ids(), columns), keys.pick(lasts, distinct));
    }

    private static byte @Nullable [] allPuts(byte[] flags) {
        for (byte flag : flags) {
            if (flag != Batch.PUT) {
                return flags;
            }
        }
        return null;
    }

    private static int[] lastOfEach(Keys keys, int[] order, int distinct) {
        int[] ends = ends(keys, order, distinct);
        for (int i = 0; i < distinct; i++) {
            ends[i] = order[ends[i] - 1];
        }
        return ends;
    }

    /** For each key where its rows end in the order. */
    private static int[] ends(Keys keys, int[] order, int distinct) {
        int[] ends = new int[distinct];
        int at = 0;
        for (int i = 1; i <= order.length; i++) {
            if (i == order.length || keys.compare(order[i - 1], keys, order[i]) != 0) {
                ends[at++] = i;
            }
        }
        return ends;
    }

    private static Vector resolvedColumn(Batch batch, int c, int[] order, int[] ends, byte[] flagsOut) {
        Vector column = batch.columns()[c];
        var builder = new VectorBuilder(column.isLong(), ends.length);
        byte[] flags = new byte[16];
        int[] rows = new int[16];
        Vector[] vectors = new Vector[16];
        int begin = 0;
        for (int k = 0; k < ends.length; k++) {
            int count = ends[k] - begin;
            if (count > rows.length) {
                flags = new byte[count];
                rows = new int[count];
                vectors = new Vector[count];
            }
            for (int i = 0; i < count; i++) {
                rows[i] = order[ends[k] - 1 - i];
                flags[i] = batch.flag(rows[i]);
                vectors[i] = column;
            }
            int depth = Resolver.depth(flags, count);
            Resolver.column(builder, vectors, rows, flags, depth, false);
            flagsOut[k] = Resolver.flags(flags, depth);
            begin = ends[k];
        }
        return builder.build();
    }
}
