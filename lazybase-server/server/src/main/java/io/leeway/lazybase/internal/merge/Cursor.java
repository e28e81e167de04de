package io.leeway.lazybase.internal.merge;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.KeyRange;
import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where a reader stands in one run. For one thread. */
final class Cursor {

    final SortedRun run;
    private final KeyRange range;
    private final int blocks;
    int block;
    int row;
    /** Where the rows of this block end that belong to the range. */
    int end;
    /** The keys of the block; null while only its bounds are known, or at the end. */
    @Nullable
    Keys keys;

    byte @Nullable [] flags;

    private final int[] ids;
    private final @Nullable Vector[] columns;
    private final boolean[] known;

    Cursor(SortedRun run, KeyRange range, int[] ids) {
        this.run = run;
        this.range = range;
        this.ids = ids;
        this.columns = new Vector[ids.length];
        this.known = new boolean[ids.length];
        this.blocks = run.blocks();
        block = range.from() == null ? 0 : firstBlock(range.from());
    }

    private int firstBlock(byte[] from) {
        int low = 0;
        int high = blocks;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Arrays.compareUnsigned(run.maxKey(middle), from) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Whether no row is left. */
    boolean isDone() {
        return keys == null && !hasBlock();
    }

    /** Whether the block that it stands before or in is there and may have rows of the range. */
    boolean hasBlock() {
        return block < blocks && (range.to() == null || Arrays.compareUnsigned(run.minKey(block), range.to()) < 0);
    }

    /** Reads the keys of the block; false if the run has no further row in the range. */
    boolean open() {
        while (keys == null) {
            if (!hasBlock()) {
                return false;
            }
            Keys read = run.keys(block);
            int begin = range.from() == null ? 0 : read.seek(0, read.size(), range.from());
            int stop = range.to() == null ? read.size() : read.seek(begin, read.size(), range.to());
            if (begin == stop) {
                block++;
                continue;
            }
            keys = read;
            row = begin;
            end = stop;
            flags = run.isClean(block) ? null : run.flags(block);
            Arrays.fill(known, false);
        }
        return true;
    }

    /** Goes on by some rows of the block. */
    void advance(int count) {
        row += count;
        if (row >= end) {
            keys = null;
            flags = null;
            block++;
        }
    }

    /** Leaves a block out that was not opened. */
    void skipBlock() {
        block++;
    }

    byte flag() {
        byte[] mine = flags;
        return mine == null ? Batch.PUT : mine[row];
    }

    /** A column of the open block; asked of the run once a block. */
    @Nullable
    Vector column(int index) {
        if (!known[index]) {
            columns[index] = run.column(block, ids[index]);
            known[index] = true;
        }
        return columns[index];
    }
}
