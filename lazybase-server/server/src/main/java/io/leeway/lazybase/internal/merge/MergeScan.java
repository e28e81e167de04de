package io.leeway.lazybase.internal.merge;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.KeyRange;
import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of several runs as they are after all updates, in the order of the key (James Cipar, "Trading Freshness for Performance in
 * Distributed Systems", 2014, section 3.3.7, "filter" and "uniquify" in one).
 *
 * <p>Invariant: runs stand oldest first, and what a newer one says about a key comes after what an older one says. A stretch of keys that
 * only one run has is handed on as it stands, without a copy if it is long; only keys that several runs have are resolved row by row. So
 * the cost of freshness grows with the rows that are not merged yet, not with the table.
 *
 * <p>A condition on data must not drop a row before its newest values are known, for an older row that fits would show through. A block may
 * be left out for its values only if no other run has keys within its bounds and all its rows are whole: that is {@code Pruner}'s to ask
 * and this class's to grant. For one thread.
 */
public final class MergeScan {

    /** Stretches from this length on are handed on without a copy. */
    private static final int LONG_STRETCH = 512;

    private static final int FULL = 4096;

    /** Says whether a block of rows that are whole can be left out. */
    @FunctionalInterface
    public interface Pruner {

        /** Whether no row of the block fits. */
        boolean canSkip(SortedRun run, int block);
    }

    private final List<Cursor> cursors = new ArrayList<>();
    private final int[] ids;
    private final boolean[] isLong;
    private final Pruner pruner;
    private final Segment.Builder builder;
    private @Nullable Segment waiting;
    private long rowsRead;
    private long bytesRead;

    // Of the key that is being resolved, newest first.
    private final Cursor[] ties;
    private final byte[] tieFlags;
    private final int[] tieRows;
    private final Vector[] tieVectors;

    /**
     * @param runs oldest first
     * @param range of keys
     * @param ids numbers of the columns that are wanted
     * @param isLong whether their values are longs
     * @param pruner which blocks to leave out
     */
    public MergeScan(List<? extends SortedRun> runs, KeyRange range, int[] ids, boolean[] isLong, Pruner pruner) {
        this.ids = ids.clone();
        this.isLong = isLong.clone();
        this.pruner = pruner;
        this.builder = new Segment.Builder(this.ids, this.isLong, 64);
        if (!range.isEmpty()) {
            for (SortedRun run : runs) {
                cursors.add(new Cursor(run, range, this.ids));
            }
        }
        int count = runs.size();
        ties = new Cursor[count];
        tieFlags = new byte[count];
        tieRows = new int[count];
        tieVectors = new Vector[count];
    }

    /** Rows that were looked at so far. */
    public long rowsRead() {
        return rowsRead;
    }

    /** Bytes of the blocks that were looked at so far. */
    public long bytesRead() {
        return bytesRead;
    }

    /** The next rows, or null at the end. */
    public @Nullable Segment next() {
        Segment kept = waiting;
        if (kept != null) {
            waiting = null;
            return kept;
        }
        while (builder.rows() < FULL) {
            Segment direct = step();
            if (direct != null) {
                if (builder.rows() == 0) {
                    return direct;
                }
                waiting = direct;
                return builder.build();
            }
            if (cursors.isEmpty()) {
                break;
            }
        }
        return builder.rows() == 0 ? null : builder.build();
    }

    /** Goes on by a stretch or a key: into the builder, or as a segment that is returned. */
    private @Nullable Segment step() {
        Cursor least = null;
        int tied = 0;
        for (int i = 0; i < cursors.size(); i++) {
            Cursor cursor = cursors.get(i);
            if (cursor.keys == null && !open(cursor)) {
                cursors.remove(i--);
                continue;
            }
            int order = least == null ? -1 : compare(cursor, least);
            if (order < 0) {
                least = cursor;
                tied = 1;
            } else if (order == 0) {
                tied++;
            }
        }
        if (least == null) {
            return null;
        }
        return tied == 1 ? stretch(least) : resolve(least, tied);
    }

    @SuppressWarnings("NullAway")
    private static int compare(Cursor a, Cursor b) {
        return a.keys.compare(a.row, b.keys, b.row);
    }

    /** Opens the next block that is not left out. */
    private boolean open(Cursor cursor) {
        while (cursor.hasBlock() && cursor.run.isClean(cursor.block) && pruner.canSkip(cursor.run, cursor.block)) {
            if (!isAlone(cursor)) {
                break;
            }
            cursor.skipBlock();
        }
        boolean opened = cursor.open();
        if (opened) {
            bytesRead += cursor.run.bytes(cursor.block);
        }
        return opened;
    }

    /** Whether no other run has keys within the bounds of the block that this one stands before. */
    private boolean isAlone(Cursor cursor) {
        byte[] min = cursor.run.minKey(cursor.block);
        byte[] max = cursor.run.maxKey(cursor.block);
        for (Cursor other : cursors) {
            if (other != cursor && mayHaveBetween(other, min, max)) {
                return false;
            }
        }
        return true;
    }

    private static boolean mayHaveBetween(Cursor cursor, byte[] min, byte[] max) {
        Keys keys = cursor.keys;
        if (keys != null) {
            int from = keys.seek(cursor.row, cursor.end, min);
            if (from < cursor.end) {
                return keys.compare(from, max) <= 0;
            }
            // All rows left of this block are below; the next block may not be.
            return blockMayHave(cursor, cursor.block + 1, min, max);
        }
        return blockMayHave(cursor, cursor.block, min, max);
    }

    private static boolean blockMayHave(Cursor cursor, int first, byte[] min, byte[] max) {
        for (int block = first; block < cursor.run.blocks(); block++) {
            if (java.util.Arrays.compareUnsigned(cursor.run.minKey(block), max) > 0) {
                return false;
            }
            if (java.util.Arrays.compareUnsigned(cursor.run.maxKey(block), min) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The rows of one run up to the least key of the others. */
    @SuppressWarnings("NullAway")
    private @Nullable Segment stretch(Cursor cursor) {
        int to = cursor.end;
        for (Cursor other : cursors) {
            if (other != cursor && to > cursor.row) {
                to = cursor.keys.seek(cursor.row, to, other.keys, other.row);
            }
        }
        int count = to - cursor.row;
        rowsRead += count;
        Segment direct = null;
        if (cursor.flags == null && count >= LONG_STRETCH) {
            direct = Segment.of(cursor.run, cursor.block, cursor.row, to, ids);
        } else if (cursor.flags == null) {
            copy(cursor, cursor.row, to);
        } else {
            copyWhole(cursor, to);
        }
        cursor.advance(count);
        return direct;
    }

    private void copy(Cursor cursor, int from, int to) {
        for (int c = 0; c < ids.length; c++) {
            Vector column = cursor.column(c);
            if (column != null) {
                builder.column(c).addRange(column, from, to);
            } else {
                for (int i = from; i < to; i++) {
                    builder.column(c).addNull();
                }
            }
        }
        builder.advance(to - from);
    }

    /** Rows some of which are deleted, or parts with nothing below them. */
    private void copyWhole(Cursor cursor, int to) {
        int before = cursor.row;
        for (int row = before; row < to; row++) {
            cursor.row = row;
            ties[0] = cursor;
            tieFlags[0] = cursor.flag();
            tieRows[0] = row;
            emit(1);
        }
        cursor.row = before;
    }

    /** One key that several runs have. */
    private @Nullable Segment resolve(Cursor least, int tied) {
        int count = 0;
        // The newest stand last.
        for (int i = cursors.size() - 1; i >= 0; i--) {
            Cursor cursor = cursors.get(i);
            if (cursor == least || compare(cursor, least) == 0) {
                ties[count] = cursor;
                tieFlags[count] = cursor.flag();
                tieRows[count] = cursor.row;
                count++;
            }
        }
        rowsRead += tied;
        emit(Resolver.depth(tieFlags, count));
        for (int i = 0; i < count; i++) {
            ties[i].advance(1);
        }
        return null;
    }

    private void emit(int depth) {
        if ((tieFlags[0] & Batch.EXISTS) == 0) {
            return;
        }
        for (int c = 0; c < ids.length; c++) {
            for (int i = 0; i < depth; i++) {
                tieVectors[i] = ties[i].column(c);
            }
            Resolver.column(builder.column(c), tieVectors, tieRows, tieFlags, depth, true);
        }
        builder.advance(1);
    }
}
